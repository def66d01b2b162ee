#pragma once

#include "model/core/execute.hpp"

/// Step 3.3 of the cycle: cores execute instructions.
namespace weft::model {

/// Executes the group's instruction.
template <class L>
[[gnu::noinline]] void execute(Group& g) {
  const Instruction& i = g.v.code[g.pc];
  g.next = g.pc + 1;
  g.cost = isa::cost_of(i.op) == isa::Cost::scalar_f32 ? g.v.timing.scalar_f32 : g.v.timing.scalar;
  switch (i.op) {
#define WEFT_INSTRUCTION(name, format_, function, ...) \
  case Op::name:                                       \
    return format::format_<L>(g, i, WEFT_FUNCTION_OF_WORDS(isa::function));
#include "isa/instructions.def"
#include "model/lanes/lane_vectors.hpp"
  }
}

/// Executes the group's instruction, and then those after it that it may execute now, until it
/// comes to a lane of `ahead`. Lanes that have come to an instruction of their own join `ahead`.
template <class L>
WEFT_INLINE void run_group(Group& g, Mask& ahead) {
  for (;;) {
    const Mask before = g.lanes;
    L::Hooks::template issues_group<L>(g);
    if (!L::Hooks::executes(g)) execute<L>(g);
    if (g.lanes != before) ahead |= before & ~g.lanes & in_code(g.core);
    if (g.lanes == 0) return;
    g.elapsed += g.cost;
    g.pc = g.next;
    if (ahead != 0 && g.pc >= least(ahead, g.core.pc.at)) {
      ahead |= g.lanes;
      break;
    }
    if (!L::Hooks::template executes_early<L>(g)) break;
    if (g.lanes == 0) return;
  }
  schedule_issue<L>(g.v, g.core, g.lanes, g.pc, g.elapsed);
}

/// Lanes execute what they may before its cycle, if that is before `until`. Lanes that part at a
/// branch come together again: of those that go on, the ones at the lowest instruction do so first.
template <class L>
[[gnu::noinline]] void go_ahead(const View& v, const Place& at, CoreState& core, Mask lanes,
                                std::uint64_t until, std::uint64_t now) {
  while ((lanes = due(lanes, core.wake, until - 1)) != 0) {
    const std::uint32_t pc = least(lanes, core.pc.at);
    Group g{v, at, core, equal(lanes, core.pc.at, pc), pc, 0, 0, now, 0, 0};
    g.latest = most(g.lanes, core.wake);
    lanes &= ~g.lanes;
    if (L::Hooks::template executes_early<L>(g) && g.lanes != 0) run_group<L>(g, lanes);
  }
}

/// Executes an instruction of these lanes, all at the same one, and those after it that they may
/// execute now.
template <class L>
[[gnu::noinline]] void run_lanes(const View& v, const Place& at, CoreState& core, Mask lanes,
                                 std::uint64_t now) {
  Group first{v, at, core, lanes, core.pc.at[lowest(lanes)], 0, 0, now, 0, now};
  Mask ahead = 0;
  const std::uint64_t until = L::Hooks::early_until(v, now);
  if (core.early_until != until) {  // others had stopped there
    core.early_until = until;
    ahead = in_code(core) & ~lanes;
  }
  L::Hooks::issues(v, first.pc, now);
  run_group<L>(first, ahead);
  if (ahead != 0) go_ahead<L>(v, at, core, ahead, until, now);
}

/// Step 3.3. Cores whose time has come execute, together with those that are at the same
/// instruction and may wait. Returns the lanes that did. `begun`: lanes that have come to the first
/// instruction of a task in this cycle, or go on after a wait. Those of them that have a
/// microthread under way execute now what they may before its cycle; others may wait for each
/// other.
template <class L>
[[gnu::noinline]] Mask issue(const View& v, const Place& at, CoreState& core, std::uint64_t now,
                             Mask begun = 0) {
  if (begun != 0) {
    const Mask alone = begun & with_microthreads(core);
    go_ahead<L>(v, at, core, alone, L::Hooks::early_until(v, now), now);
    core.next_issue = least(in_code(core), core.deadline);
  }
  if (core.next_issue > now) return 0;
  Mask issued = 0;
  std::uint64_t next = 0;
  do {
    Mask rest = due(in_code(core), core.deadline, now);
    while (rest != 0) {
      const std::uint32_t pc = core.pc.at[lowest(rest)];
      const Mask able = rest | (v.private_cycles[pc] > 1 ? due(in_code(core), core.wake, now) : 0);
      const Mask group = equal(able, core.pc.at, pc);
      issued |= group;
      run_lanes<L>(v, at, core, group, now);
      rest = due(rest & ~group & in_code(core), core.deadline, now);  // others may have gone along
    }
    next = least(in_code(core), core.deadline);
  } while (next <= now);  // lanes that had waited may part before this cycle
  core.next_issue = next;
  return issued;
}

}  // namespace weft::model
