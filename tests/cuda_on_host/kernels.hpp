#pragma once

#include <cstdint>

#include "cuda/runtime.hpp"

namespace weft::test {

inline constexpr int kThreads = 64;
#define WEFT_TEST_KERNEL __global__ void __launch_bounds__(::weft::test::kThreads)

// Kernels without fault. All run in blocks of kThreads.

/// out[i] is the sum of all threads' numbers with those of the `rounds` blocks before; the blocks
/// pass their sums on in `sums` (two per block), and meet at the grid barrier after each round.
WEFT_TEST_KERNEL add_round_a_ring(std::uint32_t* sums, std::uint32_t* out, int rounds);

/// words[b] = 3 words[b - 1] + b, `rounds` times over; a block waits for the flag of the one
/// before.
WEFT_TEST_KERNEL pass_along(std::uint64_t* words, std::uint64_t* flags, int rounds);

struct Reductions {
  std::uint64_t least_of_block, least_of_grid;
  std::uint32_t bits_of_block, ballot, bits_of_grid;
};
/// of[i] for each thread; grid_min starts as all ones, grid_or as zero.
WEFT_TEST_KERNEL reduce(Reductions* of, std::uint64_t* grid_min, std::uint32_t* grid_or);

struct BlockReductions {
  std::uint64_t least, sum;
  std::uint32_t bits;
  bool operator==(const BlockReductions&) const = default;
};
/// of[i] for each thread, twice in a row, of the numbers of its block. Blocks of any size.
__global__ void __launch_bounds__(1024)
    reduce_blocks(const std::uint64_t* numbers, BlockReductions* first, BlockReductions* second);

/// The upper and the lower half of a warp each meet by themselves: out[i] is the ballot of odd
/// lanes.
WEFT_TEST_KERNEL meet_in_halves(std::uint32_t* out);

/// Turns the block's numbers round, through shared memory.
WEFT_TEST_KERNEL turn_round(std::uint32_t* out);

// Kernels with a planted fault each.
WEFT_TEST_KERNEL turn_round_without_barrier(std::uint32_t* out);
WEFT_TEST_KERNEL pass_along_without_release(std::uint64_t* words, std::uint64_t* flags);
WEFT_TEST_KERNEL wait_at_different_barriers(std::uint32_t* out);
WEFT_TEST_KERNEL leave_before_barrier(std::uint32_t* out);
WEFT_TEST_KERNEL leave_before_grid_barrier();
WEFT_TEST_KERNEL keep_a_lane_away(std::uint32_t* out);
WEFT_TEST_KERNEL call_for_others(std::uint32_t* out);
WEFT_TEST_KERNEL wait_for_nobody(std::uint64_t* flag);

/// Copies `fresh`, dynamic shared memory and a shared variable, one word each a thread.
WEFT_TEST_KERNEL read_what_nobody_wrote(const std::uint32_t* fresh, std::uint32_t* out);

}  // namespace weft::test
