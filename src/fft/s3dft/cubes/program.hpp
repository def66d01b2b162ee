#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fft/s3dft/cubes/streams.hpp"
#include "weft/fft.hpp"
#include "weft/layout.hpp"
#include "weft/program.hpp"

namespace weft::s3dft::cubes {

/// A transform of n^3 numbers by p^3 nodes, each with a block of side n / p.
struct Transform {
  Tiles tiles;
  int side;  ///< of a block
  FftPrecision precision;
  FftDirection direction;
  float scale;  ///< after each stage

  int n() const { return side * tiles.p(); }
  int numbers() const { return side * side * side; }  ///< of a block of the array
  bool halves() const { return precision == FftPrecision::fp16; }
  int part_bytes() const { return halves() ? 2 : 4; }
  int words_of(int numbers) const { return numbers * 2 * part_bytes() / 4; }
};

/// The program of all PEs and where its data is. A block has the real parts of its numbers, then
/// the imaginary ones, each in C order.
struct TransformProgram {
  Program program;
  MemorySpan input, output;
  std::array<MemorySpan, kStages> factors;  ///< the block of the matrix at the start of each stage
  MemorySpan launch;                        ///< a PE's own values
  MemorySpan stamps;                        ///< by phase
};

TransformProgram build_transform(const Transform& t);

/// A PE's own values of a stage: codes of the streams by which it sends, and the unit shifts that
/// align its block.
struct Launch {
  std::uint32_t array, align, align_shifts, factors;
};
inline constexpr int kLaunchWords = 4;
std::vector<std::uint32_t> launch_words(const Tiles& tiles, const Codes& codes, const Pe& pe);

Layout lay_out(const Program& program, const Transform& t);

/// Names and kinds, in order: of each stage the alignment and the sums.
std::vector<RunPhase> phases();

/// The unit shifts of a step go on one after the other, each beside a part of the products: so many
/// parts.
int parts_of(const Tiles& tiles, const Stage& stage);

}  // namespace weft::s3dft::cubes
