#include <algorithm>
#include <array>

#include "by_line/bundle_counts.hpp"

/// What a bundle counts by phase, and where it goes.
namespace weft::by_line {
namespace {

/// What a PE has counted, by phase_row. (Tallies of the whole fabric are empty now.)
std::array<std::uint32_t, model::kPhaseRows> total_of(const model::View& whole,
                                                      const model::LaneAddress& at) {
  std::array<std::uint32_t, model::kPhaseRows> total{};
  const auto row = [&](Count count) -> std::uint32_t& {
    return total[static_cast<std::size_t>(model::phase_row(count))];
  };
  const model::StripCounts& s = whole.counts->strip[at.strip];
  for (std::size_t count = 0; count < kCounts; ++count)
    if (model::kPhaseRowOf[count] >= 0) row(static_cast<Count>(count)) += s.sum[count].at[at.lane];
  for (std::uint32_t rest = whole.strip[at.strip].colors; rest != 0; rest &= rest - 1) {
    const model::ColorSums& sums =
        whole.counts->sums[whole.strip[at.strip].color_state[model::lowest(rest)]];
    for (int port = 0; port < kPorts; ++port) {
      const auto link = static_cast<Port>(port);
      row(link == Port::ramp ? Count::delivered : count_of(link)) += sums.left[port].at[at.lane];
    }
    row(Count::held) += sums.held.at[at.lane];
  }
  return total;
}

/// A row of the bundle's counts by phase, in the whole fabric, and the other way round.
constexpr std::size_t row_in_whole(bool rows, std::size_t row) {
  constexpr auto kFirst = static_cast<std::size_t>(model::phase_row(Count::link_west));
  constexpr auto kLast = static_cast<std::size_t>(model::phase_row(Count::link_north));
  static_assert(kLast == kFirst + kLinks - 1);
  return rows && row >= kFirst && row <= kLast ? kFirst + kLast - row : row;
}

}  // namespace

/// Of the phases that PEs are in, what is not added to them yet.
void BundleCounts::take_phases(const model::View& whole, const LaneCopy& lanes, int strip) {
  if (phases_.empty()) return;
  const auto index = static_cast<std::size_t>(strip);
  const model::Phases& all = whole.counts->phases;
  model::StripPhases& p = phases_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    const model::StripPhases& theirs = all.strip[at.strip];
    const model::Mask bit = model::lane_bit(static_cast<int>(n));
    p.marks.at[n] = theirs.marks.at[at.lane];
    p.phase.at[n] = theirs.phase.at[at.lane];
    p.since.at[n] = theirs.since.at[at.lane] + static_cast<std::uint32_t>(lanes.clock_lag[n]);
    const auto total = total_of(whole, at);
    for (std::size_t row = 0; row < model::kPhaseRows; ++row) {
      const std::size_t there = row_in_whole(rows_, row);
      p.base[row].at[n] = theirs.base[there].at[at.lane] - total[there];
    }
    for (int u = 0; u < model::kMicrothreads; ++u) {
      if (model::has(theirs.known[u], at.lane)) p.known[u] |= bit;
      p.of_stream[u].at[n] = theirs.of_stream[u].at[at.lane];
    }
    for (std::size_t phase = 0; phase < all.phases; ++phase) {
      const std::size_t there = static_cast<std::size_t>(at.strip) * all.phases + phase;
      if (model::has(all.sums[there].been, at.lane)) been_[index * all.phases + phase] |= bit;
    }
  }
  for (std::size_t phase = 0; phase < all.phases; ++phase)
    phase_sums_[index * all.phases + phase].been = been_[index * all.phases + phase];
}

/// Before sums go back.
void BundleCounts::give_phases(const model::View& whole, const LaneCopy& lanes, int strip,
                               bool rows) {
  if (phases_.empty()) return;
  const auto index = static_cast<std::size_t>(strip);
  const model::Phases& all = whole.counts->phases;
  const model::StripPhases& p = phases_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    model::StripPhases& theirs = all.strip[at.strip];
    const int lane = lanes.lanes[n];
    const model::Mask bit = model::lane_bit(at.lane);
    theirs.phase.at[at.lane] = p.phase.at[lane];
    theirs.since.at[at.lane] = p.since.at[lane] - static_cast<std::uint32_t>(lanes.clock_lag[n]);
    const auto total = total_of(whole, at);
    for (std::size_t row = 0; row < model::kPhaseRows; ++row) {
      const std::size_t there = row_in_whole(rows, row);
      theirs.base[there].at[at.lane] = p.base[row].at[lane] + total[there];
    }
    for (int u = 0; u < model::kMicrothreads; ++u) {
      theirs.known[u] =
          model::has(p.known[u], lane) ? theirs.known[u] | bit : theirs.known[u] & ~bit;
      theirs.of_stream[u].at[at.lane] = p.of_stream[u].at[lane];
    }
    for (std::size_t phase = 0; phase < all.phases; ++phase) {
      const model::PhaseSums& from = phase_sums_[index * all.phases + phase];
      if (!model::has(from.been, lane)) continue;
      model::PhaseSums& to = all.sums[static_cast<std::size_t>(at.strip) * all.phases + phase];
      if (!model::has(been_[index * all.phases + phase], lane))
        to.first[at.lane] = from.first[lane] - lanes.clock_lag[n];
      to.been |= bit;
      if (from.last[lane] != 0)
        to.last[at.lane] = std::max(to.last[at.lane], from.last[lane] - lanes.clock_lag[n]);
      to.cycles.at[at.lane] += from.cycles.at[lane];
      for (std::size_t row = 0; row < model::kPhaseRows; ++row)
        to.count[row_in_whole(rows, row)].at[at.lane] += from.count[row].at[lane];
    }
  }
}

}  // namespace weft::by_line
