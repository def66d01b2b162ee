#pragma once

#include "pe/due.hpp"

/// Between a cycle in which a PE did something and a jump of the clock.
namespace weft::pe {

/// The clock may jump over the next cycle, as nothing will happen in it, though something did in
/// this one: notes what lasts from then on. Where that cycle is stepped, the step notes it anew.
/// `parity`: as next_polled.
template <class S>
WEFT_HD void note_rest(Pe<S> pe, unsigned parity, std::uint64_t now) {
  const CoreView c = core_of(pe, now);
  const Core& core = c.near();
  if (!core.has(Did::moved)) return;
  CoreWatch watch = CoreWatch::of(c);
  watch.begin(c);
  std::uint32_t rest = core.live & ~std::uint32_t{core.starting};
  rest &= ~(std::uint32_t{core.takes} | core.puts);
  for (; rest != 0; rest &= rest - 1U) watch.before(c, lowest(rest));
  note_state(counts_of(c), watch.state(), now + 1);
  // The core may have closed the input at which a wavelet was held.
  if (next_polled(pe, parity, now) == model::kNever) note_held(counts_of(c), {}, now + 1);
}

}  // namespace weft::pe
