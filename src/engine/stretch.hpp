#pragma once

#include <algorithm>
#include <chrono>

/// Threads of a run wait for each other where few rows have work, or where other processes take
/// their CPUs. After each stretch of a run, all threads decide alike whether they go on together.
namespace weft::engine {

/// How the threads of a run spent a stretch of it.
struct Stretch {
  std::chrono::nanoseconds taken{};   ///< of the wall clock
  std::chrono::nanoseconds waited{};  ///< for each other: the sum of all threads
};

/// For how many stretches a thread works alone before all try again, after a try that paid, or not,
/// and `before` stretches the last time (0: it never did). What disturbed one stretch is mostly
/// over in the next; where threads never pay, the tries become few. Chosen: together they may take
/// twice as long as one, so that a try of many costs 3 % at most.
inline int stretches_alone(int before, bool paid) {
  constexpr int kMost = 32;
  return paid || before == 0 ? 1 : std::min(4 * before, kMost);
}

/// Whether the threads did the work of four thirds of one at least. Chosen: what they share, such
/// as caches, makes some of their work slower than one's.
inline bool work_pays(int threads, const Stretch& s) {
  return 3 * (threads * s.taken - s.waited) >= 4 * s.taken;
}

}  // namespace weft::engine
