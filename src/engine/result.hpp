#pragma once

#include <algorithm>
#include <vector>

#include "engine/clock.hpp"
#include "model/state.hpp"

namespace weft::engine {

/// The first cycle after the ends of tasks and the starts of microthreads that nobody has looked
/// at.
inline std::uint64_t end_of_unseen(const model::CoreState& core) {
  std::uint64_t end = 0;
  for (model::Mask rest = core.ending; rest != 0; rest &= rest - 1)
    end = std::max(end, core.wake[model::lowest(rest)] + 2);  // idle once before all is quiet
  for (std::uint32_t live = core.live; live != 0; live &= live - 1) {
    const model::Microthread& t = core.microthread[model::lowest(live)];
    for (model::Mask rest = t.starting; rest != 0; rest &= rest - 1)
      end = std::max(end, t.first[model::lowest(rest)] + 1);
  }
  return end;
}

/// They are over.
inline void finish_unseen(model::CoreState& core) {
  if (core.ending != 0) {
    core.running &= ~core.ending;
    core.ending = 0;
    core.next_end = 0;
  }
  for (std::uint32_t live = core.live; live != 0; live &= live - 1) {
    model::Microthread& t = core.microthread[model::lowest(live)];
    t.starting = 0;
    t.soonest = 0;
  }
}

/// Routers with wavelets that are stuck are looked at from this cycle on: the last block may have
/// stepped some more, in vain, and what happens between runs may free them.
inline void look_again(const model::View& v, std::uint64_t cycle) {
  for (int row = 0; row < v.rows; ++row) {
    for (int i = row * v.strips; i < (row + 1) * v.strips; ++i)
      if (v.route_wake[i] != model::kNever) model::earlier(v.route_wake[i], cycle);
    if (v.route_row[row] != model::kNever) model::earlier(v.route_row[row], cycle);
  }
}

/// The latest of the cycles of all processes, of which there is one.
struct OneProcess {
  std::uint64_t operator()(std::uint64_t cycle) const { return cycle; }
};

/// After a run. A quiet one lasts to the last thing that happened, seen or not, if its limit
/// allows. Cores without programs are not asked: perhaps nobody has touched their memory yet.
template <class Latest = OneProcess>
RunResult result_of(const Clock& clock, Stop stop, const model::View& v, Latest latest = {}) {
  if (stop != Stop::quiet) return {stop, clock.cycle, clock.skipped, {}};
  std::vector<model::CoreState*> cores;
  for (std::size_t i = 0; i < v.strip_count(); ++i)
    if (v.strip[i].programmed) cores.push_back(&v.core[i]);
  std::uint64_t end = clock.cycle;
  for (const model::CoreState* core : cores) end = std::max(end, end_of_unseen(*core));
  end = latest(end);
  if (end > clock.limit) {
    stop = Stop::limit;
    end = clock.limit;
  } else {
    for (model::CoreState* core : cores) finish_unseen(*core);
    look_again(v, end);
  }
  return {stop, end, clock.skipped + (end - clock.cycle), {}};
}

}  // namespace weft::engine
