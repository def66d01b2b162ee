#pragma once

#include <atomic>
#include <chrono>

#include "base/awaited.hpp"

namespace weft::base {

/// Where a fixed number of threads wait for each other, many times a millisecond.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  /// Returns how long it waited.
  std::chrono::nanoseconds arrive_and_wait() {
    if (threads_ == 1) return {};
    const unsigned round = round_.get();
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.set(round + 1);
      return {};
    }
    return round_.wait_until([&](unsigned now) { return now != round; });
  }

 private:
  const int threads_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) Awaited<unsigned> round_{};
};

}  // namespace weft::base
