#pragma once

#include "model/microthreads.hpp"

/// Microthreads that the lanes of a bundle began together, with the same operands, and go through
/// together: in lines that do the same, an element of all lanes is one vector move.
namespace weft::model {

/// Each lane has its own work from now on.
WEFT_HD void part(Microthread& t) {
  if (t.alike == 0) return;
  const Work& work = t.work[lowest(t.alike)];
  for (Mask rest = t.alike & (t.alike - 1); rest != 0; rest &= rest - 1)
    t.work[lowest(rest)] = work;
  t.alike = 0;
}

/// Takes a wavelet of input queue q in all the lanes. False: they have to do it one by one.
template <class L>
WEFT_HD bool take_together(const View& v, CoreState& core, int q, Mask lanes, std::uint32_t* row) {
  RampQueue& in = core.in[q];
  if ((in.control[0] & lanes) != 0) return false;
  if (v.data) L::copy(lanes, row, in.payload[0].at);
  pop<L>(v, in, lanes, static_cast<int>(v.timing.input_depth[q]));
  return true;
}

/// Puts a word of memory into output queue q in all the lanes. False: as take_together.
template <class L>
WEFT_HD bool put_together(const View& v, Place at, CoreState& core, int q, std::uint32_t where,
                          Mask lanes, const std::uint32_t* row, std::uint64_t now) {
  RampQueue& out = core.out[q];
  const auto color = static_cast<std::uint8_t>(Operand::color(where));
  const Mask control = Operand::control(where) ? lanes : 0;
  const Mask holds = out.valid[0] & lanes;
  if (L::equal(holds, out.color, color) != holds) return false;
  for (Mask rest = lanes & ~holds; rest != 0; rest &= rest - 1) out.color[lowest(rest)] = color;
  Mask rest = carried(v, lanes, control);
  for (int k = 0; rest != 0; ++k) {
    const Mask here = rest & ~out.valid[k];
    L::copy(here, out.payload[k].at, row);
    rest &= ~here;
  }
  put_on_ramp<L>(v, at, core, q, lanes, control, now);
  return true;
}

/// An element of microthread u in all lanes that are at it, if these are `ready` and it is a vmov32
/// between memory and a queue. False: nothing was done, and each lane has its own work.
template <class L>
WEFT_HD bool move_together(const View& v, Place at, CoreState& core, int u, Mask ready,
                           std::uint64_t now) {
  Microthread& t = core.microthread[u];
  if (t.alike == 0) return false;
  Work& w = t.work[lowest(t.alike)];
  const bool takes = Operand::kind(w.where[1]) == Operand::fabric_in;
  const int k = takes ? 0 : 1;  // the operand in memory
  bool done = false;
  if (ready == t.alike && access_fault(v, w.at[k], 4) == FaultKind::none) {
    std::uint32_t* row = memory_row<L>(v, at, near_memory(v, at), w.at[k] / 4);
    const auto q = static_cast<int>(Operand::queue(w.where[1 - k]));
    done = takes ? take_together<L>(v, core, q, ready, row)
                 : put_together<L>(v, at, core, q, w.where[0], ready, row, now);
  }
  if (!done) {
    part(t);
    return false;
  }
  w.at[k] += w.step[k];
  if (--w.left == 0) {
    t.alike = 0;
    finish<L>(v, core, t, ready, w, now);
  }
  return true;
}

}  // namespace weft::model
