#pragma once

#include <cstdint>
#include <string_view>

#include "evaluation/run.hpp"

/// The parts of a step of S3DFT as its authors lay it out: PEs with blocks of b^3 complex numbers,
/// real and imaginary parts apart, and what they do with them.
namespace weft::evaluation {

/// "copy", "transposed copy", "y += a x", "block product", "roll", "step".
std::string_view to_string(BlockWork work) noexcept;

/// Words of 32 bits of a block.
int block_words(int b, FftPrecision precision);

/// Cycles of the work on one block, in a PE alone; of a roll from place to place of a ring of so
/// many PEs of a row, `places` times; of a step, which does that beside a product. Throws
/// Error(program) where a PE has no memory for it.
std::uint64_t cycles_of_block(const BlockRun& run, const Machine& machine);

}  // namespace weft::evaluation
