#pragma once

#include <algorithm>
#include <exception>

#include "engine/clock.hpp"
#include "engine/result.hpp"
#include "model/core/group.hpp"

/// A run whose progress callback has thrown ends as one whose limit is a little later: cores may
/// have executed ahead of the clock, and others have put off what they need not do yet.
namespace weft::engine {

/// The first cycle of which nothing was executed, if nothing at or after `from` was stepped, but at
/// least the one after it. Cores are told to put off nothing until then, as with a limit that was
/// known from the beginning. A run with a fault goes on to it.
template <class Latest = OneProcess>
std::uint64_t first_whole_cycle(const model::View& v, std::uint64_t from, Latest latest = {}) {
  const auto each_lane = [&](auto f) {
    for (std::size_t i = 0; i < v.strip_count(); ++i)
      if (v.strip[i].programmed)
        for (model::Mask rest = v.core[i].running; rest != 0; rest &= rest - 1)
          f(i, v.core[i], model::lowest(rest));
  };
  std::uint64_t end = from + 1;
  each_lane([&](std::size_t, const model::CoreState& core, int lane) {
    // The end of a task, which a core came to early, is counted.
    const bool counted = v.counts != nullptr && model::has(core.ending, lane);
    end = std::max(end, core.wake[lane] + (counted ? 1 : 0));
  });
  for (std::size_t i = 0; i < v.strip_count(); ++i)
    if (v.faults[i].kind != FaultKind::none) end = std::max(end, v.faults[i].cycle + 1);
  end = latest(end);
  each_lane([&](std::size_t i, model::CoreState& core, int lane) {
    if (!model::has(model::in_code(core), lane) || core.wake[lane] >= end ||
        core.deadline[lane] < end)
      return;
    core.deadline[lane] = end - 1;
    model::earlier(core.next_issue, end - 1);
    model::earlier(v.core_wake[i], end - 1);
    model::earlier(v.core_row[i / static_cast<std::size_t>(v.strips)], end - 1);
  });
  return end;
}

/// Ends a run that was interrupted between two blocks, as `clock` tells: step(options) runs on from
/// there, to the first whole cycle.
template <class F>
RunResult end_interrupted(std::uint64_t whole, const Clock& clock, const RunOptions& options,
                          std::exception_ptr thrown, F step) {
  RunOptions rest = options;
  rest.progress = {};
  rest.limit = std::min(options.limit, whole);
  RunResult result = step(rest);
  result.skipped += clock.skipped + (clock.from - clock.cycle);
  result.thrown = std::move(thrown);
  return result;
}

}  // namespace weft::engine
