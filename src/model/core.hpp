#pragma once

#include "model/execute.hpp"
#include "model/streams.hpp"
#include "model/tasks.hpp"

/// Step 3 of the cycle: the cores.
namespace weft::model {

/// Executes the group's instruction.
template <class L>
WEFT_HD_CALL void execute(Group& g) {
  const Instruction& i = g.v.code[g.pc];
  g.next = g.pc + 1;
  g.cost = isa::cost_of(i.op) == Cost::scalar_f32 ? g.v.timing.scalar_f32 : g.v.timing.scalar;
  if constexpr (L::kExecutorPerInstruction) {
    switch (i.op) {
#define WEFT_INSTRUCTION(name, format_, function, cost, runs_ahead, meaning)    \
  case Op::name:                                                                \
    return format::format_<L>(g, i, [](isa::Word d, isa::Word a, isa::Word b) { \
      return static_cast<isa::Word>(isa::function(d, a, b));                    \
    });
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
    }
  } else {
    const auto function = [op = i.op](isa::Word d, isa::Word a, isa::Word b) {
      return isa::element(op, d, a, b);
    };
    switch (isa::format_of(i.op)) {
#define WEFT_FORMAT(name) \
  case Format::name:      \
    return format::name<L>(g, i, function);
      WEFT_SCALAR_FORMATS(WEFT_FORMAT)
#undef WEFT_FORMAT
      default:
        return format::vector<L>(g, isa::format_of(i.op), i, function);
    }
  }
}

/// Instructions that touch only the PE's own registers and memory, start microthreads, or set a
/// filter's limit (limit_is_far), may be executed before the clock reaches their cycle: nothing
/// else can tell.
template <class L>
WEFT_HD bool runs_ahead(const Group& g, const Instruction& i) {
  const CoreState& core = g.core;
  const Mask lanes = g.lanes;
  if (i.op == Op::flimit) return format::limit_is_far<L>(g, i);
  if (!isa::runs_ahead(i.op)) return false;
  if (isa::touches_registers_only(i.op)) return true;
  const Format format = isa::format_of(i.op);
  if (isa::is_vector(format)) {
    const VectorOperands o = operands_of(format, i);
    if (const Mask fabric = lanes & fabric_lanes(core, o); fabric != 0)
      return fabric == lanes && starts_early<L>(core, lanes, o, i);
  }
  return (with_microthreads(core) & lanes) == 0;  // which may be using the memory
}

/// The end of a task is left for whoever looks at the strip next: until then nobody can tell.
template <class L>
WEFT_HD void end_later(Group& g) {
  CoreState& core = g.core;
  L::at_once(g.lanes, [&](int lane) {
    core.pc.at[lane] = g.pc;
    core.wake[lane] = g.time(lane);
  });
  const std::uint64_t first = L::least(g.lanes, core.wake);
  L::once([&] {
    if (core.ending == 0 || first < core.next_end) core.next_end = first;
    core.ending |= g.lanes;
  });
}

/// How many cycles a core runs ahead of its instruction's at most: a loop without an end would not
/// come back otherwise, and a run that is to stop goes on until the clock is where its cores are.
constexpr std::uint64_t kMostAhead = 4096;

/// Executes the instructions of one group, and runs ahead while that is safe.
template <class L>
WEFT_HD_CALL void run_group(const View& v, const Place& at, CoreState& core, Mask lanes,
                            std::uint64_t now) {
  Group g{v, at, core, lanes, L::pick(core.pc.at, lowest(lanes)), 0, 0, now, 0};
  for (;;) {
    const Mask before = g.lanes;
    execute<L>(g);
    if (g.lanes == 0) return;
    g.elapsed += g.cost;
    g.pc = g.next;
    // A lane that pick_tasks let begin at once is up to task_start ahead of the clock.
    if (g.lanes != before || now + v.timing.task_start + g.elapsed >= v.horizon) break;
    if (g.elapsed >= kMostAhead) break;
    const Instruction& i = v.code[g.pc];
    if (i.op == Op::end) return end_later<L>(g);
    if (!runs_ahead<L>(g, i)) break;
  }
  if constexpr (L::kByLine) return go_on_together<L>(v, core, g.lanes, g.pc, g.elapsed);
  L::at_once(g.lanes, [&](int lane) { go_on(v, core, lane, g.pc, g.time(lane)); });
}

/// Step 3c. Cores whose turn has come execute, together with those that are at the same instruction
/// and may wait. Returns the lanes that did.
template <class L>
WEFT_HD_CALL Mask issue(const View& v, const Place& at, CoreState& core, std::uint64_t now) {
  if (core.next_issue > now) return 0;
  Mask issued = 0;
  std::uint64_t next = 0;
  do {
    Mask due = L::due(in_code(core), core.turn, now);
    while (due != 0) {
      const std::uint32_t pc = L::pick(core.pc.at, lowest(due));
      const Mask able = due | (v.quiet[pc] > 1 ? L::due(in_code(core), core.wake, now) : 0);
      const Mask group = L::equal(able, core.pc.at, pc);
      due &= ~group;
      issued |= group;
      run_group<L>(v, at, core, group, now);
    }
    next = L::least(in_code(core), core.turn);
  } while (next <= now);  // lanes that had waited may part before this cycle
  L::once([&] { core.next_issue = next; });
  return issued;
}

/// The next cycle in which some core of the strip has something to do by itself. `again`: of
/// Streams.
template <class L>
WEFT_HD_CALL std::uint64_t next_wake(const View& v, const CoreState& core, bool again,
                                     std::uint64_t now) {
  if (again) return now + 1;
  std::uint64_t wake = next_arrival(core.inputs_arriving, now, v.timing.ramp);
  earlier(wake, core.next_issue);
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const int u = lowest(rest);
    const Microthread& t = core.microthread[u];
    // Where its queue is not ready, the start changes nothing: the strip is looked at when it is.
    const Mask kept = t.starting & kept_by_queue(v, core, u);
    if (t.starting != kept)
      earlier(wake, kept == 0 ? t.soonest : L::least(t.starting & ~kept, t.first));
    if (able_with_others<L>(v, core, u) != 0) earlier(wake, now + 1);
  }
  return wake;
}

/// Cores whose task's end was left for later are idle from the cycle after it.
template <class L>
WEFT_HD void end_tasks(CoreState& core, std::uint64_t now) {
  if (core.ending == 0 || core.next_end >= now) return;
  const Mask ended = L::due(core.ending, core.wake, now - 1);
  const Mask later = core.ending & ~ended;
  const std::uint64_t next = L::least(later, core.wake);
  L::once([&] {
    core.running &= ~ended;
    core.ending = later;
    core.next_end = later != 0 ? next : 0;
  });
}

/// The next cycle in which such a core takes the task that is there for it already.
template <class L>
WEFT_HD std::uint64_t next_after_end(CoreState& core, std::uint64_t now) {
  const Mask lanes = L::once([&] { return offered_tasks(core) & core.ending; });
  if (lanes == 0) return kNever;
  const std::uint64_t end = L::least(lanes, core.wake);
  return (end > now ? end : now) + 1;
}

/// Step 3. Returns whether any core did anything.
template <class L>
WEFT_HD_CALL bool step_core(const View& v, const Place& at, std::uint64_t now) {
  CoreState& core = v.core[at.index];
  const int slot = delay_slot(now);
  L::once([&] {
    core.inputs_held |= core.inputs_arriving[slot];
    settle(core.in, core.inputs_arriving[slot], slot);
  });
  end_tasks<L>(core, now);
  const Streams streams = step_microthreads<L>(v, at, core, now);
  const Mask picked = pick_tasks<L>(v, at, core, now);
  const Mask running = core.running;
  const Mask issued = issue<L>(v, at, core, now);
  L::once([&] {
    for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
      if (core.in[lowest(rest)].valid[0] == 0) core.inputs_held &= ~(1U << lowest(rest));
  });

  std::uint64_t wake = next_wake<L>(v, core, streams.again, now);
  // A task that ended, or a wavelet taken silently, may leave another task runnable.
  if (core.running != running || (picked & ~running) != 0) earlier(wake, now + 1);
  if (core.ending != 0) earlier(wake, next_after_end<L>(core, now));
  L::once([&] { v.core_wake[at.index] = wake; });
  return streams.moved || picked != 0 || issued != 0;
}

}  // namespace weft::model
