#include "by_line/line_clocks.hpp"

#include <algorithm>

#include "counting/line_windows.hpp"

namespace weft::by_line {
namespace {

/// The end of the window that begins with a cycle of the bundle, or has it.
std::uint64_t window_end(const model::LineInLane& line, std::uint32_t windows,
                         std::uint64_t cycle) {
  const std::uint64_t own = cycle > line.clock_lag ? cycle - line.clock_lag : 0;
  const std::uint64_t length = counting::window_length(windows, own);
  return (own | (length - 1)) + 1 + line.clock_lag;
}

}  // namespace

void LineClocks::begin(std::span<const model::LineInLane> lines, std::uint32_t windows,
                       std::uint64_t first) {
  lines_ = lines;
  windows_ = windows;
  known_.clear();
  next_.clear();
  next_.reserve(lines.size());
  for (const model::LineInLane& line : lines) next_.push_back(window_end(line, windows, first));
  ends_ = {{nullptr, 0, [](model::WindowEnds& of) { static_cast<Ends&>(of).owner->find_more(); }},
           this};
}

/// Of each line, those within some windows from the next one on.
void LineClocks::find_more() {
  constexpr std::uint64_t kWindows = 8;
  const auto soonest = std::ranges::min_element(next_);
  const model::LineInLane& first = lines_[static_cast<std::size_t>(soonest - next_.begin())];
  const std::uint64_t length = counting::window_length(windows_, *soonest - first.clock_lag);
  const std::uint64_t until = *soonest + kWindows * length;
  const auto before = static_cast<std::ptrdiff_t>(known_.size());
  for (std::size_t line = 0; line < next_.size(); ++line)
    for (; next_[line] <= until; next_[line] = window_end(lines_[line], windows_, next_[line]))
      known_.push_back({next_[line], line});
  std::ranges::sort(known_.begin() + before, known_.end(), {}, &model::WindowEnd::cycle);
  ends_.end = known_.data();
  ends_.known = known_.size();
}

}  // namespace weft::by_line
