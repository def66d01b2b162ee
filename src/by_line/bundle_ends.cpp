#include <cstddef>
#include <cstdint>

#include "by_line/bundle_state.hpp"

/// Where a bundle's run has ended.
namespace weft::by_line {

using model::kNever;

/// The cycle up to which a strip is now; 0: it was not stepped.
std::uint64_t BundleState::end_of(std::size_t strip) const {
  return stopped_[strip] != kNever ? stopped_[strip] : stepped_until_[strip];
}

void BundleState::end_run(std::uint64_t end) {
  delay_lines_.end(view_, end);
  if (view_.counts == nullptr) return;
  counts_.end_run(view_, end);
  for (int strip = 0; strip < view_.rows; ++strip)
    if (const std::uint64_t of_strip = end_of(static_cast<std::size_t>(strip)); of_strip != 0)
      counts_.end_strip(view_, strip, of_strip);
}

}  // namespace weft::by_line
