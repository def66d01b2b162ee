#pragma once

#include <cstddef>

#include "model/together.hpp"
#include "model/vector_operands.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::model {

/// One operand of a sweep, for all lanes alike.
struct Cursor {
  std::uint32_t* words =
      nullptr;                ///< lane vector that holds the first byte of memory, or a register
  std::uint32_t address = 0;  ///< byte address of the element, 0 for a register
  std::uint32_t step = 0;     ///< bytes to the next, negative ones as 2^32 less
  std::uint32_t bytes = 4;
  const ShapeState* shape = nullptr;  ///< of several dimensions: then `step` is the base

  /// To element k, the one after the present.
  WEFT_HD void move_to(std::uint32_t k) {
    address = shape == nullptr ? address + step : step + bytes * shape_offset(*shape, k);
  }
  /// Words of memory to the next element, of a row of words.
  WEFT_HD std::int32_t stride() const { return static_cast<std::int32_t>(step) / 4; }
  template <class L>
  WEFT_HD std::uint32_t* in(const Group& g) const {
    return memory_row<L>(g.v, g.at, words, address / 4);
  }
  WEFT_HD Field field() const { return Field::at(address, bytes); }
};

/// A vector instruction over memory in one lane, or in lanes that have the same descriptors.
struct Sweep {
  std::uint32_t n = 0;  ///< elements
  Cursor c[3];
  isa::Widths widths{};
  FaultKind fault = FaultKind::none;
  std::int64_t detail = 0;  ///< of the fault
};

/// `lead`: the lane whose descriptors are read.
template <class L>
WEFT_HD Sweep plan_sweep(const Group& g, const Instruction& i, const VectorOperands& o, int lead) {
  CoreState& core = g.core;
  Sweep s;
  s.widths = isa::widths_of(isa::cost_of(i.op));
  s.n = core.length[o.length_from].at[lead];
  if (s.n == 0) return s;
  if (s.n > kMostElements) {
    s.fault = FaultKind::bad_length;
    s.detail = s.n;
    return s;
  }
  std::uint32_t* const memory = near_memory(g.v, g.at);
  for (int k = 0; k < 3; ++k) {
    const VectorOperand operand = o.at[k];
    if (operand.kind != Operand::memory) {
      s.c[k] =
          operand.kind == Operand::scalar ? Cursor{core.reg[operand.index].at, 0, 0, 4} : s.c[0];
      continue;
    }
    const std::uint32_t bytes = s.widths.bytes[k];
    const std::uint32_t base = core.base[operand.index].at[lead];
    const std::uint32_t stride = core.stride[operand.index].at[lead];
    const ShapeState* shape = has(core.shaped_dsr[operand.index], lead)
                                  ? g.v.shapes + Operand::number(core.where[operand.index].at[lead])
                                  : nullptr;
    s.fault = shape != nullptr ? shape_fault(g.v, base, *shape, s.n, bytes, s.detail)
                               : vector_fault(g.v, base, stride, s.n, bytes, s.detail);
    if (s.fault != FaultKind::none) return s;
    s.c[k] = {memory, base, shape != nullptr ? base : stride * bytes, bytes, shape};
  }
  return s;
}

/// Elements in order, in lanes that have the descriptors of the plan.
template <class L, class F>
WEFT_HD void run_sweep(const Group& g, Mask lanes, Sweep s, F f) {
  if (s.n == 0 || !g.v.data) return;
  const std::uint32_t* bytes = s.widths.bytes;
  const bool words = bytes[0] == 4 && bytes[1] == 4 && bytes[2] == 4;
  const bool straight =
      s.c[0].shape == nullptr && s.c[1].shape == nullptr && s.c[2].shape == nullptr;
  if constexpr (!L::kFarMemory)
    if (words && straight)
      return L::sweep(lanes, s.n, s.c[0].template in<L>(g), s.c[0].stride(),
                      s.c[1].template in<L>(g), s.c[1].stride(), s.c[2].template in<L>(g),
                      s.c[2].stride(), f);
  for (std::uint32_t k = 0; k < s.n; ++k) {
    const Field d = s.c[0].field(), a = s.c[1].field(), b = s.c[2].field();
    L::map(lanes, s.c[0].template in<L>(g), s.c[1].template in<L>(g), s.c[2].template in<L>(g),
           [=](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
             return d.put(x, f(d.get(x), a.get(y), b.get(z)));
           });
    for (Cursor& cursor : s.c) cursor.move_to(k + 1);
  }
}

template <class L>
WEFT_HD void halt_sweep(const Group& g, int lane, const Sweep& s) {
  halt<L>(g.v, g.at, g.core, lane, s.fault, g.time(lane), -1, s.detail);
}

/// Lanes with the same descriptors.
template <class L, class F>
WEFT_HD_CALL void sweep_alike(Group& g, const Instruction& i, const VectorOperands& o, F f) {
  const int lead = lowest(g.lanes);
  L::meet();
  const Sweep s = plan_sweep<L>(g, i, o, lead);
  g.cost = vector_cycles(g.v, g.core, o, i, lead, s.n);
  L::meet();
  if (s.fault != FaultKind::none) {
    L::for_each(g.lanes, [&](int lane) { halt_sweep<L>(g, lane, s); });
    g.lanes = 0;
    return;
  }
  run_sweep<L>(g, g.lanes, s, f);
}

/// Lanes with descriptors of their own, which part.
template <class L, class F>
WEFT_HD_CALL void sweep_apart(Group& g, const Instruction& i, const VectorOperands& o, F f) {
  const Mask bad = L::where(g.lanes, [&](int lane) {
    const Sweep s = plan_sweep<L>(g, i, o, lane);
    if (s.fault != FaultKind::none) return true;
    run_sweep<L>(g, lane_bit(lane), s, f);
    go_on(g.v, g.core, lane, g.pc + 1, g.time(lane) + vector_cycles(g.v, g.core, o, i, lane, s.n));
    return false;
  });
  L::for_each(bad, [&](int lane) { halt_sweep<L>(g, lane, plan_sweep<L>(g, i, o, lane)); });
  g.lanes = 0;
}

/// The microthread that a vector instruction would be: its output queue's number, else its input
/// queue's.
WEFT_HD int microthread_of(const CoreState& core, const VectorOperands& o, int lane) {
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
WEFT_HD Claim find_claim(const CoreState& core, const VectorOperands& o, int lane, int u) {
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

/// The queues are the lane's microthread's own from now on.
WEFT_HD void take_queues(CoreState& core, const Claim& claim, int lane) {
  for (std::uint32_t rest = claim.inputs; rest != 0; rest &= rest - 1)
    core.input_claimed[lowest(rest)] |= lane_bit(lane);
  for (std::uint32_t rest = claim.outputs; rest != 0; rest &= rest - 1)
    core.output_claimed[lowest(rest)] |= lane_bit(lane);
}

/// A FIFO of the instruction's size of elements may be its only descriptor that is a source, its
/// second one, or a destination that it does not read; without a queue the core waits for it.
WEFT_HD bool fifos_fit(const View& v, const CoreState& core, const VectorOperands& o,
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
WEFT_HD Work work_of(const CoreState& core, const VectorOperands& o, const Instruction& i,
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
WEFT_HD_CALL void run_with_fifos(Group& g, const VectorOperands& o, int lane, const Instruction& i,
                                 std::uint32_t n) {
  CoreState& core = g.core;
  Work w = work_of(core, o, i, lane);
  std::uint32_t done = 0;
  for (; done < n; ++done) {
    if (fifo_lack(g.v, core, lane, w.where).any) {
      note_lack(g.v, core, lane, w.where);
      break;
    }
    if ((do_element<L>(g.v, g.at, core, i.op, w, lane) & flag(Moved::bad)) != 0)
      return halt_element<L>(g.v, g.at, core, i.op, w, lane, g.time(lane));
  }
  go_on(g.v, core, lane, g.pc + 1, g.time(lane) + vector_cycles(g.v, core, o, i, lane, done));
}

/// Starts a microthread in one lane; without a queue to wait for, its instruction is done at once.
/// Returns whether the core goes on to its next instruction as after a scalar one.
template <class L>
WEFT_HD_CALL bool start_microthread(Group& g, const VectorOperands& o, int lane,
                                    const Instruction& instruction) {
  CoreState& core = g.core;
  const Mask bit = lane_bit(lane);
  const int u = microthread_of(core, o, lane);
  const std::uint32_t n = core.length[o.length_from].at[lane];
  const auto fault = [&](FaultKind kind, std::int64_t detail) {
    halt<L>(g.v, g.at, core, lane, kind, g.time(lane), -1, detail);
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
  take_queues(core, claim, lane);
  Microthread& t = core.microthread[u];
  if constexpr (L::kByLine) part(t);
  t.first[lane] = g.time(lane) + first_element(g.v.timing);
  Work& w = t.work[lane];
  w = work_of(core, o, instruction, lane);
  w.pc = g.pc;
  w.left = n;
  int inputs = 0, outputs = 0, fifos = 0;
  for (int k = 0; k < 3; ++k) {
    inputs += Operand::kind(w.where[k]) == Operand::fabric_in;
    outputs += Operand::kind(w.where[k]) == Operand::fabric_out;
    fifos += Operand::kind(w.where[k]) == Operand::fifo;
  }
  if (fifos > 0) t.fifo |= bit;
  if (inputs + outputs == 1 && fifos == 0) (inputs == 1 ? t.input_only : t.output_only) |= bit;
  t.live |= bit;
  core.live |= 1U << u;
  const std::uint64_t time = g.time(lane);
  const bool async = VectorOptions::unpack(instruction.imm).async;
  if (!async) {
    go_on(g.v, core, lane, g.pc + 1, time + g.v.timing.scalar);
    core.waiting |= bit;
  }
  if (n == 0) {
    finish<L>(g.v, core, t, bit, w, time);
    return async;
  }
  if (t.starting == 0 || t.first[lane] < t.soonest) t.soonest = t.first[lane];
  t.starting |= bit;
  return async;
}

/// The microthread that a vmov32 between memory and a queue starts in all lanes together; -1: they
/// are to start it one by one.
template <class L>
WEFT_HD int starts_together(const CoreState& core, Mask lanes, const VectorOperands& o,
                            const Instruction& i) {
  if (i.op != Op::vmov32) return -1;
  const int lead = lowest(lanes);
  const auto kind = [&](int k) { return Operand::kind(core.where[o.at[k].index].at[lead]); };
  const bool takes = kind(0) == Operand::memory && kind(1) == Operand::fabric_in;
  if (!takes && !(kind(0) == Operand::fabric_out && kind(1) == Operand::memory)) return -1;
  const std::uint32_t n = core.length[o.length_from].at[lead];
  const int u = microthread_of(core, o, lead);
  if (n == 0 || n > kMostElements || core.microthread[u].live != 0) return -1;
  if (((takes ? core.input_claimed[u] : core.output_claimed[u]) & lanes) != 0) return -1;
  for (int k = 0; k < 2; ++k)
    if (const Vector& where = core.where[o.at[k].index];
        L::equal(lanes, where.at, where.at[lead]) != lanes)
      return -1;
  return same_shape<L>(core, o, lanes) ? u : -1;
}

template <class L>
WEFT_HD void start_together(Group& g, const VectorOperands& o, int u, const Instruction& i) {
  CoreState& core = g.core;
  const Timing& timing = g.v.timing;
  Microthread& t = core.microthread[u];
  L::at_once(g.lanes, [&](int lane) { t.first[lane] = g.time(lane) + first_element(timing); });
  const int lead = lowest(g.lanes);
  Work& w = t.work[lead] = work_of(core, o, i, lead);
  w.pc = g.pc;
  w.left = core.length[o.length_from].at[lead];
  const bool takes = Operand::kind(w.where[1]) == Operand::fabric_in;
  (takes ? core.input_claimed[u] : core.output_claimed[u]) |= g.lanes;
  (takes ? t.input_only : t.output_only) |= g.lanes;
  t.live = t.alike = t.starting = g.lanes;
  t.soonest = L::least(g.lanes, t.first);
  core.live |= 1U << u;
  if (VectorOptions::unpack(i.imm).async) return;
  go_on_together<L>(g.v, core, g.lanes, g.pc + 1, g.elapsed + timing.scalar);
  core.waiting |= g.lanes;
  g.lanes = 0;
}

/// Lanes in which an operand is a queue or a FIFO.
WEFT_HD Mask fabric_lanes(const CoreState& core, const VectorOperands& o) {
  Mask lanes = 0;
  for (const VectorOperand& operand : o.at)
    if (operand.kind == Operand::memory) lanes |= core.fabric_dsr[operand.index];
  return lanes;
}

/// A vector instruction that starts microthreads in all these lanes may be executed before its
/// cycle: until their first elements nobody can tell, as a core in a task takes no other. (Not with
/// no elements, FIFOs or a fault: those do something at once.)
template <class L>
WEFT_HD bool starts_early(const CoreState& core, Mask lanes, const VectorOperands& o,
                          const Instruction& i) {
  if (!VectorOptions::unpack(i.imm).async) return false;
  if constexpr (L::kByLine)
    if (starts_together<L>(core, lanes, o, i) >= 0) return true;
  return lanes == L::where(lanes, [&](int lane) {
           const std::uint32_t n = core.length[o.length_from].at[lane];
           if (n == 0 || n > kMostElements) return false;
           for (const VectorOperand& operand : o.at)
             if (operand.kind == Operand::memory &&
                 Operand::kind(core.where[operand.index].at[lane]) == Operand::fifo)
               return false;
           const int u = microthread_of(core, o, lane);
           return u >= 0 && find_claim(core, o, lane, u).fault == FaultKind::none;
         });
}

template <class L, class F>
WEFT_HD_CALL void run_vector(Group& g, const Instruction& instruction, const VectorOperands& o,
                             F f) {
  CoreState& core = g.core;
  if (const Mask fabric = g.lanes & fabric_lanes(core, o); fabric != 0) {
    if constexpr (L::kByLine) {
      const int u = fabric == g.lanes ? starts_together<L>(core, fabric, o, instruction) : -1;
      if (u >= 0) {
        start_together<L>(g, o, u, instruction);
        g.cost = g.v.timing.scalar;
        return;
      }
    }
    const Mask started =
        L::sift(fabric, [&](int lane) { return start_microthread<L>(g, o, lane, instruction); });
    g.lanes &= ~fabric;
    if (g.lanes == 0) {
      g.lanes = started;
      g.cost = g.v.timing.scalar;
      return;
    }
    L::at_once(started, [&](int lane) {
      go_on(g.v, core, lane, g.pc + 1, g.time(lane) + g.v.timing.scalar);
    });
  }
  if (same_shape<L>(core, o, g.lanes)) return sweep_alike<L>(g, instruction, o, f);
  sweep_apart<L>(g, instruction, o, f);
}

}  // namespace weft::model
