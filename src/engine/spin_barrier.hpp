#pragma once

#include <sched.h>

#include <atomic>

namespace weft::engine {

/// Spins before a waiting thread yields: a few microseconds; on a loaded machine more would only
/// burn the other's time.
inline constexpr int kSpins = 1000;

/// Where a fixed number of threads wait for each other, many times a millisecond: spins, then
/// yields.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void arrive_and_wait() {
    if (threads_ == 1) return;
    const unsigned round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins)
      if (spins > kSpins) sched_yield();
  }

 private:
  const int threads_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> round_{0};
};

}  // namespace weft::engine
