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
#define WEFT_INSTRUCTION(name, format_, function, ...)                          \
  case Op::name:                                                                \
    return format::format_<L>(g, i, [](isa::Word d, isa::Word a, isa::Word b) { \
      return static_cast<isa::Word>(isa::function(d, a, b));                    \
    });
#include "isa/instructions.def"
#include "model/lanes/lane_vectors.hpp"
  }
}

/// Executes an instruction of the lanes of a group, and then those after it that they may execute
/// now.
template <class L>
[[gnu::noinline]] void run_group(const View& v, const Place& at, CoreState& core, Mask lanes,
                                 std::uint64_t now) {
  Group g{v, at, core, lanes, core.pc.at[lowest(lanes)], 0, 0, now, 0};
  for (;;) {
    const Mask before = g.lanes;
    execute<L>(g);
    if (g.lanes == 0) return;
    g.elapsed += g.cost;
    g.pc = g.next;
    if (g.lanes != before || !L::Hooks::template executes_early<L>(g)) break;
    if (g.lanes == 0) return;
  }
  schedule_issue_all<L>(v, core, g.lanes, g.pc, g.elapsed);
}

/// Step 3.3. Cores whose time has come execute, together with those that are at the same
/// instruction and may wait. Returns the lanes that did.
template <class L>
[[gnu::noinline]] Mask issue(const View& v, const Place& at, CoreState& core, std::uint64_t now) {
  if (core.next_issue > now) return 0;
  Mask issued = 0;
  std::uint64_t next = 0;
  do {
    Mask rest = due(in_code(core), core.deadline, now);
    while (rest != 0) {
      const std::uint32_t pc = core.pc.at[lowest(rest)];
      const Mask able = rest | (v.private_cycles[pc] > 1 ? due(in_code(core), core.wake, now) : 0);
      const Mask group = equal(able, core.pc.at, pc);
      rest &= ~group;
      issued |= group;
      run_group<L>(v, at, core, group, now);
    }
    next = least(in_code(core), core.deadline);
  } while (next <= now);  // lanes that had waited may part before this cycle
  core.next_issue = next;
  return issued;
}

}  // namespace weft::model
