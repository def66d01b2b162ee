#pragma once

#include "counting/cores.hpp"
#include "model/core/issue.hpp"

/// Between runs.
namespace weft::counting {

/// After a fault in the cycle before `end`: cores that have put off instructions of cycles before
/// it, as nobody could notice, execute them.
template <class L>
[[gnu::noinline]] void catch_up(const View& v, const Place& at, std::uint64_t end) {
  CoreState& core = v.core[at.index];
  for (Mask late = due(in_code(core), core.wake, end - 1); late != 0;
       late = due(in_code(core), core.wake, end - 1)) {
    for_each(late, [&](int lane) { earlier(core.deadline[lane], end - 1); });
    core.next_issue = end - 1;
    issue<L>(v, at, core, end - 1);
  }
}

/// All of a strip is counted up to a cycle, and in its sums and windows.
template <class L>
[[gnu::noinline]] void settle(const View& v, int strip, std::uint64_t cycle) {
  StripCounts& s = v.counts->strip[strip];
  count_waits<L>(v, strip, cycle);
  settle_computing<L>(v, strip, kAllLanes, cycle);
  leave_group(s);
  for_each(s.in_task, [&](int lane) { end_task_cycles(v, strip, lane, cycle); });
  empty_tallies<L>(v, strip);
  settle_phases<L>(v, strip, cycle);
}

}  // namespace weft::counting
