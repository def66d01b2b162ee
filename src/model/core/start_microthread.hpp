#pragma once

#include <cstdint>
#include <optional>

#include "model/core/microthreads.hpp"
#include "model/core/vector_operands.hpp"

/// A vector instruction with a fabric operand starts a microthread.
namespace weft::model {

/// The microthread that a vector instruction would be: its output queue's number, else its input
/// queue's.
WEFT_INLINE int microthread_of(const CoreState& core, const VectorOperands& o, int lane) {
  int input = -1;
  for (int k = 2; k >= 0; --k) {
    if (o.at[k].kind != Operand::memory) continue;
    const std::uint32_t where = core.where[o.at[k].index].at[lane];
    if (Operand::kind(where) == Operand::fabric_out) return static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in) input = static_cast<int>(Operand::queue(where));
  }
  return input;
}

/// The queues that a lane's microthread will use, a bit each, or why it cannot.
struct Claim {
  FaultKind fault = FaultKind::none;
  std::uint32_t inputs = 0, outputs = 0;
};

/// Sources come from the fabric, destinations go to it, and each queue has one user.
WEFT_INLINE Claim find_claim(const CoreState& core, const VectorOperands& o, int lane, int u) {
  Claim claim;
  if (has(core.microthread[u].live, lane)) return {FaultKind::microthread_in_use};
  for (int k = 0; k < 3; ++k) {
    if (o.at[k].kind != Operand::memory) continue;
    const std::uint32_t where = core.where[o.at[k].index].at[lane];
    const Operand::Kind kind = Operand::kind(where);
    if (kind != Operand::fabric_in && kind != Operand::fabric_out) continue;
    if ((kind == Operand::fabric_out) != (k == 0)) return {FaultKind::bad_operands};
    const std::uint32_t q = Operand::queue(where);
    std::uint32_t& queues = kind == Operand::fabric_in ? claim.inputs : claim.outputs;
    const Mask claimed =
        kind == Operand::fabric_in ? core.input_claimed[q] : core.output_claimed[q];
    if ((queues >> q & 1U) != 0 || has(claimed, lane)) return {FaultKind::microthread_in_use};
    queues |= 1U << q;
  }
  return claim;
}

/// The queues are the own ones of these lanes' microthread from now on.
static WEFT_INLINE void take_queues(CoreState& core, const Claim& claim, Mask lanes) {
  for_each(claim.inputs, [&](int q) { core.input_claimed[q] |= lanes; });
  for_each(claim.outputs, [&](int q) { core.output_claimed[q] |= lanes; });
}

/// A FIFO of the instruction's size of elements may be its only descriptor that is a source, its
/// second one, or a destination that it does not read; without a queue the core waits for it.
WEFT_INLINE bool fifos_fit(const View& v, const CoreState& core, const VectorOperands& o,
                           const Instruction& i, int lane) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(i.op));
  bool fifo = false, queue = false;
  for (int k = 0; k < 3; ++k) {
    if (o.at[k].kind != Operand::memory) continue;
    const std::uint32_t where = core.where[o.at[k].index].at[lane];
    const Operand::Kind kind = Operand::kind(where);
    queue |= kind == Operand::fabric_in || kind == Operand::fabric_out;
    if (kind != Operand::fifo) continue;
    fifo = true;
    if (k == 0 && isa::accumulates(i.op)) return false;
    if (k == 1 && o.at[2].kind == Operand::memory) return false;
    if (FifoLane::of(v, core, lane, where).place.bytes != widths.bytes[k]) return false;
  }
  return !fifo || queue || !VectorOptions::unpack(i.imm).async;
}

/// A lane's instruction as its microthread, or the core itself, will do it.
WEFT_INLINE Work work_of(const CoreState& core, const VectorOperands& o, const Instruction& i,
                         int lane) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(i.op));
  Work w{};
  for (int k = 0; k < 3; ++k) {
    const VectorOperand operand = o.at[k];
    if (operand.kind != Operand::memory) {
      w.where[k] = Operand::pack(operand.kind);
      w.at[k] = operand.kind == Operand::scalar ? core.reg[operand.index].at[lane] : 0;
      continue;
    }
    w.where[k] = core.where[operand.index].at[lane];
    w.at[k] = core.base[operand.index].at[lane];
    if (Operand::kind(w.where[k]) == Operand::memory)
      w.step[k] = core.stride[operand.index].at[lane] * widths.bytes[k];
  }
  return w;
}

/// An instruction with FIFOs and no queue: as many elements as the FIFOs allow.
template <class L>
[[gnu::noinline]] void run_with_fifos(Group& g, const VectorOperands& o, int lane,
                                      const Instruction& i, std::uint32_t n) {
  CoreState& core = g.core;
  Work w = work_of(core, o, i, lane);
  w.pc = g.pc;
  std::uint32_t done = 0;
  for (; done < n; ++done) {
    if (fifo_lack(g.v, core, lane, w.where).any) {
      note_lack(g.v, core, lane, w.where);
      break;
    }
    if ((do_element(g.v, g.at, core, i.op, w, lane) & flag(Moved::bad)) != 0)
      return halt_element<L>(g.v, g.at, core, i.op, w, lane, g.time(lane));
  }
  schedule_issue<L>(g.v, core, lane_bit(lane), g.pc + 1,
                    g.elapsed + vector_cycles(g.v, core, o, i, lane, done));
}

/// Microthread u begins in lanes that have its work, and the cycles of their first elements (the
/// least of them: `first`; none: there are no elements). Returns whether their cores go on to their
/// next instruction as after a scalar one.
template <class L>
WEFT_INLINE bool begin_microthread(Group& g, int u, const Claim& claim, Mask lanes,
                                   std::optional<std::uint64_t> first, const Instruction& i) {
  CoreState& core = g.core;
  Microthread& t = core.microthread[u];
  take_queues(core, claim, lanes);
  if (single(claim.inputs | claim.outputs << kInputQueues) && (t.fifo & lanes) == 0)
    (claim.inputs != 0 ? t.input_only : t.output_only) |= lanes;
  if (first) {
    if (t.starting == 0 || *first < t.soonest) t.soonest = *first;
    t.starting |= lanes;
  }
  t.live |= lanes;
  core.live |= 1U << u;
  if (first) L::Hooks::template starts_microthread<L>(g, u, lanes);
  if (VectorOptions::unpack(i.imm).async) return true;
  if (first) L::Hooks::waits(g, t, lanes);
  schedule_issue<L>(g.v, core, lanes, g.pc + 1, g.elapsed + g.v.timing.scalar);
  core.waiting |= lanes;
  return false;
}

/// Starts a microthread in one lane; without a queue to wait for, its instruction is done at once.
/// Returns whether the core goes on to its next instruction as after a scalar one.
template <class L>
[[gnu::noinline]] bool start_microthread(Group& g, const VectorOperands& o, int lane,
                                         const Instruction& instruction) {
  CoreState& core = g.core;
  const Mask bit = lane_bit(lane);
  const int u = microthread_of(core, o, lane);
  const std::uint32_t n = core.length[o.length_from].at[lane];
  const auto fault = [&](FaultKind kind, std::int64_t detail) {
    halt<L>(g.v, g.at, core, lane, kind, g.time(lane), -1, detail, g.pc);
    return false;
  };
  if (n > kMostElements) return fault(FaultKind::bad_length, n);
  if (!fifos_fit(g.v, core, o, instruction, lane)) return fault(FaultKind::bad_operands, u);
  if (u < 0) {
    run_with_fifos<L>(g, o, lane, instruction, n);
    return false;
  }
  const Claim claim = find_claim(core, o, lane, u);
  if (claim.fault != FaultKind::none) return fault(claim.fault, u);
  Microthread& t = core.microthread[u];
  L::Hooks::starts_alone(g.v, t);
  Work w = work_of(core, o, instruction, lane);
  w.pc = g.pc;
  w.left = n;
  for (const std::uint32_t where : w.where)
    if (Operand::kind(where) == Operand::fifo) t.fifo |= bit;
  if (n > 0) take_work(g.v, t, lane, w);
  const std::uint64_t time = g.time(lane);
  t.first[lane] = time + first_element(g.v.timing);
  const auto first = n > 0 ? std::optional(t.first[lane]) : std::nullopt;
  const bool goes_on = begin_microthread<L>(g, u, claim, bit, first, instruction);
  if (n == 0) finish<L>(g.v, core, t, bit, w, time);
  return goes_on;
}

/// Lanes in which an operand is a queue or a FIFO.
WEFT_INLINE Mask fabric_lanes(const CoreState& core, const VectorOperands& o) {
  Mask lanes = 0;
  for (const VectorOperand& operand : o.at)
    if (operand.kind == Operand::memory) lanes |= core.fabric_dsr[operand.index];
  return lanes;
}

}  // namespace weft::model
