#pragma once

#include "model/state/count_rows.hpp"
#include "pe/core_view.hpp"

/// What a PE has counted where it is asked to (docs/model.md, "What is counted"). What lasts, such
/// as a wavelet that is held, is noted when it begins and counted when it ends, as nobody steps a
/// PE while nothing changes in it.
namespace weft::pe {

/// Words of a PE's counts: totals by Count, then these. Cycles are modulo 2^32.
namespace row {
enum : std::uint32_t {
  held = kCounts,         ///< by reason: colors of which a wavelet is held ...
  held_since = held + 4,  ///< ... from this cycle on
  state,                  ///< of the core: a Count, plus 1; 0: idle ...
  state_since,            ///< ... from this cycle on
  instruction,            ///< of its program, that the task's cycles belong to, from this cycle on
  instruction_since,
  window_bits,  ///< a window has 2^n cycles
  phase,        ///< that the PE is in, from this cycle on
  phase_since,
  streams,  ///< microthreads that are there, a bit each, and their phases
  stream_phase,
  base = stream_phase + model::kMicrothreads,  ///< by phase_row: of these totals, not of the phase
  colors = base + model::kPhaseRows,           ///< wavelets by port, and cycles held, of each
};
inline constexpr std::uint32_t kOfColor = kPorts + 1;
}  // namespace row

/// Words of a phase: counts by phase_row, then these.
namespace phase_row {
enum : std::uint32_t {
  cycles = model::kPhaseRows,
  been,
  first,
  last = first + 2,
  count = last + 2
};
}  // namespace phase_row

/// One PE's counts.
struct PeCounts {
  const CountArrays* all;
  std::uint32_t* own;
  std::uint32_t n;

  /// Of arrays that are CountingArrays.
  WEFT_HD static PeCounts of(const CoreArrays* arrays, std::uint32_t n) {
    const CountArrays& all = static_cast<const CountingArrays*>(arrays)->counts;
    return {&all, CoreArrays::interleaved<std::size_t>(all.words, n, all.sizes.words), n};
  }
  WEFT_HD const CountSizes& sizes() const { return all->sizes; }
  WEFT_HD std::uint32_t& at(std::uint32_t row) const { return own[std::size_t{row} * kPatch]; }
  WEFT_HD std::uint32_t& total(Count count) const { return at(static_cast<std::uint32_t>(count)); }
  /// Wavelets by port, or cycles held (port kPorts).
  WEFT_HD std::uint32_t& of_color(int color, int port) const {
    return at(row::colors + static_cast<std::uint32_t>(color) * row::kOfColor +
              static_cast<std::uint32_t>(port));
  }
  WEFT_HD std::uint32_t& in_phase(std::uint32_t phase, std::uint32_t row) const {
    return at(sizes().phases + (phase - 1) * phase_row::count + row);
  }
  WEFT_HD std::uint32_t& in_window(std::uint32_t series, std::uint32_t window) const {
    return at(sizes().windows + series * sizes().windows_of_a_series + window);
  }
};

WEFT_HD PeCounts counts_of(CoreView c) { return PeCounts::of(c.arrays, c.n); }

/// The windows become twice as long.
WEFT_HD_RARE void double_windows(PeCounts c) {
  ++c.at(row::window_bits);
  const std::uint32_t windows = c.sizes().windows_of_a_series;
  for (std::uint32_t series = 0; series < model::kSeries; ++series)
    for (std::uint32_t to = 0; to < windows; ++to)
      c.in_window(series, to) =
          to < windows / 2 ? c.in_window(series, 2 * to) + c.in_window(series, 2 * to + 1) : 0;
}

/// The cycles from `first` to `end`, each so many, go to windows of a series.
WEFT_HD void add_to_windows(PeCounts c, std::uint32_t series, std::uint64_t first,
                            std::uint64_t end, std::uint32_t each) {
  const std::uint32_t windows = c.sizes().windows_of_a_series;
  if (windows == 0) return;
  while ((end - 1) >> c.at(row::window_bits) >= windows) double_windows(c);
  const std::uint32_t bits = c.at(row::window_bits);
  while (first < end) {
    const std::uint64_t window = first >> bits, next = (window + 1) << bits;
    const std::uint64_t to = end < next ? end : next;
    c.in_window(series, static_cast<std::uint32_t>(window)) +=
        static_cast<std::uint32_t>(to - first) * each;
    first = to;
  }
}

/// One more of a count that has no windows.
WEFT_HD void count_one(PeCounts c, Count count) { ++c.total(count); }

/// A wavelet of a color, by its number, leaves by a port.
WEFT_HD void add_left(PeCounts c, int color, int port, std::uint64_t cycle) {
  ++c.of_color(color, port);
  if (port == kRamp) return count_one(c, Count::delivered);
  count_one(c, count_of(static_cast<Port>(port)));
  constexpr int kFirst = model::series_of(Count::link_west);
  static_assert(model::series_of(Count::link_north) == kFirst + kLinks - 1);
  add_to_windows(c, static_cast<std::uint32_t>(kFirst + port), cycle, cycle + 1, 1);
}

/// Colors of which a wavelet is held, in the order of Count::held_link and the next ones.
struct Held {
  Colors link, room, ramp, rest;
};

/// What is held is counted up to a cycle.
WEFT_HD_RARE void count_held(PeCounts c, std::uint64_t cycle) {
  constexpr auto kFirst = static_cast<std::uint32_t>(Count::held_link);
  static_assert(static_cast<std::uint32_t>(Count::held_rest) == kFirst + 3);
  const std::uint64_t since = in_full(c.at(row::held_since), cycle);
  if (since >= cycle) return;
  c.at(row::held_since) = static_cast<std::uint32_t>(cycle);
  const auto cycles = static_cast<std::uint32_t>(cycle - since);
  Colors all = 0;
  for (std::uint32_t why = 0; why < 4; ++why) {
    const Colors colors = c.at(row::held + why);
    all |= colors;
    if (colors != 0) c.at(kFirst + why) += cycles * static_cast<std::uint32_t>(count(colors));
  }
  if (all == 0) return;
  const auto each = static_cast<std::uint32_t>(count(all));
  c.total(Count::held) += cycles * each;
  add_to_windows(c, model::series_of(Count::held), since, cycle, each);
  for (; all != 0; all &= all - 1U) c.of_color(lowest(all), kPorts) += cycles;
}

/// From this cycle on these are held.
WEFT_HD void note_held(PeCounts c, const Held& held, std::uint64_t cycle) {
  const auto is = [&](std::uint32_t why) -> std::uint32_t& { return c.at(row::held + why); };
  if (is(0) == held.link && is(1) == held.room && is(2) == held.ramp && is(3) == held.rest) return;
  count_held(c, cycle);
  is(0) = held.link;
  is(1) = held.room;
  is(2) = held.ramp;
  is(3) = held.rest;
  c.at(row::held_since) = static_cast<std::uint32_t>(cycle);
}

/// The core's state is counted up to a cycle. (Idle cycles are those that are left.)
WEFT_HD_RARE void count_state(PeCounts c, std::uint64_t cycle) {
  static_assert(static_cast<int>(Count::waits_room) == 3 &&
                model::series_of(Count::waits_room) == 3);  // each is the series of its number
  const std::uint64_t since = in_full(c.at(row::state_since), cycle);
  if (since >= cycle) return;
  c.at(row::state_since) = static_cast<std::uint32_t>(cycle);
  const std::uint32_t state = c.at(row::state);
  if (state == 0) return;
  c.at(state - 1) += static_cast<std::uint32_t>(cycle - since);
  add_to_windows(c, state - 1, since, cycle, 1);
}

/// From this cycle on the core is in this state.
WEFT_HD void note_state(PeCounts c, Count state, std::uint64_t cycle) {
  const std::uint32_t number = state == Count::idle ? 0 : static_cast<std::uint32_t>(state) + 1;
  if (c.at(row::state) == number) return;
  count_state(c, cycle);
  c.at(row::state) = number;
  c.at(row::state_since) = static_cast<std::uint32_t>(cycle);
}

/// The task's cycles up to this one belong to the instruction that they have belonged to.
WEFT_HD void count_instruction(PeCounts c, std::uint64_t cycle) {
  std::uint32_t& since = c.at(row::instruction_since);
  c.at(c.sizes().instructions + c.at(row::instruction)) +=
      static_cast<std::uint32_t>(cycle) - since;
  since = static_cast<std::uint32_t>(cycle);
}

}  // namespace weft::pe
