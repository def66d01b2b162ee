#include "by_line/bundle_counts.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "by_line/delay_line_state.hpp"
#include "by_line/given_lanes.hpp"
#include "by_line/stepped_strips.hpp"
#include "counting/cores.hpp"

namespace weft::by_line {
namespace {

using model::kLanes;
using model::kNever;
using model::Mask;
using model::StripCounts;
using model::View;

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

/// Nothing is counted of lines before this cycle.
std::uint64_t first_counted(std::span<const std::array<std::uint64_t, kLanes>> known, Mask lanes) {
  std::uint64_t least = kNever;
  for (const std::array<std::uint64_t, kLanes>& strip : known)
    model::for_each(
        lanes, [&](int lane) { least = std::min(least, strip[static_cast<std::size_t>(lane)]); });
  return least;
}

StripCounts& counts_of(const View& whole, const model::LaneAddress& at) {
  return whole.counts->strip[at.strip];
}

}  // namespace

void BundleCounts::begin(const View& whole, View& bundle, Bundle& of, std::size_t colors, Mask all,
                         std::vector<model::LineInLane> lines) {
  const auto strips = static_cast<std::size_t>(bundle.rows);
  strip_.assign(strips, {});
  tallies_.assign(colors, {});
  sums_.assign(colors, {});
  windows_.assign(whole.counts->windows != 0 ? strips : 0, {});
  lines_in_ = std::move(lines);
  const bool one_clock = std::ranges::all_of(
      lines_in_, [](const model::LineInLane& line) { return line.clock_lag == 0; });
  const bool own_clocks = !one_clock && whole.counts->windows != 0;
  alike_.assign(one_clock ? strips * model::kSeries * whole.counts->windows : 0, 0);
  given_.assign(own_clocks ? strips * lines_in_.size() : 0, {});
  rows_ = of.rows;
  const model::Phases& phases = whole.counts->phases;
  phases_.assign(phases.mark != nullptr ? strips : 0, {});
  phase_sums_.assign(phases_.size() * phases.phases, {});
  been_.assign(phase_sums_.size(), 0);
  waited_data_.assign(strips, 0);
  waited_room_.assign(strips, 0);
  from_.assign(strips, 0);
  known_.assign(strips, {});
  line_rows_ = code_rows_ = 0;
  view_ = *whole.counts;
  view_.whole = whole.counts;
  view_.whole_strips = whole.strips;
  view_.all_lanes = all;
  view_.rows = of.rows;
  view_.lines_in = lines_in_.data();
  view_.line_count = lines_in_.size();
  view_.stands_for = of.stands_for;
  view_.window_ends = own_clocks ? &clocks_.ends() : nullptr;
  view_.given = given_.data();
  view_.add_passed = &add_passed;
  view_.strip = strip_.data();
  view_.tallies = tallies_.data();
  view_.sums = sums_.data();
  view_.lane_windows = windows_.data();
  view_.alike = alike_.empty() ? nullptr : alike_.data();
  view_.phases.strip = phases_.data();
  view_.phases.sums = phase_sums_.data();
  view_.narrow = nullptr;
  view_.wide = nullptr;
  view_.past = view_.past_lines = nullptr;
  bundle.counts = &view_;
  of.place_counts = places_.data();
  refused_.assign(strips, 0);
  of.refused = refused_.data();
}

void BundleCounts::take(const View& whole, const LaneCopy& lanes, int strip, std::uint64_t from,
                        const std::array<std::uint64_t, kLanes>& known) {
  const auto index = static_cast<std::size_t>(strip);
  StripCounts& s = strip_[index];
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    const StripCounts& theirs = counts_of(whole, at);
    const Mask bit = model::lane_bit(static_cast<int>(n));
    for (const auto bits : kCountBits)
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
  known_[index] = known;
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
  if (view_.window_ends != nullptr)
    clocks_.begin(lines_in_, view_.windows, first_counted(known_, view_.all_lanes));
  each_delay_line(bundle, [&](DelayLine& r, int color) {
    OfColor& own = of_color_[static_cast<std::size_t>(color)];
    PlaceCounts& p = places_[static_cast<std::size_t>(color)] = {};
    const std::size_t words = whole_words(static_cast<std::size_t>(r.length)) / kLanes;
    own.tally.assign(words, {});
    own.total.assign(words * kLanes, 0);
    own.before.assign(static_cast<std::size_t>(r.length) * lines_in_.size(), 0);
    p.tally = own.tally.data();
    p.total = own.total.data();
    p.before = own.before.data();
  });
}

void BundleCounts::end_run(const View& bundle, std::uint64_t end) {
  each_delay_line(bundle, [&](DelayLine& r, int color) {
    PlaceCounts& p = places_[static_cast<std::size_t>(color)];
    empty_places(r, p);
    if (view_.windows != 0) end_place_windows<GivenLanes>(bundle, r, p, end);
    for (int place = 0; place < r.length; ++place) {
      if (p.total[place] == 0) continue;
      const std::int32_t state = bundle.strip[r.strip(place)].color_state[color];
      tallies_[static_cast<std::size_t>(state)].all_left[static_cast<int>(r.out)] += p.total[place];
    }
  });
}

/// Tasks have had the cycles up to `end`, and what was counted in phases is theirs: from there on
/// lines in one state count alike, whatever each has done before.
void BundleCounts::settle_tasks(const View& bundle, int strip, std::uint64_t end) {
  StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  const model::CoreState& core = bundle.core[strip];
  counting::settle_computing<GivenLanes>(bundle, strip, view_.all_lanes, end);
  model::for_each(s.in_task, [&](int lane) {
    // A core that waits for others goes on at a cycle that is past.
    const bool waits = model::has(model::in_code(core), lane) && core.wake[lane] < end;
    const std::uint64_t known = waits ? core.wake[lane] : end;
    const auto is_past = [&](std::uint32_t since) {  // cores may be ahead
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(known) - since) > 0;
    };
    if (is_past(s.code_since.at[lane])) counting::end_instruction(bundle, s, lane, known);
    if (!is_past(s.line_since.at[lane])) return;
    counting::end_line(bundle, s, lane, known);
    if (!phases_.empty())
      counting::note_last(bundle, strip, lane,
                          phases_[static_cast<std::size_t>(strip)].phase.at[lane], end - 1);
  });
}

void BundleCounts::end_strip(const View& bundle, int strip, std::uint64_t end) {
  const auto index = static_cast<std::size_t>(strip);
  StripCounts& s = strip_[index];
  const bool own_clocks = view_.window_ends != nullptr;
  if (own_clocks) counting::counts_at<GivenLanes>(bundle, strip, end);
  if (view_.windows != 0) take_waits(bundle, strip);
  counting::count_waits<GivenLanes>(bundle, strip, end);
  counting::part(s);
  counting::leave_group(s);
  s.all[static_cast<int>(Count::refused)] += refused_[index];
  settle_tasks(bundle, strip, end);
  counting::empty_tallies<GivenLanes>(bundle, strip);
  if (own_clocks)
    counting::leave_windows<GivenLanes>(bundle, strip, end);
  else if (view_.windows != 0)
    counting::give_windows<GivenLanes>(bundle, strip);
  if (view_.alike != nullptr) counting::give_alike<GivenLanes>(bundle, strip);
  counting::settle_phases<GivenLanes>(bundle, strip, end);
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
            sums.left[port].at[lanes.lanes[n]] + all.all_left[port];
      theirs.held.at[at.lane] += sums.held.at[lanes.lanes[n]] + all.all_held;
    }
  }
}

void BundleCounts::give(const View& whole, const View& bundle, const LaneCopy& lanes, int strip) {
  const StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  give_phases(whole, lanes, strip, bundle.bundle->rows);
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    const model::LaneAddress at = lanes.addresses[n];
    StripCounts& theirs = counts_of(whole, at);
    const Mask bit = model::lane_bit(at.lane);
    const int lane = lanes.lanes[n];
    for (const auto bits : kCountBits)
      theirs.*bits = model::has(s.*bits, lane) ? theirs.*bits | bit : theirs.*bits & ~bit;
    theirs.soonest = 0;  // to be looked at
    const std::uint64_t lag = lanes.clock_lag[n];
    const auto cycles = static_cast<std::uint32_t>(lag);
    theirs.since[at.lane] = sooner(s.since[lane], lag);
    theirs.until[at.lane] = sooner(s.until[lane], lag);
    theirs.line.at[at.lane] =
        s.line.at[lane] - s.first_line.at[lane] + theirs.first_line.at[at.lane];
    theirs.code.at[at.lane] =
        s.code.at[lane] - s.first_code.at[lane] + theirs.first_code.at[at.lane];
    theirs.line_since.at[at.lane] = s.line_since.at[lane] - cycles;
    theirs.code_since.at[at.lane] = s.code_since.at[lane] - cycles;
    for (std::size_t count = 0; count < kCounts; ++count)
      if (!model::is_of_colors(static_cast<Count>(count)))
        theirs.sum[count].at[at.lane] += s.sum[count].at[lane] + s.all[count];
  }
  give_colors(whole, bundle, lanes, strip);
  give_rows(whole, lanes, strip);
}

}  // namespace weft::by_line
