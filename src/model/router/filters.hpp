#pragma once

#include "model/lanes/lane_sums.hpp"
#include "model/state/router_state.hpp"

/// Filters on the way from router to core.
namespace weft::model {

/// Wavelets that a filter's counter looks at.
WEFT_INLINE Mask counted(const FilterState& f, Mask lanes, Mask control) {
  return (lanes & ~control & f.count_data) | (lanes & control & f.count_control);
}

/// Lanes whose filter lets the wavelet pass to the core; others of `lanes` refuse it. `payload`
/// holds the wavelets of lanes with a range filter.
static WEFT_INLINE Mask accepted(const FilterState& f, Mask lanes, Mask control,
                                 const Vector& payload) {
  Mask pass = lanes & (~counted(f, lanes, control) | f.in_window);
  if ((lanes & f.range) != 0) {
    const Mask inside = where(lanes & f.range, [&](int i) {
      const std::uint32_t index = payload.at[i] >> 16U;
      return f.limit1.at[i] <= index && index <= f.max_counter.at[i];
    });
    pass &= ~f.range | control | inside;
  }
  if ((lanes & f.filter_control) != 0) {
    const Mask due = where(lanes & f.filter_control,
                           [&](int i) { return f.counter.at[i] == f.max_counter.at[i]; });
    pass = (pass & ~f.filter_control) | (lanes & f.filter_control & control & due);
  }
  return pass;
}

/// Counts what a filter decided.
WEFT_INLINE void tally(FilterTally& t, Mask let_in, Mask refused, Mask control) {
  if (refused != 0) count_up(refused, t.refused.at);
  if (let_in == 0) return;
  count_up(let_in & ~control, t.let_in.at);
  if ((let_in & control) != 0) count_up(let_in & control, t.control.at);
}

/// Sparse counters at their limit: limit2 comes next, or nothing is counted any more.
static WEFT_INLINE void end_sparse(FilterState& f, Mask lanes) {
  const Mask at_limit = where(lanes, [&](int i) { return f.counter.at[i] == f.limit1.at[i]; });
  const Mask again = at_limit & f.has_limit2;
  copy(again, f.limit1.at, f.limit2.at);
  fill(again, f.counter.at, ~std::uint32_t{0});  // counted up to 0 below
  f.has_limit2 &= ~again;
  f.count_data &= ~(at_limit & ~again);
  f.count_control &= ~(at_limit & ~again);
}

/// The filter counts the wavelets that passed its router. Returns the lanes in which it did.
WEFT_INLINE Mask count_passed(FilterState& f, Mask lanes, Mask control) {
  if ((lanes & f.sparse) != 0) end_sparse(f, counted(f, lanes, control) & f.sparse);
  const Mask moved = counted(f, lanes, control);
  if (moved == 0) return 0;
  f.in_window = count_on(moved, f.counter.at, f.limit1.at, f.max_counter.at);
  return moved;
}

}  // namespace weft::model
