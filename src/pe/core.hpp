#pragma once

#include "pe/ahead.hpp"

/// 3. Core.
namespace weft::pe {

/// 3.3. A core whose time has come issues an instruction; a private one is only marked, for
/// run_stretch.
template <class S>
WEFT_HD void issue(Pe<S> pe, const Now& now, CoreView c) {
  if (!c.near().running || c.near().waiting || !reached(c.near().due, c.cycle)) return;
  c.did(Did::moved);
  if (is_private(c)) {
    c.did(Did::stretch);
    return;
  }
  if (isa::format_of(c.code(c.near().pc).op) == isa::Format::router)
    return write_router(pe, now.cycle, now.parity);
  execute(c);
}

/// `torn_down`: colors that the router tore down in this cycle.
template <class S>
WEFT_HD void step_core(Pe<S> pe, const Now& now, Colors torn_down) {
  const CoreView c = core_of(pe, now.cycle);
  if (torn_down != 0) tell_torn_down(c, torn_down);
  step_microthreads(c);
  pick_task(c);
  issue(pe, now, c);
}

}  // namespace weft::pe
