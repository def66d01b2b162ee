#include "cuda/facilities.cuh"
#include "cuda_on_host/kernels.hpp"

namespace weft::test {

using namespace weft::cuda;

WEFT_TEST_KERNEL turn_round_without_barrier(std::uint32_t* out) {
  auto* const shared = reinterpret_cast<std::uint32_t*>(shared_memory());
  shared[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = shared[threadIdx.x / 2];
}

WEFT_TEST_KERNEL pass_along_without_release(std::uint64_t* words, std::uint64_t* flags) {
  if (threadIdx.x != 0) return;
  if (block() == 0) {
    words[0] = 5;
    store_relaxed(flags, 1);
  } else if (block() == 1) {
    while (load_relaxed(flags) == 0) pause();
    words[1] = words[0];
  }
}

WEFT_TEST_KERNEL wait_at_different_barriers(std::uint32_t* out) {
  if (threadIdx.x < 40) {
    out[threadIdx.x] = 1;
    block_sync();
  } else {
    out[threadIdx.x] = 2;
    block_sync();
  }
}

WEFT_TEST_KERNEL leave_before_barrier(std::uint32_t* out) {
  if (threadIdx.x == 3) return;
  block_sync();
  out[threadIdx.x] = 1;
}

WEFT_TEST_KERNEL leave_before_grid_barrier() {
  if (block() == 1) return;
  grid_sync();
}

WEFT_TEST_KERNEL keep_a_lane_away(std::uint32_t* out) {
  if (threadIdx.x != 39) out[threadIdx.x] = ballot(true);
  block_sync();
}

WEFT_TEST_KERNEL call_for_others(std::uint32_t* out) {
  if (threadIdx.x == 5) out[0] = __ballot_sync(0xff00U, 1);
}

WEFT_TEST_KERNEL wait_for_nobody(std::uint64_t* flag) {
  if (threadIdx.x == 0) {
    while (load_relaxed(flag) == 0) pause();
  }
  block_sync();
}

WEFT_TEST_KERNEL read_what_nobody_wrote(const std::uint32_t* fresh, std::uint32_t* out) {
  __shared__ std::uint32_t variable[kThreads];
  auto* const shared = reinterpret_cast<std::uint32_t*>(shared_memory());
  const unsigned i = threadIdx.x;
  out[3 * i] = fresh[i];
  out[3 * i + 1] = shared[i];
  out[3 * i + 2] = variable[i];
  block_sync();
  variable[i] = shared[i] = i;  // a later block must not find it
}

}  // namespace weft::test
