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

/// The lanes, of these, at the same words of memory as the first of them, and with the same steps.
static WEFT_INLINE Mask at_words_of_first(const CoreState& core, const VectorOperands& o,
                                          Mask lanes) {
  const int lead = lowest(lanes);
  for (const VectorOperand& operand : o.at) {
    if (operand.kind != Operand::memory) continue;
    const Vector &base = core.base[operand.index], &stride = core.stride[operand.index];
    if (Operand::kind(core.where[operand.index].at[lead]) != Operand::memory) continue;
    lanes = equal(lanes, base.at, base.at[lead]);
    lanes = equal(lanes, stride.at, stride.at[lead]);
  }
  return lanes;
}

/// The lanes, which start alike, have their work in the microthread from now on. `pc` and `left`:
/// of all of them.
static WEFT_INLINE void take_work(const View& v, const CoreState& core, Microthread& t,
                                  const VectorOperands& o, const Instruction& i, Mask lanes,
                                  std::uint32_t pc, std::uint32_t left) {
  const auto work = [&](int lane) {
    Work w = work_of(core, o, i, lane);
    w.pc = pc;
    w.left = left;
    return w;
  };
  fill(lanes, t.where[0].at, work(lowest(lanes)).where[0]);
  fill(lanes, t.pc.at, pc);
  for (int k = 0; k < 3; ++k)
    if (o.at[k].kind == Operand::scalar) copy(lanes, t.at[k].at, core.reg[o.at[k].index].at);
  while (lanes != 0) {
    const Mask same = at_words_of_first(core, o, lanes);
    if (!join_form(v, t, same, work(lowest(same))))
      for_each(same, [&](int lane) { keep_work(t, lane, work(lane)); });
    lanes &= ~same;
  }
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
  take_work(g.v, core, t, o, i, lanes, g.pc, core.length[o.length_from].at[lead]);
  const std::uint64_t after = g.elapsed + first_element(g.v.timing);
  put_later(lanes, t.first, core.wake, after);
  return begin_microthread<L>(g, u, claim, lanes, least(lanes, t.first), i);
}

}  // namespace weft::model
