#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "weft/processes.hpp"

namespace weft::base {

/// The processes that share a fabric; null: this one has all of it.
inline int process_count(const Processes* processes) {
  return processes == nullptr ? 1 : processes->size();
}

/// Of these, the most on one host.
inline int processes_on_a_host(const Processes* processes) {
  return processes == nullptr ? 1 : processes->most_on_a_host();
}

/// What each process gives, by rank. `all` has as many.
template <class T>
void gather_into(Processes& processes, const T& mine, std::vector<T>& all) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
  processes.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
}
template <class T>
std::vector<T> gathered(Processes& processes, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(processes.size()));
  gather_into(processes, mine, all);
  return all;
}

/// The greatest of what processes give; null: there is only this one, and what it gives.
template <class T>
T greatest(Processes* processes, const T& mine) {
  return processes == nullptr ? mine : std::ranges::max(gathered(*processes, mine));
}

/// Of numbers that all have as many of: those of one process after the other. `all` has room.
template <class T>
void gather_into(Processes& processes, const std::vector<T>& mine, std::vector<T>& all) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
  processes.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
}
template <class T>
std::vector<T> gathered(Processes& processes, const std::vector<T>& mine) {
  std::vector<T> all(mine.size() * static_cast<std::size_t>(processes.size()));
  gather_into(processes, mine, all);
  return all;
}

}  // namespace weft::base
