#pragma once

#include "model/core/start_microthread.hpp"

/// Lanes whose microthreads use the same queues start them together.
namespace weft::model {

/// The lanes, of these, that start a microthread as the first of them does: as many elements, from
/// and to the same queues. None where it would be at fault, or has FIFOs, shapes or no elements.
static WEFT_INLINE Mask starts_alike(const CoreState& core, const VectorOperands& o, Mask lanes) {
  const int lead = lowest(lanes);
  const Vector& length = core.length[o.length_from];
  if (length.at[lead] - 1 >= kMostElements) return 0;
  lanes = equal(lanes, length.at, length.at[lead]);
  for (const VectorOperand& operand : o.at) {
    if (operand.kind != Operand::memory) continue;
    const Vector& where = core.where[operand.index];
    const Operand::Kind kind = Operand::kind(where.at[lead]);
    if (kind == Operand::fifo || kind == Operand::shaped) return 0;
    lanes = equal(lanes, where.at, where.at[lead]);
  }
  const int u = microthread_of(core, o, lead);
  const Claim claim = find_claim(core, o, lead, u);
  if (claim.fault != FaultKind::none) return 0;
  for_each(claim.inputs, [&](int q) { lanes &= ~core.input_claimed[q]; });
  for_each(claim.outputs, [&](int q) { lanes &= ~core.output_claimed[q]; });
  return lanes & ~core.microthread[u].live;
}

/// The work of these lanes, which is that of `lead` but for words of memory and scalars.
static WEFT_INLINE void take_work(const View& v, const CoreState& core, Microthread& t,
                                  const VectorOperands& o, const Instruction& i, Mask lanes,
                                  int lead, const Work& w) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(i.op));
  bool same_words = true;
  for (int k = 0; k < 3; ++k) {
    const int index = o.at[k].index;
    fill(lanes, t.where[k].at, w.where[k]);
    if (Operand::kind(w.where[k]) == Operand::memory) {
      const Vector &base = core.base[index], &stride = core.stride[index];
      same_words = same_words && equal(lanes, base.at, base.at[lead]) == lanes &&
                   equal(lanes, stride.at, stride.at[lead]) == lanes;
      copy(lanes, t.at[k].at, base.at);
      assign(lanes, t.step[k].at, [&](int lane) { return stride.at[lane] * widths.bytes[k]; });
      continue;
    }
    fill(lanes, t.step[k].at, 0U);
    if (o.at[k].kind == Operand::scalar)
      copy(lanes, t.at[k].at, core.reg[index].at);
    else
      fill(lanes, t.at[k].at, w.at[k]);
  }
  fill(lanes, t.pc.at, w.pc);
  fill(lanes, t.left.at, w.left);
  if (same_words) return join_form(v, t, lanes, w);
  for_each(lanes, [&](int lane) { join_form(v, t, lane_bit(lane), work_in(t, lane)); });
}

/// Starts the microthreads of lanes that start them alike. Returns whether their cores go on to
/// their next instruction as after a scalar one.
template <class L>
[[gnu::noinline]] bool start_together(Group& g, const VectorOperands& o, Mask lanes,
                                      const Instruction& i) {
  CoreState& core = g.core;
  const int lead = lowest(lanes), u = microthread_of(core, o, lead);
  Microthread& t = core.microthread[u];
  L::Hooks::starts_alone(g.v, t);
  const Claim claim = find_claim(core, o, lead, u);
  Work w = work_of(core, o, i, lead);
  w.pc = g.pc;
  w.left = core.length[o.length_from].at[lead];
  take_work(g.v, core, t, o, i, lanes, lead, w);
  const std::uint64_t after = g.elapsed + first_element(g.v.timing);
  put_later(lanes, t.first, core.wake, after);
  return begin_microthread<L>(g, u, claim, lanes, least(lanes, t.first), i);
}

}  // namespace weft::model
