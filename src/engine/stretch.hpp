#pragma once

#include <chrono>

/// Threads of a run wait for each other where few rows have work, or where other processes take
/// their CPUs. After each stretch of a run, all threads decide alike whether they go on together.
namespace weft::engine {

/// How the threads of a run spent a stretch of it.
struct Stretch {
  std::chrono::nanoseconds taken{};   ///< of the wall clock
  std::chrono::nanoseconds waited{};  ///< for each other: the sum of all threads
};

/// A thread that works alone does so for as many stretches, then all try again. Chosen: together
/// they may take twice as long as one, so that a try costs 3 % at most.
constexpr int kStretchesAlone = 32;

/// Whether the threads did the work of four thirds of one at least. Chosen: what they share, such
/// as caches, makes some of their work slower than one's.
inline bool work_pays(int threads, const Stretch& s) {
  return 3 * (threads * s.taken - s.waited) >= 4 * s.taken;
}

}  // namespace weft::engine
