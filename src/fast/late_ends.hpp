#pragma once

#include "model/core/group.hpp"
#include "model/core/tasks.hpp"
#include "model/lanes/lane_vectors.hpp"

/// Ends of tasks that cores came to before their cycle (CoreState::ending).
namespace weft::fast {

using namespace model;

/// A core that reaches a task's end early is only marked. The next visit clears the mark: until
/// then nobody can tell.
static WEFT_INLINE void end_later(Group& g) {
  CoreState& core = g.core;
  fill(g.lanes, core.pc.at, g.pc);
  put_later(g.lanes, core.wake, core.wake, g.elapsed);
  const std::uint64_t first = least(g.lanes, core.wake);
  if (core.ending == 0 || first < core.next_end) core.next_end = first;
  core.ending |= g.lanes;
}

/// Marked cores are idle from the cycle after their task's end.
WEFT_INLINE void end_tasks(CoreState& core, std::uint64_t now) {
  if (core.ending == 0 || core.next_end >= now) return;
  const Mask ended = due(core.ending, core.wake, now - 1);
  core.running &= ~ended;
  core.ending &= ~ended;
  core.next_end = core.ending != 0 ? least(core.ending, core.wake) : 0;
}

/// The next cycle in which a marked core takes a task that is there for it already.
WEFT_INLINE std::uint64_t next_after_end(CoreState& core, std::uint64_t now) {
  const Mask lanes = offered_tasks(core) & core.ending;
  if (lanes == 0) return kNever;
  const std::uint64_t end = least(lanes, core.wake);
  return (end > now ? end : now) + 1;
}

}  // namespace weft::fast
