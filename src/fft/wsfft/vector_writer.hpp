#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// One dimension of a view: so many elements, so many elements apart.
struct Extent {
  int count, stride;
};

/// Elements of a PE's memory, as a vector instruction takes them.
struct View {
  Reg base;
  int offset;                     ///< bytes
  std::array<Extent, 4> extents;  ///< outermost first; the first `dimensions` are in use
  std::size_t dimensions;
  int elements;

  /// `extents`: outermost first. Dimensions of one element vanish, and two that are one are joined,
  /// so that equal vectors are equal views.
  View(Reg base_, int offset_, std::initializer_list<Extent> extents_);
};

/// Writes vector instructions without loops, from views. It knows what each descriptor holds, and
/// takes the one that needs the fewest instructions to become a view. A piece of code without jumps
/// takes one writer.
class VectorWriter {
 public:
  VectorWriter(ProgramBuilder& p, Numbers numbers, Reg zero)
      : p_(p), numbers_(numbers), zero_(zero) {}

  /// Elements are parts, real or imaginary, in the numbers' precision.
  void add(const View& d, const View& a, const View& b);           ///< d = a + b
  void subtract(const View& d, const View& a, const View& b);      ///< d = a - b
  void multiply_add(const View& d, const View& a, const View& b);  ///< d = d + a b
  void multiply_add(const View& d, const View& a, float factor);   ///< d = d + a factor
  void multiply(const View& d, const View& a, float factor);       ///< d = a factor
  void scale(const View& d, float factor);                         ///< d = d factor
  void copy(const View& d, const View& a);                         ///< d = a
  void copy16(const View& d, const View& a);                       ///< elements are 16 bits
  void copy32(const View& d, const View& a);                       ///< elements are words

 private:
  struct Holds {
    bool known = false;
    Reg base{0};
    int offset = 0;
    std::optional<int> stride{}, length{};  ///< as far as they are known
    int shape = -1;                         ///< number in shapes_; -1: one dimension
    int used = 0;                           ///< when, last
  };
  struct Known {
    View view;
    ShapeId id;
  };

  /// A descriptor that is the view. `is_first`: of the sources, whose length counts.
  Dsr descriptor(const View& view, bool is_first);
  int shape_of(const View& view);
  void start() { taken_ = 0; }

  ProgramBuilder& p_;
  Numbers numbers_;
  Reg zero_;
  std::array<Holds, 16> holds_{};
  std::vector<Known> shapes_;
  std::uint32_t taken_ = 0;  ///< bit per descriptor: by the instruction that is being written
  int now_ = 0;
};

}  // namespace weft::wsfft
