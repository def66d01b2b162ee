#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cli/fft/arrays.hpp"

/// The transform of one array by a library whose processes have parts of it.
namespace weft::cli {

/// An array in the order of its axes in which it is divided: the first axis before the transform,
/// after it the first or the second.
struct SharedShape {
  std::array<std::size_t, 4> sides;  ///< in space, of the real or complex array
  bool swapped;                      ///< afterwards the second axis is divided, and comes first
  FftKind kind;
  FftDirection direction;
};

/// In double precision. All processes call each method alike.
class SharedTransform {
 public:
  SharedTransform() = default;
  SharedTransform(const SharedTransform&) = delete;
  SharedTransform& operator=(const SharedTransform&) = delete;
  virtual ~SharedTransform() = default;

  /// After each process has made one. Throws Error(environment) where there is none.
  virtual void plan() = 0;
  /// The process that has an index along the divided axis, and, there, its numbers: the rest of the
  /// array in C order.
  virtual int owner_before(std::size_t index) const = 0;
  virtual int owner_after(std::size_t index) const = 0;
  virtual void give(std::size_t index, std::span<const std::complex<float>> numbers) = 0;
  virtual std::vector<std::complex<double>> take(std::size_t index) const = 0;

  virtual void run() = 0;  ///< not divided
};

/// Throws Error(environment) where there is no memory, in this process alone.
using MakeSharedTransform = std::function<std::unique_ptr<SharedTransform>(const SharedShape&)>;

}  // namespace weft::cli
