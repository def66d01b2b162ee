#include "fabric/stepper/profile_windows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/in_parallel.hpp"
#include "base/pages.hpp"
#include "fabric/profile/sums.hpp"

namespace weft::fabric {
namespace {

using model::kLanes, model::kSeries, model::StripCounts;

/// A strip has its windows beside each other, the profile a window of all PEs: a few are brought
/// over at a time.
constexpr std::size_t kTogether = 8;  // chosen: a strip has a KiB of them

using Lanes = std::vector<PlacedLane>;
using Plane = std::span<std::uint32_t>;

template <class Number>
void add_lanes(const Number* numbers, const Lanes& lanes, Plane plane) {
  using model::kStripHeight, model::kStripWidth;
  if (lanes.size() < kLanes) {
    for (const PlacedLane& at : lanes) plane[at.place] += numbers[at.lane];
    return;
  }
  // Of a whole strip, lanes go column by column (model::address_of), and places row by row.
  for (std::size_t y = 0; y < kStripHeight; ++y) {
    std::uint32_t* const row = plane.data() + lanes[y * kStripWidth].place;
    for (std::size_t x = 0; x < kStripWidth; ++x) row[x] += numbers[x * kStripHeight + y];
  }
}

/// A series of a strip, in a window of the profile, which has 2^bits cycles. (A strip that has been
/// silent since has shorter windows than others.)
void add_window(const CountsState& c, std::size_t strip, std::size_t series, std::size_t window,
                std::uint32_t bits, const Lanes& lanes, Plane plane) {
  const std::size_t windows = c.view.windows, row = strip * kSeries + series;
  const StripCounts& from = c.strip[strip];
  const std::uint32_t shorter = bits - from.window_bits;
  const std::size_t first = window << shorter,
                    end = std::min<std::size_t>((window + 1) << shorter, windows);
  const PackedCounts& past = c.past[row];
  for (std::size_t own = first; own < end; ++own) {
    if (own < from.packed && own * kLanes < past.size()) {
      std::array<std::uint32_t, kLanes> numbers;
      past.read(own * kLanes, numbers);
      add_lanes(numbers.data(), lanes, plane);
    }
    const std::size_t at = (row * windows + own) * kLanes;
    if ((from.wide >> series & 1U) != 0)
      add_lanes(c.wide.data() + at, lanes, plane);
    else
      add_lanes(c.narrow.data() + at, lanes, plane);
  }
}

PackedCounts windows_of(const CountsState& c, std::size_t series, const Profile& p,
                        const std::vector<Lanes>& lanes) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(p.window_cycles));
  const auto windows = static_cast<std::size_t>(p.windows);
  const std::size_t pes = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
  std::vector<std::uint32_t> planes(std::min(kTogether, windows) * pes);
  PackedCounts all;
  for (std::size_t first = 0; first < windows; first += kTogether) {
    const std::size_t count = std::min(kTogether, windows - first);
    std::ranges::fill(planes, 0U);
    for (std::size_t strip = 0; strip < c.strip.size(); ++strip) {
      if ((c.strip[strip].used >> series & 1U) == 0) continue;  // its memory stays untouched
      for (std::size_t n = 0; n < count; ++n)
        add_window(c, strip, series, first + n, bits, lanes[strip],
                   Plane(planes).subspan(n * pes, pes));
    }
    all.append(Plane(planes).first(count * pes));
  }
  return all;
}

/// A series that is in the profile.
void release_windows(CountsState& c, std::size_t series) {
  const std::size_t numbers = std::size_t{c.view.windows} * kLanes;
  for (std::size_t strip = 0; strip < c.strip.size(); ++strip) {
    if ((c.strip[strip].used >> series & 1U) == 0) continue;
    const std::size_t row = strip * kSeries + series;
    base::forget(c.narrow.data() + row * numbers, numbers);
    base::forget(c.wide.data() + row * numbers, numbers);
    c.past[row] = {};
  }
}

}  // namespace

void fill_windows(State& s, const std::vector<Lanes>& lanes, bool taken, int threads, Profile& p) {
  CountsState& c = *s.counts;
  if (c.view.windows == 0) return;
  begin_windows(p, c.view.windows);
  base::in_parallel(threads, kSeries, [&](std::size_t series) {
    p.windowed[index_of(model::kCountOf[series])] = windows_of(c, series, p, lanes);
    if (taken) release_windows(c, series);
  });
}

}  // namespace weft::fabric
