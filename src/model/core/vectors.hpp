#pragma once

#include "model/core/start_together.hpp"
#include "model/core/sweep.hpp"
#include "model/hooks.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::model {

template <class L>
WEFT_INLINE void halt_sweep(const Group& g, int lane, const Sweep& s) {
  halt<L>(g.v, g.at, g.core, lane, s.fault, g.time(lane), -1, s.detail, g.pc);
}

/// Lanes with the same descriptors.
template <class L>
[[gnu::noinline]] void sweep_alike(Group& g, const Instruction& i, const VectorOperands& o) {
  const int lead = lowest(g.lanes);
  const Sweep s = plan_sweep(g, i, o, lead);
  g.cost = vector_cycles(g.v, g.core, o, i, lead, s.n);
  if (s.fault != FaultKind::none) {
    for_each(g.lanes, [&](int lane) { halt_sweep<L>(g, lane, s); });
    g.lanes = 0;
    return;
  }
  if (g.v.data) g.v.run_sweep(i.op, g.lanes, s);
}

/// Lanes with descriptors of their own, which part.
template <class L>
[[gnu::noinline]] void sweep_apart(Group& g, const Instruction& i, const VectorOperands& o) {
  const Mask bad = where(g.lanes, [&](int lane) {
    const Sweep s = plan_sweep(g, i, o, lane);
    if (s.fault != FaultKind::none) return true;
    if (g.v.data) g.v.run_sweep(i.op, lane_bit(lane), s);
    schedule_issue<L>(g.v, g.core, lane_bit(lane), g.pc + 1,
                      g.elapsed + vector_cycles(g.v, g.core, o, i, lane, s.n));
    return false;
  });
  for_each(bad, [&](int lane) { halt_sweep<L>(g, lane, plan_sweep(g, i, o, lane)); });
  g.lanes = 0;
}

/// A vector instruction of the group. Lanes that part go on by themselves.
template <class L>
[[gnu::noinline]] void run_vector(Group& g, const Instruction& instruction,
                                  const VectorOperands& o) {
  CoreState& core = g.core;
  if (const Mask fabric = g.lanes & fabric_lanes(core, o); fabric != 0) {
    if (fabric == g.lanes && L::Hooks::template start_microthreads<L>(g, o, instruction)) return;
    Mask started = 0, alone = 0, rest = fabric;
    for (int n = 0; n < kMostFew && !few(rest);) {
      const Mask alike = starts_alike(core, o, rest) | lane_bit(lowest(rest));
      rest &= ~alike;
      if (few(alike)) {
        alone |= alike;
        ++n;
      } else if (start_together<L>(g, o, alike, instruction)) {
        started |= alike;
      }
    }
    started |= where(alone | rest,
                     [&](int lane) { return start_microthread<L>(g, o, lane, instruction); });
    g.lanes &= ~fabric;
    if (g.lanes == 0) {
      g.lanes = started;
      g.cost = g.v.timing.scalar;
      return;
    }
    schedule_issue<L>(g.v, core, started, g.pc + 1, g.elapsed + g.v.timing.scalar);
  }
  if (same_shape(core, o, g.lanes)) return sweep_alike<L>(g, instruction, o);
  sweep_apart<L>(g, instruction, o);
}

}  // namespace weft::model
