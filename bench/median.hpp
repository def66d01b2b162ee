#pragma once

#include <algorithm>
#include <vector>

namespace weft::bench {

/// The middle one of some numbers, at least one; of an even count, the upper of both.
inline double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

}  // namespace weft::bench
