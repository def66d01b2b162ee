#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <system_error>
#include <vector>

namespace weft::fft {

/// f(i) for each i < count, in any order, by at most so many threads. Throws what one of them did.
template <class F>
void in_parallel(int threads, std::size_t count, F f) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) f(i);
  };
  std::vector<std::future<void>> others;
  const std::size_t most = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
  try {
    for (std::size_t thread = 1; thread < most; ++thread)
      others.push_back(std::async(std::launch::async, work));
  } catch (const std::system_error&) {  // the system refuses more
  }
  work();
  for (std::future<void>& other : others) other.get();
}

}  // namespace weft::fft
