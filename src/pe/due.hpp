#pragma once

#include "pe/ahead.hpp"
#include "pe/step.hpp"

/// When a PE has something to do again: facts for the clock.
namespace weft::pe {

/// No PE looks further ahead: cycles are modulo 2^32.
inline constexpr std::uint32_t kFarAhead = 1U << 30U;

/// Cycles until something arrives at an end of the ramp, or a time of the core comes; kFarAhead:
/// nothing does.
template <class S>
WEFT_HD std::uint32_t cycles_to_time(Pe<S> pe, std::uint32_t now) {
  const Core& core = pe.core();
  const auto ahead = [now](std::uint32_t cycle) { return static_cast<std::int32_t>(cycle - now); };
  auto soonest = static_cast<std::int32_t>(kFarAhead);
  const auto look = [&](std::int32_t cycles) { soonest = cycles < soonest ? cycles : soonest; };
  const unsigned arrival =
      cycles_to_arrival(core.ramp[0].in_flight, core.ramp[1].in_flight, now + 1);
  if (arrival != model::kDelaySlots) look(static_cast<std::int32_t>(1 + arrival));
  if (core.goes_on())
    look(ahead(core.due) <= 0 ? ahead(latest(core_of(pe, now))) : ahead(core.due));
  if (core.starting != 0) look(ahead(core.first));
  return soonest > 1 ? static_cast<std::uint32_t>(soonest) : 1;
}

/// Cycles until a PE that was stepped has something to do, if its neighbours do nothing.
template <class S>
WEFT_HD std::uint32_t cycles_alone(Pe<S> pe, std::uint32_t now) {
  constexpr std::uint32_t kBusy = bits(Did::moved) | bits(Did::will) | bits(Did::again);
  return (pe.core().did & kBusy) != 0 ? 1 : cycles_to_time(pe, now);
}

/// The cycle that is so far ahead.
WEFT_HD std::uint64_t cycle_in(std::uint32_t cycles, std::uint64_t now) {
  return cycles < kFarAhead ? now + cycles : model::kNever;
}

/// The next cycle in which a PE has work that comes by itself. `now`: the last that was stepped.
template <class S>
WEFT_HD std::uint64_t next_timed(Pe<S> pe, std::uint64_t now) {
  const CoreView c = core_of(pe, now);
  const Core& core = c.near();
  if (core.has(Did::again)) return now + 1;
  const Colors room = room_for_core(pe, pe.router());
  for (std::uint32_t seen = pe.to_router().ready; seen != 0; seen &= seen - 1U) {
    const std::uint8_t color = pe.rules().number[pe.marks_out().color[lowest(seen)]];
    if (color != kNone && (room >> color & 1U) != 0) return now + 1;
  }
  for (std::uint32_t rest = core.live & ~std::uint32_t{core.starting}; rest != 0; rest &= rest - 1U)
    if (acts(c, lowest(rest))) return now + 1;
  return cycle_in(cycles_to_time(pe, static_cast<std::uint32_t>(now)), now);
}

/// The next cycle in which it has wavelets at open inputs, perhaps stuck. `parity`: of the last
/// cycle that was stepped, in which all neighbours have been.
template <class S>
WEFT_HD std::uint64_t next_polled(Pe<S> pe, unsigned parity, std::uint64_t now) {
  using Ports = typename S::Ports;
  const Router<S>& r = pe.router();
  const Ports held = r.held.nonzero() | Ports::of_links(pe.inbox(parity).came);
  return (held & r.rx & ~Ports::every(r.marked(Mark::torn_down))).any() ? now + 1 : model::kNever;
}

}  // namespace weft::pe
