#pragma once

#include "pe/core.hpp"

/// When a PE has something to do again: facts for the clock.
namespace weft::pe {

/// The next cycle in which something arrives at the end of a ramp.
WEFT_HD std::uint64_t next_arrival(const Ramp& ramp, std::uint64_t now) {
  if (!ramp.way.any()) return model::kNever;
  std::uint64_t cycle = now + 1;
  while (ramp.way.at(cycle) == 0) ++cycle;
  return cycle;
}

/// Neighbours have done something in the cycle. To be asked when they have been stepped, too.
template <class S>
WEFT_HD bool has_news(Pe<S> pe, const Now& now) {
  const Inbox<S>& box = pe.inbox(now.parity);
  std::uint32_t any = 0;
  for (int side = 0; side < kLinks; ++side) any |= box.came[side] | box.left[side] | box.note[side];
  return any != 0;
}

/// The next cycle, after one that was stepped, that must not be jumped over.
template <class S>
WEFT_HD std::uint64_t next_due(Pe<S> pe, const Now& now) {
  const Core& core = pe.core();
  const bool busy = core.has(Did::moved) || core.has(Did::will) || core.has(Did::again);
  if (busy || has_news(pe, now)) return now.cycle + 1;
  std::uint64_t due = next_arrival(pe.to_core(), now.cycle);
  model::earlier(due, next_arrival(pe.to_router(), now.cycle));
  if (core.running && !core.waiting) model::earlier(due, in_full(core.due, now.cycle));
  if (core.starting != 0) model::earlier(due, in_full(core.first, now.cycle));
  return due > now.cycle ? due : now.cycle + 1;
}

}  // namespace weft::pe
