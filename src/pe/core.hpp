#pragma once

#include <type_traits>

#include "pe/ahead.hpp"
#include "pe/counting.hpp"

/// 3. Core.
namespace weft::pe {

/// Who watches the cores of a shape.
template <class S>
using WatchOf = std::conditional_t<S::kCounting, CoreWatch, NoWatch>;

/// 3.3. A core whose time has come issues an instruction. Of the router it does so here; any other
/// is only marked, for run_stretch: in each cycle that is stepped until it is executed. Returns
/// bits of Did.
template <class S>
WEFT_HD std::uint32_t issue(Pe<S> pe, const Now& now, CoreView c) {
  if (!has_stretch(c)) return 0;
  const std::uint32_t did =
      c.near().due == static_cast<std::uint32_t>(c.cycle) ? bits(Did::moved) : 0;
  if (c.code(c.near().pc).format() == isa::Format::router) {
    if constexpr (S::kCounting) {
      CoreWatch::issues(c, c.near().pc, now.cycle);
      count_one(counts_of(c), Count::router_writes);
    }
    write_router(pe, now.cycle, now.parity);
    return did;
  }
  return did | bits(Did::stretch);
}

/// The parts of a core's step, counted. Returns bits of Did.
template <class S>
WEFT_HD std::uint32_t step_counted(Pe<S> pe, const Now& now, CoreView c) {
  CoreWatch watch = CoreWatch::of(c);
  bool moved = step_microthreads(c, watch);
  const PeCounts counts = counts_of(c);
  end_streams(counts, c.near().live, now.cycle);
  const bool ran = c.near().running;
  moved |= pick_task(c);
  if (!ran && c.near().running) {
    count_task(c);
    watch.computes = true;
  }
  watch.computes |= has_stretch(c);
  counts.total(Count::elements) += watch.elements;
  const std::uint32_t did = issue(pe, now, c);
  note_state(counts, watch.state(), now.cycle);
  return did | (moved ? bits(Did::moved) : 0);
}

/// `torn_down`: colors that the router tore down in this cycle. Returns bits of Did; rare ones are
/// in Core::did.
template <class S>
WEFT_HD std::uint32_t step_core(Pe<S> pe, const Now& now, Colors torn_down) {
  const CoreView c = core_of(pe, now.cycle);
  if (torn_down != 0) tell_torn_down(c, torn_down);
  if constexpr (S::kCounting) {
    return step_counted(pe, now, c);
  } else {
    NoWatch watch;
    bool moved = step_microthreads(c, watch);
    moved |= pick_task(c);
    return issue(pe, now, c) | (moved ? bits(Did::moved) : 0);
  }
}

}  // namespace weft::pe
