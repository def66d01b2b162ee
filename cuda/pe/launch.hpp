#pragma once

#include "cuda/pe/kernel.hpp"
#include "cuda/pe/plan.hpp"
#include "cuda/runtime.hpp"

/// How a grid of the kernel is launched.
namespace weft::pe_kernel {

struct Launch {
  int threads = 0;         ///< of a block
  std::uint32_t near = 0;  ///< parts, a bit each
  std::size_t shared_bytes = 0;
  int shared_percent = 100;  ///< of a multiprocessor's memory, the rest of which is a cache
};

/// The limits of a device that decide how fabrics are stepped.
struct DeviceLimits {
  int multiprocessors = 0;
  std::size_t shared_bytes_per_block = 0;
  std::size_t shared_bytes_per_multiprocessor = 0;

  /// Of the present device.
  static DeviceLimits ask();
  /// Launch::shared_percent for a block with so many bytes, those of the system apart.
  int shared_percent(std::size_t bytes) const;
};

[[noreturn]] void refuse_block();

/// Before each launch, as fabrics that are alike share a kernel.
template <class S>
void prepare_kernel(const Launch& launch) {
  cuda::allow_shared_memory(step_kernel<S>(), launch.shared_bytes);
  cuda::prefer_shared_memory(step_kernel<S>(), launch.shared_percent);
}

/// With at most so many threads, and these parts near as far as they fit. Throws
/// Error(environment) if a multiprocessor cannot run a block.
template <class S>
Launch plan_launch(const Fabric<S>& fabric, const DeviceLimits& limits,
                   int most_threads = kMostThreads, std::uint32_t may_be_near = ~0U) {
  const auto kernel = step_kernel<S>();
  const std::size_t state = block_state_bytes<S>();
  const std::size_t taken = state + cuda::attributes(kernel).sharedSizeBytes;
  const std::size_t room =
      limits.shared_bytes_per_block > taken ? limits.shared_bytes_per_block - taken : 0;
  Launch launch;
  launch.threads = std::min(most_threads, threads_of(fabric.tiles));
  launch.near = choose_near(fabric, room, may_be_near);
  launch.shared_bytes = state + bytes_of(fabric, launch.near);
  if (launch.shared_bytes > limits.shared_bytes_per_block) refuse_block();
  launch.shared_percent = limits.shared_percent(taken - state + launch.shared_bytes);
  prepare_kernel<S>(launch);
  if (cuda::blocks_per_multiprocessor(kernel, launch.threads, launch.shared_bytes) == 0)
    refuse_block();
  return launch;
}

}  // namespace weft::pe_kernel
