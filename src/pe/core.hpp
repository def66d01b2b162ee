#pragma once

#include "pe/ahead.hpp"

/// 3. Core.
namespace weft::pe {

/// 3.3. A core whose time has come issues an instruction. Of the router it does so here; any other
/// is only marked, for run_stretch: in each cycle that is stepped until it is executed.
template <class S>
WEFT_HD void issue(Pe<S> pe, const Now& now, CoreView c) {
  if (!has_stretch(c)) return;
  if (c.near().due == static_cast<std::uint32_t>(c.cycle)) c.did(Did::moved);
  if (c.code(c.near().pc).format() == isa::Format::router)
    write_router(pe, now.cycle, now.parity);
  else
    c.did(Did::stretch);
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
