#pragma once

#include "pe/ahead.hpp"
#include "pe/step.hpp"

/// When a PE has something to do again: facts for the clock.
namespace weft::pe {

/// The next cycle in which something arrives at the end of a ramp.
WEFT_HD std::uint64_t next_arrival(const Ramp& ramp, std::uint64_t now) {
  if (!ramp.in_flight.any()) return model::kNever;
  return now + 1 + ramp.in_flight.cycles_from(now + 1);
}

/// Neighbours have done something in the cycle. To be asked when they have been stepped, too.
template <class S>
WEFT_HD bool has_news(Pe<S> pe, const Now& now) {
  using Ports = typename S::Ports;
  const Inbox<S>& box = pe.inbox(now.parity);
  const bool moved = (Ports::of_links(box.came) | Ports::of_links(box.left)).any();
  return moved | (word_of(box.note) != 0);  // no branches
}

/// The next cycle in which something arrives at an end of the ramp, or a time of the core comes.
template <class S>
WEFT_HD std::uint64_t next_time(Pe<S> pe, std::uint64_t now) {
  const Core& core = pe.core();
  std::uint64_t due = next_arrival(pe.to_core(), now);
  model::earlier(due, next_arrival(pe.to_router(), now));
  if (core.goes_on())
    model::earlier(due, reached(core.due, now) ? latest(core_of(pe, now)) : in_full(core.due, now));
  if (core.starting != 0) model::earlier(due, in_full(core.first, now));
  return due > now ? due : now + 1;
}

/// The next cycle in which a PE that was stepped has something to do, if its neighbours do nothing.
template <class S>
WEFT_HD std::uint64_t next_alone(Pe<S> pe, std::uint64_t now) {
  const Core& core = pe.core();
  const bool busy = core.has(Did::moved) || core.has(Did::will) || core.has(Did::again);
  return busy ? now + 1 : next_time(pe, now);
}

/// The next cycle, after one that was stepped, that must not be jumped over.
template <class S>
WEFT_HD std::uint64_t next_due(Pe<S> pe, const Now& now) {
  return has_news(pe, now) ? now.cycle + 1 : next_alone(pe, now.cycle);
}

/// The next cycle in which a PE has work that comes by itself. `now`: the last that was stepped.
template <class S>
WEFT_HD std::uint64_t next_timed(Pe<S> pe, std::uint64_t now) {
  const CoreView c = core_of(pe, now);
  const Core& core = c.near();
  if (core.has(Did::again)) return now + 1;
  const Colors room = room_for_core(pe, pe.router());
  for (std::uint32_t seen = pe.to_router().seen.nonzero(); seen != 0; seen &= seen - 1U) {
    const std::uint8_t color = pe.rules().number[pe.marks_out().color[lowest(seen)]];
    if (color != kNone && (room >> color & 1U) != 0) return now + 1;
  }
  for (std::uint32_t rest = core.live & ~std::uint32_t{core.starting}; rest != 0; rest &= rest - 1U)
    if (acts(c, lowest(rest))) return now + 1;
  return next_time(pe, now);
}

/// The next cycle in which it has wavelets at open inputs, perhaps stuck. `parity`: of the last
/// cycle that was stepped, in which all neighbours have been.
template <class S>
WEFT_HD std::uint64_t next_polled(Pe<S> pe, unsigned parity, std::uint64_t now) {
  using Ports = typename S::Ports;
  const Router<S>& r = pe.router();
  const Ports held = r.held.nonzero() | Ports::of_links(pe.inbox(parity).came);
  return (held & r.rx & ~Ports::every(r.torn_down)).any() ? now + 1 : model::kNever;
}

}  // namespace weft::pe
