#pragma once

#include "model/core/elements.hpp"
#include "model/core/group.hpp"
#include "model/core/task_bits.hpp"
#include "model/hooks.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/ramp/to_router.hpp"

/// Step 3.1 of the cycle: microthreads, vector instructions with a fabric operand. Each does at
/// most one element a cycle.
namespace weft::model {

/// Lanes in which input queue q has a wavelet to take.
WEFT_INLINE Mask filled(const CoreState& core, int q) { return core.in[q].seen[0]; }

/// Lanes in which output queue q can take one more.
WEFT_INLINE Mask vacant(const View& v, const CoreState& core, int q) {
  return ~core.out[q].valid[v.timing.output_depth[q] - 1];
}

/// All operands of a lane's work are ready, or there is a FIFO to tell that it is not.
WEFT_INLINE bool all_ready(const View& v, const CoreState& core, const Work& w, int lane) {
  for (const std::uint32_t where : w.where) {
    const int q = static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in && !has(filled(core, q), lane)) return false;
    if (Operand::kind(where) == Operand::fabric_out && !has(vacant(v, core, q), lane)) return false;
  }
  if (meets_control(core, w, lane) != 0) return true;
  const FifoLack lack = fifo_lack(v, core, lane, w.where);
  return !lack.any || !lack.noted || !VectorOptions::unpack(v.code[w.pc].imm).async;
}

/// Lanes in which microthread u needs nothing but its one queue, and has it.
WEFT_INLINE Mask has_its_queue(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  Mask lanes = t.input_only & filled(core, u);
  if (t.output_only != 0) lanes |= t.output_only & vacant(v, core, u);
  return lanes;
}

/// Lanes in which such a microthread could do an element now.
WEFT_INLINE Mask able_alone(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  return has_its_queue(v, core, u) & t.live & ~t.starting;
}

/// Lanes in which it would wait for its queue.
WEFT_INLINE Mask kept_by_queue(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  return (t.input_only | t.output_only) & ~has_its_queue(v, core, u);
}

/// Lanes in which all queues of a form are ready.
WEFT_INLINE Mask queues_ready(const View& v, const CoreState& core, const Form& form) {
  Mask ready = kAllLanes;
  for (const std::uint32_t where : form.where) {
    const int q = static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in) ready &= filled(core, q);
    if (Operand::kind(where) == Operand::fabric_out) ready &= vacant(v, core, q);
  }
  return ready;
}

/// As able_alone, of the lanes in which it needs something else too.
static WEFT_INLINE Mask able_with_others(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  const Mask lanes = t.live & ~t.starting & ~t.input_only & ~t.output_only;
  if (lanes == 0) return 0;
  return (lanes & t.formed & queues_ready(v, core, t.form)) |
         where(lanes & ~t.formed,
               [&](int lane) { return all_ready(v, core, own_work_in(t, lane), lane); });
}

/// The queues of these lanes' microthreads are free again, and what they were to do at their end is
/// done. `work`: of all of them.
template <class L>
WEFT_INLINE void finish(const View& v, CoreState& core, Microthread& t, Mask lanes,
                        const Work& work, std::uint64_t now) {
  t.live &= ~lanes;
  t.input_only &= ~lanes;
  t.output_only &= ~lanes;
  t.fifo &= ~lanes;
  t.formed &= ~lanes;
  for (const std::uint32_t where : work.where) {
    if (Operand::kind(where) == Operand::fabric_in)
      core.input_claimed[Operand::queue(where)] &= ~lanes;
    if (Operand::kind(where) == Operand::fabric_out)
      core.output_claimed[Operand::queue(where)] &= ~lanes;
  }
  const VectorOptions options = VectorOptions::unpack(v.code[work.pc].imm);
  if (!options.async) {
    core.waiting &= ~lanes;
    fill(lanes, core.wake, now + v.timing.scalar);
    schedule_issue<L>(v, core, lanes, work.pc + 1, 0);
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    activate_local(core, options.task_id, lanes);
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked(core, options.task_kind, options.task_id, lanes, false);
  }
}

/// An element of microthread u in each lane that is `ready`. Effects on state that the lanes share
/// come after all have done theirs.
template <class L>
WEFT_INLINE void step_elements(const View& v, Place at, CoreState& core, int u, Mask ready,
                               std::uint64_t now) {
  Microthread& t = core.microthread[u];
  const auto did = flags<static_cast<int>(Moved::count)>(
      ready, [&](int lane) { return step_element(v, at, core, u, lane); });
  const auto of = [&](Moved what) { return did.of(static_cast<int>(what)); };
  for_each(of(Moved::bad), [&](int lane) {
    halt_element<L>(v, at, core, v.code[t.pc.at[lane]].op, work_in(t, lane), lane, now);
    t.live &= ~lane_bit(lane);
    t.formed &= ~lane_bit(lane);
  });
  const Mask sent = of(Moved::sent), control = of(Moved::sent_control);
  L::Hooks::template did_elements<L>(
      v, at, core, u, [&](int q) { return did.of(q); }, sent, now);
  if (const Mask ended = of(Moved::ended); ended != 0)
    L::Hooks::template ends_microthread<L>(v, at, core, u, ended, now);
  if (sent != 0) send_to_router<L>(v, at, core, u, sent, control, now);
  for_each(of(Moved::ended),
           [&](int lane) { finish<L>(v, core, t, lane_bit(lane), work_in(t, lane), now); });
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    if (const Mask took = did.of(q)) {
      pop(v, core.in[q], took);
      L::Hooks::took_input(core, now);
    }
  }
}

/// The microthreads of a strip, after step 3.1.
struct Streams {
  bool moved = false;  ///< some microthread did something
  bool again = false;  ///< one that needs only its queue can do its next element at once
};

/// Step 3.1. Every microthread that has its data and its room does one element.
template <class L>
WEFT_INLINE Streams step_microthreads(const View& v, Place at, CoreState& core, std::uint64_t now) {
  Streams streams;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const int u = lowest(rest);
    Microthread& t = core.microthread[u];
    if (t.starting != 0 && t.soonest <= now) {
      t.starting &= ~due(t.starting, t.first, now);
      t.soonest = t.starting != 0 ? least(t.starting, t.first) : 0;
    }
    const Mask ready = able_alone(v, core, u) | able_with_others(v, core, u);
    const Mask observed = L::Hooks::begin_elements(v, at, core, u);
    if (ready == 0) continue;
    streams.moved = true;
    L::Hooks::cores_act(v, now);
    const Mask done = L::Hooks::template move_elements<L>(v, at, core, u, ready, now);
    if (done != ready) step_elements<L>(v, at, core, u, ready & ~done, now);
    L::Hooks::end_elements(v, at, core, u, observed, now);
    streams.again |= able_alone(v, core, u) != 0;  // nothing in this cycle changes it any more
    if (t.live == 0) core.live &= ~(1U << u);
  }
  L::Hooks::template end_microthreads<L>(v, at, core, now);
  return streams;
}

}  // namespace weft::model
