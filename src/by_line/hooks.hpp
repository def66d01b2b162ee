#pragma once

#include "by_line/geometry.hpp"
#include "by_line/shared_execution.hpp"
#include "by_line/unequal_lines.hpp"
#include "fast/element_rows.hpp"
#include "fast/run_ahead.hpp"
#include "model/lanes/loops.hpp"
#include "model/lanes/policy.hpp"

/// The step of a bundle, as hooks.
namespace weft::by_line {

/// Without accelerations: what follows from the shape of a bundle.
struct PlainLines : BundleGeometry, NoInterceptors, NoEvents, NoObserver {
  /// A delayed wavelet goes to the cores of these lanes, and will be counted as if refused.
  template <class L>
  WEFT_INLINE static void let_through(const View&, int /*strip*/, int /*color*/, Mask,
                                      std::uint64_t) {}
  /// After step 1: delayed wavelets of a color are about to go on by a place.
  template <class L>
  WEFT_INLINE static void pass_along(const View&, DelayLine&, int /*color*/, std::uint64_t) {}
  /// Ends of tasks are marked, as those that running ahead comes to early, and noted by each line's
  /// own clock, so that a run can tell when a PE did something last.
  WEFT_INLINE static bool end_task(Group& g) {
    fast::end_later(g);
    std::uint64_t& last = g.v.bundle->last->task_end;
    for_each(g.lanes, [&](int lane) {
      const std::uint64_t end = clock(g.v, lane, g.core.wake[lane]) + 2;
      last = last < end ? end : last;
    });
    return true;
  }
  WEFT_INLINE static void cores_act(const View& v, std::uint64_t now) { note_other(v, now); }
  WEFT_INLINE static void faulted(const View& v, const Place&, std::uint64_t cycle) {
    earlier(*v.bundle->fault, cycle);
  }
};

using LineHooks =
    StandsForLines<SharedExecution<WithDelayLines<fast::ElementRows<fast::RunAhead<PlainLines>>>>>;

/// Lanes that are lines.
struct LineLanes {
  using Shape = Abreast;
  using Hooks = LineHooks;
  static constexpr bool kRowWakes = false;
};

}  // namespace weft::by_line
