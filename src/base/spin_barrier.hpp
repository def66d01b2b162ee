#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/awaited.hpp"

namespace weft::base {

/// Where a fixed number of threads wait for each other, many times a millisecond.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  /// Returns how long it waited.
  std::chrono::nanoseconds arrive_and_wait() {
    if (threads_ == 1) return {};
    const std::uint64_t round = round_.get();
    if (round == kAbandoned) return {};
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.set(round + 1);
      return {};
    }
    return round_.wait_until([&](std::uint64_t now) { return now != round; });
  }

  /// By a thread that will not arrive any more: nobody waits here from now on.
  void abandon() { round_.set(kAbandoned); }
  bool abandoned() const { return round_.get() == kAbandoned; }

 private:
  static constexpr std::uint64_t kAbandoned = ~std::uint64_t{0};

  const int threads_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) Awaited<std::uint64_t> round_{};
};

}  // namespace weft::base
