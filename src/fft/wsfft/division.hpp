#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/fft.hpp"

/// How an array lies on the mesh, and how an exchange between PEs changes that.
namespace weft::wsfft {

/// The axis of the mesh along which PEs exchange their numbers.
enum class Axis { row, column };

/// An array of sides[0] x sides[1] x sides[2] numbers on px x py PEs, and others like it beside it.
/// Each exchange divides an axis among the PEs that was whole. Parts of an axis have as many
/// numbers as block() says, so that messages are of one size: what is beyond the axis is padding.
/// An axis of one number is neither transformed nor exchanged.
struct Division {
  std::array<int, 3> sides;
  int px, py;
  int across = 1, down = 1;  ///< arrays along x and y
  /// The array has one axis of size() numbers, too long for a PE: the sides are the bases of the
  /// digits of its index. Its transform is one along each digit, with products by roots of unity in
  /// between (the "four-step" FFT; Bailey, "FFTs in external or hierarchical memory").
  bool digits = false;
  /// The array has real numbers, and half of its spectrum is kept: spectrum() numbers along axis 2.
  bool real = false;
  /// PEs of a row or column stand in the order of a folded ring: the part number `place` of an axis
  /// is that of the PE RingShift::pe_at(place).
  bool ring = false;
  /// Of an array of four axes the last side: sides[2] numbers are a plane of sides[2] / inner lines
  /// of so many. As an exchange finds it, after both axes of the plane were transformed, it lies
  /// column by column.
  int inner = 1;
  /// Axes 0 and 1 stay as they are divided, a number of each pencil in each PE: the PEs of a line
  /// transform them together (butterflies.cpp).
  bool in_place = false;
  bool back = false;  ///< FftOptions::back
  /// A PE's memory is too small for whole tables of roots of unity: it has the least roots. A plan
  /// finds that out.
  bool least_roots = false;

  /// One table of the least roots is for pencils of all lengths: these are powers of two.
  bool one_table() const;
  int lines() const { return sides[2] / inner; }  ///< of a plane
  std::int64_t size() const { return std::int64_t{sides[0]} * sides[1] * sides[2]; }
  int spectrum() const { return real ? sides[2] / 2 + 1 : sides[2]; }
  /// Numbers of an axis (of the spectrum along axis 2) that a PE has where the axis is divided
  /// along rows or columns: as few as cover it. Of real numbers, axis 0 so that each PE has an even
  /// count of pencils.
  int block(int axis, Axis along) const;
  /// Of an axis that lies whole in a PE, from a pencil to the next in memory: room for all blocks
  /// of each exchange that divides or collects it.
  int pitch(int axis) const;
  /// That a PE has room for.
  std::int64_t numbers() const;
  int width() const { return px * across; }  ///< of the mesh
  int height() const { return py * down; }
  int along(Axis axis) const { return axis == Axis::row ? px : py; }
  /// Of the numbers that PEs have room for, the share that is padding.
  double padding() const;
  /// The number of the part of an axis that a PE at x (or y) of the mesh has, before butterflies
  /// (if it has them) or after.
  int part_at(int x, Axis axis, bool after = false) const;
  /// An array of two axes on a mesh: each is divided along x and along y, PE (x, y) being number
  /// x py + y of a line of px py PEs that is folded over the mesh.
  bool folded() const { return sides[0] > 1 && sides[1] == 1 && py > 1; }
};

/// A cube of n^3 numbers, one pencil in each of n x n PEs.
inline Division cube(int n) { return {{n, n, n}, n, n}; }

/// Between two exchanges: axis axes[0] of the array is divided among the PEs along x, axis axes[1]
/// along y, and axis axes[2] lies whole in each PE. A PE has its numbers in C order of the three:
/// so many pencils along axes[2], one after the other. Folded, one axis is divided along both at
/// the ends, and in the middle none that has more than one number is whole.
struct Arrangement {
  std::array<int, 3> axes;
  bool after = false;  ///< butterflies, or an exchange back: no pencils are left to transform

  bool operator==(const Arrangement&) const = default;
  bool is_folded() const { return axes[0] == axes[1]; }
  /// Numbers of each of these axes that a PE has.
  std::array<int, 3> extents(const Division& d) const {
    const int whole = d.sides[static_cast<std::size_t>(axes[2])];
    const int along_x = d.block(axes[0], Axis::row);
    if (is_folded()) return {along_x / d.py, 1, whole};
    return {along_x, d.block(axes[1], Axis::column), whole};
  }
  /// From a pencil along the whole axis to the next in memory, at the start or the end of a
  /// transform.
  int pitch(const Division& d) const;
  /// After an exchange, the whole axis is divided, and the divided one is whole.
  Arrangement exchanged(Axis axis) const {
    Arrangement other = *this;
    std::swap(other.axes[axis == Axis::row ? 0 : 1], other.axes[2]);
    return other;
  }
};

/// The pencils of a PE between two exchanges: `count` of n numbers along an axis of the array, from
/// one to the next `pitch` numbers in memory.
struct Pencils {
  int n, pitch, count;
  std::size_t axis = 0;
};

/// Of real numbers in space, two make a pencil.
Pencils pencils_of(const Division& division, const Arrangement& arrangement);

/// The same in their order: those along both axes of planes, with a local transposition in between,
/// else one kind.
std::vector<Pencils> passes_of(const Division& division, const Arrangement& arrangement,
                               FftDirection direction);

/// The longest pencil that a division may have, in any direction.
int longest_pencil(const Division& division);

/// As the forward transform takes an array, and the inverse leaves it, if it is not folded.
inline constexpr Arrangement kSpace{{0, 1, 2}};

/// The exchanges of a transform, in order: at most one along rows and one along columns.
std::vector<Axis> exchanges_of(const Division& division, FftDirection direction);

/// The arrangements of the supersteps: before, between and after these exchanges.
std::vector<Arrangement> arrangements_of(const Division& division, FftDirection direction);

/// Where the numbers stand that one PE sends to another, in numbers from the start of what a PE
/// has. A message is an array of three axes, sent in C order.
struct Blocks {
  std::array<int, 3> extents;
  std::array<int, 3> from, to;  ///< the strides of its axes at the sender and at the receiver
  int from_step, to_step;       ///< from the message for (of) one PE to that for (of) the next

  int numbers() const { return extents[0] * extents[1] * extents[2]; }
};

Blocks blocks_of(const Division& division, const Arrangement& before, Axis axis);

/// From a number of the array to the next along each axis, for an array arranged as before or after
/// a transform. Digits: the one that is transformed first is the most significant digit of the
/// index before, and the least significant one after.
std::array<std::int64_t, 3> strides_of(const Division& division, const Arrangement& arrangement);

/// Of digits, after the superstep number `superstep`: each number is multiplied by the root of
/// unity exp(-+2 pi I m / n) before the next one.
struct Roots {
  std::size_t transformed;                ///< the axis of the superstep
  std::array<std::int64_t, 3> weights{};  ///< m = index along `transformed` x sum of weight x index
  std::int64_t n = 1;
};

Roots roots_of(const Division& division, FftDirection direction, int superstep);

}  // namespace weft::wsfft
