#pragma once

#include "engine/clock.hpp"

namespace weft::engine {

/// Nothing will happen any more: what nobody need have looked at has happened.
inline void settle(model::CoreState& core) {
  core.running &= ~core.ending;
  core.ending = 0;
  core.next_end = 0;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    core.microthread[model::lowest(rest)].starting = 0;
    core.microthread[model::lowest(rest)].soonest = 0;
  }
}

/// After a run. A quiet one lasts to the last thing that happened, seen or not, if its limit
/// allows.
inline RunResult result_of(const Clock& clock, Stop stop, const model::View& v) {
  if (stop != Stop::quiet) return {stop, clock.cycle, clock.skipped};
  std::uint64_t end = clock.cycle;
  for (std::size_t i = 0; i < v.strip_count(); ++i) model::not_before(end, v.core[i].unseen);
  if (end > clock.limit) {
    stop = Stop::limit;
    end = clock.limit;
  } else {
    for (std::size_t i = 0; i < v.strip_count(); ++i) settle(v.core[i]);
  }
  return {stop, end, clock.skipped + (end - clock.cycle)};
}

}  // namespace weft::engine
