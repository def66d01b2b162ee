#include <algorithm>

#include "model/core/group.hpp"
#include "model/core/work.hpp"
#include "model/ramp/ramp_queue.hpp"
#include "support/invariants.hpp"

namespace weft::test {
namespace {

using model::CoreState;
using model::has;
using model::lane_bit;
using model::Mask;
using model::Microthread;
using model::Operand;
using model::RampQueue;

/// Entries without gaps; those on their way are not seen yet, and will be within a ramp's time.
void check_ramp_queue(StripCheck& check, const RampQueue& q, std::uint32_t depth,
                      const std::uint32_t* arriving, int number) {
  for (int k = 0; k < model::kMaxRampDepth; ++k) {
    const bool last = static_cast<std::uint32_t>(k) + 1 >= depth || k + 1 == model::kMaxRampDepth;
    check.within(q.seen[k], q.valid[k], "RampQueue::seen", number);
    if (k + 1 == model::kMaxRampDepth) break;
    check.within(q.valid[k + 1], last ? Mask{0} : q.valid[k], "RampQueue::valid", number);
    check.within(q.seen[k + 1], q.seen[k], "RampQueue::seen", number);
  }
  Mask arrive[model::kDelaySlots] = {};
  for (std::uint64_t k = 1; k <= check.view.timing.ramp; ++k) {
    const int slot = model::delay_slot(check.now + k);
    arrive[slot] = q.arriving[slot];
  }
  for (int slot = 0; slot < model::kDelaySlots; ++slot) {
    check.same(q.arriving[slot], arrive[slot], "RampQueue::arriving, of a cycle that is past",
               number);
    check.equal(arriving[slot] >> number & 1U, q.arriving[slot] != 0 ? 1 : 0,
                "CoreState::inputs_arriving or outputs_arriving", number);
  }
  check.same(0,
             lanes_where(model::kAllLanes,
                         [&](int lane) {
                           int unseen = 0;
                           for (int k = 0; k < model::kMaxRampDepth; ++k)
                             unseen += has(q.valid[k], lane) - has(q.seen[k], lane);
                           for (const Mask lanes : q.arriving) unseen -= has(lanes, lane);
                           return unseen != 0;
                         }),
             "RampQueue::arriving, as many as are not seen,", number);
}

void check_ramps(StripCheck& check) {
  const CoreState& core = check.core();
  std::uint32_t inputs = 0, outputs = 0;
  for (int q = 0; q < kInputQueues; ++q) {
    check_ramp_queue(check, core.in[q], check.view.timing.input_depth[q], core.inputs_arriving, q);
    if (core.in[q].seen[0] != 0) inputs |= 1U << q;
    check.same(core.queue_blocked[q],
               lanes_where(model::kAllLanes,
                           [&](int lane) {
                             const int color = core.queue_color[q][lane];
                             return has(core.color_blocked[color], lane);
                           }),
               "CoreState::queue_blocked", q);
  }
  for (int q = 0; q < kOutputQueues; ++q) {
    check_ramp_queue(check, core.out[q], check.view.timing.output_depth[q], core.outputs_arriving,
                     q);
    if (core.out[q].valid[0] != 0) outputs |= 1U << q;
  }
  check.covers(core.inputs_held, inputs, "CoreState::inputs_held");
  check.covers(check.router().outputs_held, outputs, "StripState::outputs_held");
}

/// The needs of a lane's vector instruction under way.
struct Needs {
  std::uint32_t inputs = 0, outputs = 0;  ///< queues, a bit each
  bool fifo = false;
};

Needs needs_of(const model::Work& w) {
  Needs needs;
  for (const std::uint32_t where : w.where) {
    if (Operand::kind(where) == Operand::fabric_in) needs.inputs |= 1U << Operand::queue(where);
    if (Operand::kind(where) == Operand::fabric_out) needs.outputs |= 1U << Operand::queue(where);
    needs.fifo |= Operand::kind(where) == Operand::fifo;
  }
  return needs;
}

void check_microthread(StripCheck& check, const Microthread& t, int u) {
  const std::uint32_t own = 1U << u;
  check.within(t.starting, t.live, "Microthread::starting", u);
  check.same(t.fifo,
             lanes_where(t.live, [&](int lane) { return needs_of(model::work_in(t, lane)).fifo; }),
             "Microthread::fifo", u);
  check.same(t.input_only,
             lanes_where(t.live,
                         [&](int lane) {
                           const Needs n = needs_of(model::work_in(t, lane));
                           return n.inputs == own && n.outputs == 0 && !n.fifo;
                         }),
             "Microthread::input_only", u);
  check.same(t.output_only,
             lanes_where(t.live,
                         [&](int lane) {
                           const Needs n = needs_of(model::work_in(t, lane));
                           return n.outputs == own && n.inputs == 0 && !n.fifo;
                         }),
             "Microthread::output_only", u);
  const auto has_no_elements = [&](int lane) {  // or more than there may be
    return model::work_in(t, lane).left - 1 >= model::kMostElements;
  };
  check.same(0, lanes_where(t.live, has_no_elements), "Microthread::live, with elements to go,", u);
  check.same(t.alike, 0, "Microthread::alike", u);
  const auto has_form = [&](int lane) {
    const model::Work work = model::work_in(t, lane);
    return model::form_of(check.view, work) == t.form &&
           model::stays_in_memory(check.view, t.form.op, work);
  };
  check.within(t.formed, lanes_where(t.live, has_form), "Microthread::formed", u);
  const auto has_color = [&](int lane) {
    return check.core().out[u].color[lane] == Operand::color(t.where[0].at[lane]);
  };
  const bool sends = Operand::kind(t.form.where[0]) == Operand::fabric_out;
  check.within(t.colored & t.formed, sends ? lanes_where(t.formed, has_color) : 0,
               "Microthread::colored", u);
  std::uint64_t soonest = t.starting == 0 ? 0 : model::kNever;
  for (Mask rest = t.starting; rest != 0; rest &= rest - 1)
    soonest = std::min(soonest, t.first[model::lowest(rest)]);
  check.equal(t.soonest, soonest, "Microthread::soonest", u);
}

void check_microthreads(StripCheck& check) {
  const CoreState& core = check.core();
  std::uint32_t live = 0;
  Mask inputs[kInputQueues] = {}, outputs[kOutputQueues] = {}, waiting = 0;
  for (int u = 0; u < model::kMicrothreads; ++u) {
    const Microthread& t = core.microthread[u];
    if (t.live != 0) live |= 1U << u;
    check_microthread(check, t, u);
    for (Mask rest = t.live; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      const Needs needs = needs_of(model::work_in(t, lane));
      for (int q = 0; q < kInputQueues; ++q)
        if ((needs.inputs >> q & 1U) != 0) inputs[q] |= lane_bit(lane);
      for (int q = 0; q < kOutputQueues; ++q)
        if ((needs.outputs >> q & 1U) != 0) outputs[q] |= lane_bit(lane);
      if (!VectorOptions::unpack(check.view.code[t.pc.at[lane]].imm).async)
        waiting |= lane_bit(lane);
    }
  }
  check.covers(core.live, live, "CoreState::live");
  // A core that has halted keeps what it had.
  for (int q = 0; q < kInputQueues; ++q)
    check.same(core.input_claimed[q] & core.placed, inputs[q] & core.placed,
               "CoreState::input_claimed", q);
  for (int q = 0; q < kOutputQueues; ++q)
    check.same(core.output_claimed[q] & core.placed, outputs[q] & core.placed,
               "CoreState::output_claimed", q);
  check.same(core.waiting & core.placed, waiting & core.placed, "CoreState::waiting");
}

void check_tasks(StripCheck& check) {
  const CoreState& core = check.core();
  check.within(core.running, core.placed, "CoreState::running");
  check.within(core.ending, core.running & ~core.waiting, "CoreState::ending");
  check.within(core.waiting, core.running, "CoreState::waiting");
  if (core.placed != 0) check.equal(check.router().programmed ? 1 : 0, 1, "StripState::programmed");
  std::uint32_t active = 0;
  for (int id = 0; id < kLocalTasks; ++id)
    if (core.local_active[id] != 0) active |= 1U << id;
  check.covers(core.local_any, active, "CoreState::local_any");
  for (Mask rest = core.ending; rest != 0; rest &= rest - 1)
    check.by(core.next_end, core.wake[model::lowest(rest)], "CoreState::next_end");
  for (Mask rest = model::in_code(core); rest != 0; rest &= rest - 1)
    check.by(core.next_issue, core.deadline[model::lowest(rest)], "CoreState::next_issue");
}

void check_descriptors(StripCheck& check) {
  const CoreState& core = check.core();
  for (int d = 0; d < kDescriptors; ++d) {
    const auto named = [&](auto... kinds) {
      return lanes_where(model::kAllLanes, [&](int lane) {
        const Operand::Kind kind = Operand::kind(core.where[d].at[lane]);
        return ((kind == kinds) || ...);
      });
    };
    check.same(core.fabric_dsr[d], named(Operand::fabric_in, Operand::fabric_out, Operand::fifo),
               "CoreState::fabric_dsr", d);
    check.same(core.shaped_dsr[d], named(Operand::shaped), "CoreState::shaped_dsr", d);
  }
}

}  // namespace

void check_cores(StripCheck& check) {
  check_ramps(check);
  check_microthreads(check);
  check_tasks(check);
  check_descriptors(check);
}

}  // namespace weft::test
