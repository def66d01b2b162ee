#pragma once

#include "pe/ahead.hpp"

/// 3. Core.
namespace weft::pe {

/// 3.3. A core whose time has come issues an instruction; a private one is only marked, for
/// run_stretch.
template <class S>
WEFT_HD void issue(const Pe<S>& pe, const Now& now, const CoreView& c) {
  if (!c.near.running || c.near.waiting || !reached(c.near.due, c.cycle)) return;
  c.stepped.moved = true;
  if (is_private(c)) {
    c.stepped.stretch = true;
    return;
  }
  if (isa::format_of(c.code(c.near.pc).op) == isa::Format::router) return write_router(pe, now, c);
  execute(c);
}

template <class S>
WEFT_HD void step_core(const Pe<S>& pe, const Rules& rules, const Now& now, Stepped& stepped) {
  const CoreView c = core_of(pe, rules, stepped, now.cycle);
  if (stepped.torn_down != 0) tell_torn_down(c, stepped.torn_down);
  step_microthreads(c);
  pick_task(c);
  issue(pe, now, c);
}

}  // namespace weft::pe
