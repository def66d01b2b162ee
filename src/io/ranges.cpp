#include "io/ranges.hpp"

#include <algorithm>

namespace weft::io {
namespace {

/// Adds a run; one that follows the last one makes that longer.
void add(std::vector<NumberRun>& runs, const NumberRun& run) {
  if (!runs.empty() && runs.back().first + runs.back().count == run.first &&
      runs.back().counted == run.counted)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

/// f(index) for each.
template <class F>
void for_indices(const Ranges& ranges, F f) {
  for (const auto& [first, last] : ranges)
    for (std::size_t index = first; index < last; ++index) f(index);
}

}  // namespace

RangesOfAxes ranges_of(const FftPart& part) {
  RangesOfAxes all{{{{0, part.shape.n0}}, {{0, part.shape.n1}}, {{0, part.shape.n2}}}};
  all[static_cast<std::size_t>(part.axis)] = part.ranges.front();
  return all;
}

std::size_t count_of(const Ranges& ranges) {
  std::size_t count = 0;
  for (const auto& [first, last] : ranges) count += last - first;
  return count;
}

bool has(const Ranges& ranges, std::size_t index) {
  return std::ranges::any_of(
      ranges, [&](const auto& range) { return range.first <= index && index < range.last; });
}

std::size_t count_before(const Ranges& ranges, std::size_t index) {
  std::size_t count = 0;
  for (const auto& [first, last] : ranges)
    if (first < index) count += std::min(last, index) - first;
  return count;
}

Ranges clipped(const Ranges& ranges, std::size_t first, std::size_t last) {
  Ranges inside;
  for (const FftPart::Range& range : ranges) {
    const std::size_t begin = std::max(range.first, first), end = std::min(range.last, last);
    if (begin < end) inside.push_back({begin - first, end - first});
  }
  return inside;
}

std::vector<NumberRun> runs_of(const RangesOfAxes& ranges, const Shape3& shape, int axis,
                               const std::vector<Ranges>& others) {
  const auto counted = [&](int of, std::size_t index) {
    return axis != of ||
           std::ranges::none_of(others, [&](const Ranges& those) { return has(those, index); });
  };
  std::vector<NumberRun> last;  // along the last axis
  if (axis == 2 && !others.empty())
    for_indices(ranges[2], [&](std::size_t k) { add(last, {k, 1, counted(2, k)}); });
  else
    for (const auto& [first, end] : ranges[2]) add(last, {first, end - first});
  std::vector<NumberRun> runs;
  for_indices(ranges[0], [&](std::size_t i) {
    const bool counts_i = counted(0, i);
    for_indices(ranges[1], [&](std::size_t j) {
      const bool counts = counts_i && counted(1, j);
      for (const NumberRun& run : last)
        add(runs, {(i * shape.n1 + j) * shape.n2 + run.first, run.count, counts && run.counted});
    });
  });
  return runs;
}

}  // namespace weft::io
