#include "cuda/facilities.cuh"
#include "cuda_on_host/kernels.hpp"

namespace weft::test {

using namespace weft::cuda;

WEFT_TEST_KERNEL add_round_a_ring(std::uint32_t* sums, std::uint32_t* out, int rounds) {
  auto* const shared = reinterpret_cast<std::uint32_t*>(shared_memory());
  const unsigned thread = threadIdx.x;
  std::uint32_t number = blockIdx.x * blockDim.x + thread;
  for (int round = 0; round < rounds; ++round) {
    shared[thread] = number;
    block_sync();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (thread < half) shared[thread] += shared[thread + half];
      block_sync();
    }
    std::uint32_t* const sums_now = sums + round % 2 * blocks();
    if (thread == 0) sums_now[block()] = shared[0];
    grid_sync();
    number += sums_now[(block() + blocks() - 1) % blocks()];
  }
  out[blockIdx.x * blockDim.x + thread] = number;
}

WEFT_TEST_KERNEL pass_along(std::uint64_t* words, std::uint64_t* flags, int rounds) {
  const int own = block();
  for (int round = 1; round <= rounds; ++round) {
    if (own > 0 && threadIdx.x == 0) {
      while (load_relaxed(flags + own - 1) < static_cast<std::uint64_t>(round)) pause();
      fence();
    }
    block_sync();  // all threads may read what the one before wrote
    const std::uint64_t before = own > 0 ? words[(own - 1) * rounds + round - 1] : 1;
    if (threadIdx.x == blockDim.x - 1) {
      words[own * rounds + round - 1] = 3 * before + static_cast<std::uint64_t>(own);
      fence();
      store_relaxed(flags + own, static_cast<std::uint64_t>(round));
    }
  }
}

WEFT_TEST_KERNEL reduce(Reductions* of, std::uint64_t* grid_min, std::uint32_t* grid_or) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint64_t number = 1000 + (i * 37U) % 101U;
  Reductions r{};
  r.least_of_block = block_min(number);
  r.bits_of_block = block_or(1U << (i % 31U));
  r.ballot = ballot(number % 3 == 0);
  if (thread() == 0) {
    atomic_min(grid_min, r.least_of_block);
    atomic_or(grid_or, 1U << (static_cast<unsigned>(block()) % 32U));
  }
  grid_sync();
  r.least_of_grid = load_relaxed(grid_min);
  r.bits_of_grid = load_relaxed(grid_or);
  of[i] = r;
}

__global__ void __launch_bounds__(1024)
    reduce_blocks(const std::uint64_t* numbers, BlockReductions* first, BlockReductions* second) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (BlockReductions* const of : {first, second}) {
    const std::uint64_t number = numbers[i] + (of == second ? 1 : 0);
    of[i].least = block_min(number);
    of[i].sum = block_sum(number);
    of[i].bits = block_or(static_cast<std::uint32_t>(number));
  }
}

WEFT_TEST_KERNEL meet_in_halves(std::uint32_t* out) {
  const bool is_upper = thread() >= 16;
  const std::uint32_t half = is_upper ? 0xffff0000U : 0x0000ffffU;
  std::uint32_t odd = __ballot_sync(half, thread() % 2);
  if (is_upper) odd = __shfl_sync(half, odd, 31);
  out[blockIdx.x * blockDim.x + threadIdx.x] = odd;
}

WEFT_TEST_KERNEL turn_round(std::uint32_t* out) {
  auto* const shared = reinterpret_cast<std::uint32_t*>(shared_memory());
  shared[threadIdx.x] = threadIdx.x;
  block_sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

}  // namespace weft::test
