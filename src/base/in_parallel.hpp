#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/crew.hpp"

namespace weft::base {

/// f(i) for each i < count, in any order, by at most so many threads. Throws what one of them did.
template <class F>
void in_parallel(int threads, std::size_t count, F f) {
  Crew crew(static_cast<int>(
      std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1))));
  std::atomic<std::size_t> next{0};
  crew.run([&](int) {
    for (std::size_t i = next++; i < count; i = next++) f(i);
  });
}

}  // namespace weft::base
