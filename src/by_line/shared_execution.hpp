#pragma once

#include "by_line/bundle.hpp"
#include "model/core/start_microthread.hpp"
#include "model/core/tasks.hpp"
#include "model/lanes/lane_vectors.hpp"

/// Lanes of a bundle that do the same: they take a task together, begin a microthread together,
/// with the same operands, and go through it together, so that an element of all lanes is one
/// vector move. The switch is Accelerations::shared_execution.
namespace weft::by_line {

/// Gives each lane the work that they share.
WEFT_INLINE void spread(Microthread& t) {
  const Work& work = t.shared;
  for (int k = 0; k < 3; ++k) {
    fill(t.alike, t.where[k].at, work.where[k]);
    fill(t.alike, t.at[k].at, work.at[k]);
    fill(t.alike, t.step[k].at, work.step[k]);
  }
  fill(t.alike, t.pc.at, work.pc);
  fill(t.alike, t.left.at, work.left);
}

/// Each lane has its own work from now on.
WEFT_INLINE void part(const View& v, Microthread& t) {
  if (t.alike == 0) return;
  spread(t);
  join_form(v, t, t.alike, t.shared);
  t.alike = 0;
}

/// Takes a wavelet of input queue q in all the lanes. False: they have to do it one by one.
WEFT_INLINE bool take_together(const View& v, CoreState& core, int q, Mask lanes,
                               std::uint32_t* row) {
  RampQueue& in = core.in[q];
  if ((in.control[0] & lanes) != 0) return false;
  if (v.data) copy(lanes, row, in.payload[0].at);
  pop(v, in, lanes);
  return true;
}

/// Puts a word of memory into output queue q in all the lanes. False: as take_together.
template <class L>
WEFT_INLINE bool put_together(const View& v, Place at, CoreState& core, int q, std::uint32_t where,
                              Mask lanes, const std::uint32_t* row, std::uint64_t now) {
  RampQueue& out = core.out[q];
  const auto color = static_cast<std::uint8_t>(Operand::color(where));
  const Mask control = Operand::control(where) ? lanes : 0;
  const Mask holds = out.valid[0] & lanes;
  if (equal(holds, out.color, color) != holds) return false;
  for (Mask rest = lanes & ~holds; rest != 0; rest &= rest - 1) out.color[lowest(rest)] = color;
  each_free(out, with_payload(v, lanes, control), [&](int k, Mask here) {
    copy(carried(v, here, control, out.valid[k]), out.payload[k].at, row);
  });
  send_to_router<L>(v, at, core, q, lanes, control, now);
  return true;
}

/// An element of microthread u in all lanes that are at it, if these are `ready` and it is a vmov32
/// between memory and a queue. False: nothing was done, and each lane has its own work.
template <class L>
WEFT_INLINE bool move_together(const View& v, Place at, CoreState& core, int u, Mask ready,
                               std::uint64_t now) {
  Microthread& t = core.microthread[u];
  if (t.alike == 0) return false;
  Work& w = t.shared;
  const bool takes = Operand::kind(w.where[1]) == Operand::fabric_in;
  const int k = takes ? 0 : 1;  // the operand in memory
  bool done = false;
  if (const std::uint32_t address = next_address(v, w, k, 4);
      ready == t.alike && access_fault(v, address, 4) == FaultKind::none) {
    std::uint32_t* row = memory_row(memory_of(v, at), address / 4);
    const auto q = static_cast<int>(Operand::queue(w.where[1 - k]));
    done = takes ? take_together(v, core, q, ready, row)
                 : put_together<L>(v, at, core, q, w.where[0], ready, row, now);
  }
  if (!done) {
    part(v, t);
    return false;
  }
  if (Operand::kind(w.where[k]) == Operand::shaped)
    ++w.step[k];
  else
    w.at[k] += w.step[k];
  if (--w.left == 0) {
    t.alike = 0;
    finish<L>(v, core, t, ready, w, now);
  }
  return true;
}

/// The microthread that a vmov32 between memory and a queue starts in all lanes together; -1: they
/// are to start it one by one.
static WEFT_INLINE int starts_together(const CoreState& core, Mask lanes, const VectorOperands& o,
                                       const Instruction& i) {
  if (i.op != Op::vmov32) return -1;
  const int lead = lowest(lanes);
  const auto kind = [&](int k) { return Operand::kind(core.where[o.at[k].index].at[lead]); };
  const auto in_memory = [&](int k) {
    return kind(k) == Operand::memory || kind(k) == Operand::shaped;
  };
  const bool takes = in_memory(0) && kind(1) == Operand::fabric_in;
  if (!takes && !(kind(0) == Operand::fabric_out && in_memory(1))) return -1;
  const std::uint32_t n = core.length[o.length_from].at[lead];
  const int u = microthread_of(core, o, lead);
  if (n == 0 || n > kMostElements || core.microthread[u].live != 0) return -1;
  if (((takes ? core.input_claimed[u] : core.output_claimed[u]) & lanes) != 0) return -1;
  for (int k = 0; k < 2; ++k)
    if (const Vector& where = core.where[o.at[k].index];
        equal(lanes, where.at, where.at[lead]) != lanes)
      return -1;
  return same_shape(core, o, lanes) ? u : -1;
}

template <class L>
WEFT_INLINE void start_together(Group& g, const VectorOperands& o, int u, const Instruction& i) {
  CoreState& core = g.core;
  const Timing& timing = g.v.timing;
  Microthread& t = core.microthread[u];
  put_later(g.lanes, t.first, core.wake, g.elapsed + first_element(timing));
  const int lead = lowest(g.lanes);
  Work& w = t.shared;
  w = work_of(core, o, i, lead);
  w.pc = g.pc;
  w.left = core.length[o.length_from].at[lead];
  const bool takes = Operand::kind(w.where[1]) == Operand::fabric_in;
  (takes ? core.input_claimed[u] : core.output_claimed[u]) |= g.lanes;
  (takes ? t.input_only : t.output_only) |= g.lanes;
  t.live = t.alike = t.starting = g.lanes;
  t.soonest = least(g.lanes, t.first);
  core.live |= 1U << u;
  if (VectorOptions::unpack(i.imm).async) return;
  L::Hooks::waits(g, t, g.lanes);
  schedule_issue<L>(g.v, core, g.lanes, g.pc + 1, g.elapsed + timing.scalar);
  core.waiting |= g.lanes;
  g.lanes = 0;
}

/// The hooks `Base`, where lanes do the same together.
template <class Base>
struct SharedExecution : Base {
  template <class L>
  WEFT_INLINE static Mask move_elements(const View& v, const Place& at, CoreState& core, int u,
                                        Mask ready, std::uint64_t now) {
    return move_together<L>(v, at, core, u, ready, now)
               ? ready
               : Base::template move_elements<L>(v, at, core, u, ready, now);
  }
  WEFT_INLINE static bool may_start_microthreads(const View& v, const CoreState& core, Mask lanes,
                                                 const VectorOperands& o, const Instruction& i) {
    return v.fast.shared_execution && starts_together(core, lanes, o, i) >= 0;
  }
  template <class L>
  WEFT_INLINE static bool start_microthreads(Group& g, const VectorOperands& o,
                                             const Instruction& i) {
    const int u = g.v.fast.shared_execution ? starts_together(g.core, g.lanes, o, i) : -1;
    if (u < 0) return false;
    start_together<L>(g, o, u, i);
    g.cost = g.v.timing.scalar;
    return true;
  }
  WEFT_INLINE static void starts_alone(const View& v, Microthread& t) { part(v, t); }
};

}  // namespace weft::by_line
