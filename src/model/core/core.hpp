#pragma once

#include "model/core/issue.hpp"
#include "model/core/microthreads.hpp"
#include "model/core/tasks.hpp"
#include "model/lanes/lane_vectors.hpp"

/// Step 3 of the cycle: the cores.
namespace weft::model {

/// The next cycle in which some core of the strip has something to do by itself. `again`: a
/// microthread can do its next element in the next cycle.
template <class L>
[[gnu::noinline]] std::uint64_t next_wake(const View& v, const CoreState& core, bool again,
                                          std::uint64_t now) {
  if (again) return now + 1;
  std::uint64_t wake = next_arrival(core.inputs_arriving, now, v.timing.ramp);
  earlier(wake, core.next_issue);
  for (std::uint32_t rest = core.live; rest != 0 && wake > now + 1; rest &= rest - 1) {
    const int u = lowest(rest);
    const Microthread& t = core.microthread[u];
    // Where its queue is not ready, the start changes nothing: the strip is looked at when it is.
    if (t.starting != 0) {
      const Mask kept =
          L::Hooks::starts_unnoticed(v) ? t.starting & kept_by_queue(v, core, u) : Mask{0};
      if (t.starting != kept)
        earlier(wake, kept == 0 ? t.soonest : least(t.starting & ~kept, t.first));
    }
    if (able_with_others(v, core, u) != 0) earlier(wake, now + 1);
  }
  return wake;
}

/// Step 3. Returns whether any core did anything.
template <class L>
[[gnu::noinline]] bool step_core(const View& v, const Place& at, std::uint64_t now) {
  CoreState& core = v.core[at.index];
  const int slot = delay_slot(now);
  core.inputs_held |= core.inputs_arriving[slot];
  make_visible(core.in, core.inputs_arriving[slot], slot);
  L::Hooks::before_cores(core, now);
  L::Hooks::template begin_cores<L>(v, at, core, now);
  const Mask in_tasks = in_code(core);
  const Streams streams = step_microthreads<L>(v, at, core, now);
  const Mask picked = pick_tasks<L>(v, at, core, now);
  const Mask running = core.running;
  const Mask issued = issue<L>(v, at, core, now, in_code(core) & ~in_tasks);
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
    if (core.in[lowest(rest)].valid[0] == 0) core.inputs_held &= ~(1U << lowest(rest));

  std::uint64_t wake = next_wake<L>(v, core, streams.again, now);
  // A task that ended, or a wavelet taken silently, may leave another task runnable.
  if (core.running != running || (picked & ~running) != 0) earlier(wake, now + 1);
  earlier(wake, L::Hooks::next_wake(core, now));
  L::Hooks::template end_cores<L>(v, at, core, now, wake);
  v.core_wake[at.index] = wake;
  return streams.moved || picked != 0 || issued != 0;
}

}  // namespace weft::model
