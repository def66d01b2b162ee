#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>

namespace weft::base {

/// A number that one thread stores and others wait for: they spin, then sleep in the kernel. They
/// do not yield: beside other processes, each yield gives away the rest of a time slice.
///
/// All accesses are sequentially consistent. So a thread that stores sees that another goes to
/// sleep, or that other sees what was stored.
template <typename Number>
class Awaited {
 public:
  Number get() const { return number_.load(); }

  /// Calls the kernel only if a thread sleeps.
  void set(Number number) {
    number_.store(number);
    if (sleep_.load() % 2 == 0) return;
    sleep_.fetch_add(1);
    futex(FUTEX_WAKE_PRIVATE, INT_MAX);
  }

  /// Returns when enough(number): how long that took, if it was not so at once.
  template <typename Enough>
  std::chrono::nanoseconds wait_until(const Enough& enough) {
    if (enough(get())) return {};
    const auto start = std::chrono::steady_clock::now();
    wait(enough);
    return std::chrono::steady_clock::now() - start;
  }

 private:
  template <typename Enough>
  void wait(const Enough& enough) {
    for (int spins = 0; spins < kSpins; ++spins)
      if (enough(get())) return;
    for (;;) {
      const std::uint32_t sleep = sleep_.fetch_or(1) | 1;
      if (enough(get())) return;
      futex(FUTEX_WAIT_PRIVATE, sleep);  // returns at once if this sleep is over
    }
  }

  /// Some 15 us: most waits are shorter than to sleep and wake. With 5,000, a transform of n = 64
  /// not by line took 0.68 s on two threads instead of 0.56 s. Under ThreadSanitizer, a spin takes
  /// longer.
#ifdef __SANITIZE_THREAD__
  static constexpr int kSpins = 200;
#else
  static constexpr int kSpins = 20'000;
#endif

  void futex(int operation, std::uint32_t value) {
    static_assert(sizeof sleep_ == 4);  // as the kernel reads it
    syscall(SYS_futex, &sleep_, operation, value, nullptr, nullptr, 0);
  }

  std::atomic<Number> number_{0};
  /// Odd: threads may sleep. Each waking ends a sleep and makes it even. A sleep has a number of
  /// its own, so that a thread late to go to sleep does not join the next one.
  std::atomic<std::uint32_t> sleep_{0};
};

}  // namespace weft::base
