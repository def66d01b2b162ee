#include "by_line/bundle_counts.hpp"

#include <algorithm>
#include <span>

#include "by_line/bundle_state.hpp"
#include "by_line/stepped_strips.hpp"
#include "counting/cores.hpp"

namespace weft::by_line {
namespace {

using model::kLanes;
using model::kNever;
using model::Mask;
using model::StripCounts;
using model::View;

/// A type of this file's own, for what is counted between runs.
struct GivenLanes {
  static constexpr bool kLanesAlike = true;
};

/// What a strip keeps of each lane as bits.
constexpr Mask StripCounts::*kBits[] = {&StripCounts::data, &StripCounts::room, &StripCounts::open,
                                        &StripCounts::starting, &StripCounts::in_task};

/// A cycle of a PE's clock, by that of the bundle.
std::uint64_t later(std::uint64_t cycle, std::uint64_t lag) {
  return cycle == kNever ? kNever : cycle + lag;
}
std::uint64_t sooner(std::uint64_t cycle, std::uint64_t lag) {
  return cycle == kNever ? kNever : cycle - lag;
}

/// A side of a row's PEs, where the row is a line that runs south.
constexpr std::size_t side_of(bool rows, std::size_t port) {
  return rows && port < kLinks ? kLinks - 1 - port : port;
}

StripCounts& counts_of(const View& whole, const model::LaneAddress& at) {
  return whole.counts->strip[at.strip];
}

}  // namespace

void BundleCounts::begin(const View& whole, View& bundle, Bundle& of, std::size_t colors,
                         Mask all) {
  const auto strips = static_cast<std::size_t>(bundle.rows);
  strip_.assign(strips, {});
  tallies_.assign(colors, {});
  sums_.assign(colors, {});
  windows_.assign(whole.counts->windows != 0 ? strips : 0, {});
  rows_ = of.rows;
  const model::Phases& phases = whole.counts->phases;
  phases_.assign(phases.mark != nullptr ? strips : 0, {});
  phase_sums_.assign(phases_.size() * phases.phases, {});
  been_.assign(phase_sums_.size(), 0);
  waited_data_.assign(strips, 0);
  waited_room_.assign(strips, 0);
  from_.assign(strips, 0);
  line_rows_ = code_rows_ = 0;
  view_ = *whole.counts;
  view_.whole = whole.counts;
  view_.whole_strips = whole.strips;
  view_.all_lanes = all;
  view_.rows = of.rows;
  view_.line_numbers = of.lines;
  view_.clock_lag = of.clock_lag;
  view_.add_passed = &add_passed;
  view_.strip = strip_.data();
  view_.tallies = tallies_.data();
  view_.sums = sums_.data();
  view_.lane_windows = windows_.data();
  view_.phases.strip = phases_.data();
  view_.phases.sums = phase_sums_.data();
  view_.narrow = nullptr;
  view_.wide = nullptr;
  bundle.counts = &view_;
  of.place_counts = places_.data();
  refused_.assign(strips, 0);
  of.refused = refused_.data();
}

/// The rows of a strip's programs: lines and instructions.
void BundleCounts::find_rows(const View& whole, const LaneCopy& lanes, int strip) {
  StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  std::vector<ProgramRows> known;
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    if (!model::has(s.programmed, static_cast<int>(n))) continue;
    const model::LaneAddress at = lanes.addresses[n];
    const std::uint16_t number = whole.core[at.strip].program[at.lane];
    const model::TaskTable& program = whole.programs[number];
    auto rows = std::ranges::find(known, number, &ProgramRows::program);
    if (rows == known.end()) {
      known.push_back(
          {number, static_cast<std::uint32_t>(line_rows_),
           static_cast<std::uint32_t>(code_rows_ - static_cast<std::size_t>(program.first))});
      line_rows_ += whole.counts->lines_of[number];
      code_rows_ += static_cast<std::size_t>(program.last - program.first);
      rows = known.end() - 1;
    }
    s.first_line.at[n] = rows->lines;
    s.first_code.at[n] = rows->code;
  }
}

namespace {

/// What a PE has counted, by phase_row. (Tallies of the whole fabric are empty now.)
std::array<std::uint32_t, model::kPhaseRows> total_of(const View& whole,
                                                      const model::LaneAddress& at) {
  std::array<std::uint32_t, model::kPhaseRows> total{};
  const auto row = [&](Count count) -> std::uint32_t& {
    return total[static_cast<std::size_t>(model::phase_row(count))];
  };
  const StripCounts& s = counts_of(whole, at);
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
void BundleCounts::take_phases(const View& whole, const LaneCopy& lanes, int strip) {
  if (phases_.empty()) return;
  const auto index = static_cast<std::size_t>(strip);
  const model::Phases& all = whole.counts->phases;
  model::StripPhases& p = phases_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    const model::StripPhases& theirs = all.strip[at.strip];
    const Mask bit = model::lane_bit(static_cast<int>(n));
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
void BundleCounts::give_phases(const View& whole, const LaneCopy& lanes, int strip, bool rows) {
  if (phases_.empty()) return;
  const auto index = static_cast<std::size_t>(strip);
  const model::Phases& all = whole.counts->phases;
  const model::StripPhases& p = phases_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    model::StripPhases& theirs = all.strip[at.strip];
    const auto lane = static_cast<int>(n);
    const Mask bit = model::lane_bit(at.lane);
    theirs.phase.at[at.lane] = p.phase.at[n];
    theirs.since.at[at.lane] = p.since.at[n] - static_cast<std::uint32_t>(lanes.clock_lag[n]);
    const auto total = total_of(whole, at);
    for (std::size_t row = 0; row < model::kPhaseRows; ++row) {
      const std::size_t there = row_in_whole(rows, row);
      theirs.base[there].at[at.lane] = p.base[row].at[n] + total[there];
    }
    for (int u = 0; u < model::kMicrothreads; ++u) {
      theirs.known[u] =
          model::has(p.known[u], lane) ? theirs.known[u] | bit : theirs.known[u] & ~bit;
      theirs.of_stream[u].at[at.lane] = p.of_stream[u].at[n];
    }
    for (std::size_t phase = 0; phase < all.phases; ++phase) {
      const model::PhaseSums& from = phase_sums_[index * all.phases + phase];
      if (!model::has(from.been, lane)) continue;
      model::PhaseSums& to = all.sums[static_cast<std::size_t>(at.strip) * all.phases + phase];
      if (!model::has(been_[index * all.phases + phase], lane))
        to.first[at.lane] = from.first[n] - lanes.clock_lag[n];
      to.been |= bit;
      if (from.last[n] != 0)
        to.last[at.lane] = std::max(to.last[at.lane], from.last[n] - lanes.clock_lag[n]);
      to.cycles.at[at.lane] += from.cycles.at[n];
      for (std::size_t row = 0; row < model::kPhaseRows; ++row)
        to.count[row_in_whole(rows, row)].at[at.lane] += from.count[row].at[n];
    }
  }
}

/// What cores waited for before the first cycle that the bundle may step the strip in.
void BundleCounts::take_waits(const View& bundle, int strip,
                              const std::array<std::uint64_t, kLanes>& known) {
  const auto index = static_cast<std::size_t>(strip);
  const auto wait = [&](Mask taken, Count what) {
    model::for_each(taken, [&](int lane) {
      const std::uint64_t first = known[static_cast<std::size_t>(lane)];
      if (first < from_[index])
        counting::add_line_cycles<GivenLanes>(bundle, strip, model::series_of(what), lane, first,
                                              from_[index]);
    });
  };
  wait(waited_data_[index], Count::waits_data);
  wait(waited_room_[index], Count::waits_room);
}

void BundleCounts::take(const View& whole, const LaneCopy& lanes, int strip, std::uint64_t from,
                        const std::array<std::uint64_t, kLanes>& known) {
  const auto index = static_cast<std::size_t>(strip);
  StripCounts& s = strip_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    const StripCounts& theirs = counts_of(whole, at);
    const Mask bit = model::lane_bit(static_cast<int>(n));
    for (const auto bits : kBits)
      if (model::has(theirs.*bits, at.lane)) s.*bits |= bit;
    if (model::has(theirs.programmed, at.lane)) s.programmed |= bit;
    const std::uint64_t lag = lanes.clock_lag[n];
    s.since[n] = later(theirs.since[at.lane], lag);
    s.until[n] = later(theirs.until[at.lane], lag);
  }
  find_rows(whole, lanes, strip);
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    const StripCounts& theirs = counts_of(whole, at);
    const auto lag = static_cast<std::uint32_t>(lanes.clock_lag[n]);
    s.line.at[n] = theirs.line.at[at.lane] - theirs.first_line.at[at.lane] + s.first_line.at[n];
    s.code.at[n] = theirs.code.at[at.lane] - theirs.first_code.at[at.lane] + s.first_code.at[n];
    s.line_since.at[n] = theirs.line_since.at[at.lane] + lag;
    s.code_since.at[n] = theirs.code_since.at[at.lane] + lag;
  }
  waited_data_[index] = s.data;
  waited_room_[index] = s.room;
  from_[index] = s.settled = from;
  const auto wait = [&](Mask waits, Count what) {
    model::for_each(waits, [&](int lane) {
      s.sum[static_cast<int>(what)].at[lane] +=
          static_cast<std::uint32_t>(from - known[static_cast<std::size_t>(lane)]);
    });
  };
  wait(s.data, Count::waits_data);
  wait(s.room, Count::waits_room);
  take_phases(whole, lanes, strip);
}

void BundleCounts::begin_counting(const View& bundle) {
  lines_.assign(line_rows_, {});
  code_.assign(code_rows_, 0);
  lines_together_.assign(line_rows_, 0);
  view_.lines = lines_.data();
  view_.lines_together = lines_together_.data();
  view_.code = code_.data();
  each_delay_line(bundle, [&](DelayLine& r, int color) {
    OfColor& own = of_color_[static_cast<std::size_t>(color)];
    PlaceCounts& p = places_[static_cast<std::size_t>(color)] = {};
    const std::size_t words = whole_words(static_cast<std::size_t>(r.length)) / kLanes;
    own.tally.assign(words, {});
    own.total.assign(words * kLanes, 0);
    own.before.assign(static_cast<std::size_t>(r.length) * kLanes, 0);
    p.tally = own.tally.data();
    p.total = own.total.data();
    p.before = own.before.data();
  });
}

void BundleCounts::end_run(const View& bundle) {
  each_delay_line(bundle, [&](DelayLine& r, int color) {
    PlaceCounts& p = places_[static_cast<std::size_t>(color)];
    empty_places(r, p);
    if (view_.windows != 0) give_place_windows<GivenLanes>(bundle, r, p, r.all);
    for (int place = 0; place < r.length; ++place) {
      if (p.total[place] == 0) continue;
      const std::int32_t state = bundle.strip[r.strip(place)].color_state[color];
      tallies_[static_cast<std::size_t>(state)].all_left[static_cast<int>(r.out)] += p.total[place];
    }
  });
}

void BundleCounts::give_colors(const View& whole, const View& bundle, const LaneCopy& lanes,
                               int strip) {
  for (std::uint32_t rest = bundle.strip[strip].colors; rest != 0; rest &= rest - 1) {
    const int color = model::lowest(rest);
    const auto own = static_cast<std::size_t>(bundle.strip[strip].color_state[color]);
    const model::ColorTally& all = tallies_[own];
    const model::ColorSums& sums = sums_[own];
    for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
      const model::LaneAddress at = lanes.addresses[n];
      const std::int32_t there = whole.strip[at.strip].color_state[color];
      if (there < 0) continue;
      model::ColorSums& theirs = whole.counts->sums[there];
      for (std::size_t port = 0; port < kPorts; ++port)
        theirs.left[side_of(bundle.bundle->rows, port)].at[at.lane] +=
            sums.left[port].at[n] + all.all_left[port];
      theirs.held.at[at.lane] += sums.held.at[n] + all.all_held;
    }
  }
}

void BundleCounts::give_rows(const View& whole, const LaneCopy& lanes, int strip) {
  const StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  std::vector<std::uint16_t> given;
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    if (!model::has(s.programmed, static_cast<int>(n))) continue;
    const model::LaneAddress at = lanes.addresses[n];
    const StripCounts& theirs = counts_of(whole, at);
    const std::uint16_t number = whole.core[at.strip].program[at.lane];
    for (std::uint32_t line = 0; line < whole.counts->lines_of[number]; ++line)
      whole.counts->lines[theirs.first_line.at[at.lane] + line].at[at.lane] +=
          lines_[s.first_line.at[n] + line].at[n] + lines_together_[s.first_line.at[n] + line];
    if (std::ranges::find(given, number) != given.end()) continue;
    given.push_back(number);
    const model::TaskTable& program = whole.programs[number];
    for (auto pc = static_cast<std::uint32_t>(program.first);
         pc < static_cast<std::uint32_t>(program.last); ++pc)
      whole.counts->code[theirs.first_code.at[at.lane] + pc] += code_[s.first_code.at[n] + pc];
  }
}

void BundleCounts::give(const View& whole, const View& bundle, const LaneCopy& lanes, int strip,
                        const std::array<std::uint64_t, kLanes>& known, std::uint64_t end) {
  const auto index = static_cast<std::size_t>(strip);
  StripCounts& s = strip_[index];
  if (view_.windows != 0) take_waits(bundle, strip, known);
  counting::count_waits<GivenLanes>(bundle, strip, end);
  counting::part(s);
  s.all[static_cast<int>(Count::refused)] += refused_[index];
  counting::empty_tallies<GivenLanes>(bundle, strip);
  if (view_.windows != 0) counting::give_windows<GivenLanes>(bundle, strip, view_.all_lanes);

  give_phases(whole, lanes, strip, bundle.bundle->rows);
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    StripCounts& theirs = counts_of(whole, at);
    const Mask bit = model::lane_bit(at.lane);
    for (const auto bits : kBits)
      theirs.*bits =
          model::has(s.*bits, static_cast<int>(n)) ? theirs.*bits | bit : theirs.*bits & ~bit;
    const std::uint64_t lag = lanes.clock_lag[n];
    const auto cycles = static_cast<std::uint32_t>(lag);
    theirs.since[at.lane] = sooner(s.since[n], lag);
    theirs.until[at.lane] = sooner(s.until[n], lag);
    theirs.line.at[at.lane] = s.line.at[n] - s.first_line.at[n] + theirs.first_line.at[at.lane];
    theirs.code.at[at.lane] = s.code.at[n] - s.first_code.at[n] + theirs.first_code.at[at.lane];
    theirs.line_since.at[at.lane] = s.line_since.at[n] - cycles;
    theirs.code_since.at[at.lane] = s.code_since.at[n] - cycles;
    for (std::size_t count = 0; count < kCounts; ++count)
      if (!model::is_of_colors(static_cast<Count>(count)))
        theirs.sum[count].at[at.lane] += s.sum[count].at[n] + s.all[count];
  }
  give_colors(whole, bundle, lanes, strip);
  give_rows(whole, lanes, strip);
}

void settle_waits(const View& whole, const std::vector<std::uint64_t>& known, std::uint64_t cycle) {
  for (int y = 0; y < whole.height; ++y)
    for (int x = 0; x < whole.width; ++x) {
      const model::LaneAddress at = model::address_of(whole.strips, x, y);
      StripCounts& s = counts_of(whole, at);
      const std::uint64_t first =
          known[static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width) +
                static_cast<std::size_t>(x)];
      const auto wait = [&](Mask lanes, Count what) {
        if (!model::has(lanes, at.lane) || first == cycle) return;
        if (first > cycle) throw LinesMet{};  // it is not known what it waited for before
        s.sum[static_cast<int>(what)].at[at.lane] += static_cast<std::uint32_t>(cycle - first);
        if (whole.counts->windows != 0)
          counting::add_to_windows<GivenLanes>(*whole.counts, at.strip, model::series_of(what),
                                               at.lane, first, cycle);
      };
      wait(s.data, Count::waits_data);
      wait(s.room, Count::waits_room);
    }
  for (std::size_t strip = 0; strip < whole.strip_count(); ++strip)
    whole.counts->strip[strip].settled = cycle;
}

}  // namespace weft::by_line
