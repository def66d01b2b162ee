#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fft/s3dft/blocks.hpp"
#include "weft/layout.hpp"
#include "weft/program.hpp"

namespace weft::s3dft {

/// The roots of unity for one length of an axis: so many complex numbers.
struct Roots {
  int n;
  MemorySpan span;
};

/// The program of all PEs and where its data is. A block has the real parts of its numbers, then
/// the imaginary ones, each in C order of axes 2, 1 and 0.
struct TransformProgram {
  Program program;
  MemorySpan input, output;  ///< a block: the PE's numbers at the start and at the end
  MemorySpan launch;         ///< a PE's own values: Launch of each stage
  std::vector<Roots> roots;
  MemorySpan rows;  ///< of the matrix along axis 0: real parts, imaginary parts, row by row
  std::array<MemorySpan, 2>
      factors;        ///< cannon: of the matrices along axes 2 and 1, room for two blocks
  MemorySpan stamps;  ///< low 32 bits of the cycle counter at the end of each phase
};

/// A PE's own values in a stage, from launch on. Offsets are in bytes. (Cannon's are others.)
struct Launch {
  /// Of the three colors of a ring, the one by which the PE sends.
  std::uint32_t color;
  /// Of the first number k that the PE has along the stage's axis: that of a root in the table, or,
  /// in the last stage, that of x(k) in a pencil.
  std::uint32_t number;
  /// Where the array rolls: that of the root for the first products.
  std::uint32_t root = 0;
  /// Where the array rolls: from the root of one number k to that of the next. In the last stage:
  /// places that are left until PEs have fewer rows, negative.
  std::uint32_t step = 0;
};
inline constexpr int kLaunchWords = 4;

/// The values of PE (x, y) in all stages.
std::vector<std::uint32_t> launch_words(const Transform& t, int x, int y);

TransformProgram build_transform(const Transform& t);

/// Places the program and the routes of the rings on a fabric of all PEs of the division; where the
/// transform has smaller rings, on one of those alone.
Layout lay_out(const Program& program, const Transform& t);

/// Cannon: the one of two rooms in which the factors of PE (x, y) are at the start of a stage, as
/// its block of the array is after so many places.
int first_room(const Transform& t, const Stage& stage, int x, int y);
inline MemorySpan half_of(const MemorySpan& both, int half) {
  return {both.address + both.bytes / 2 * static_cast<std::uint32_t>(half), both.bytes / 2};
}

/// Names and kinds of the phases, in order.
std::vector<RunPhase> phases(const Transform& t);

}  // namespace weft::s3dft
