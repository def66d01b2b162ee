#pragma once

#include "model/state/router_state.hpp"

/// Filters on the way from router to core.
namespace weft::model {

/// Wavelets that a filter's counter looks at.
WEFT_HD Mask counted(const FilterState& f, Mask lanes, Mask control) {
  return (lanes & ~control & f.count_data) | (lanes & control & f.count_control);
}

/// Lanes whose filter lets the wavelet pass to the core; others of `lanes` refuse it. `payload`
/// holds the wavelets of lanes with a range filter.
template <class L>
WEFT_HD Mask accepted(const FilterState& f, Mask lanes, Mask control,
                      const typename L::Words& payload) {
  Mask pass = lanes & (~counted(f, lanes, control) | f.in_window);
  if ((lanes & f.range) != 0) {
    const Mask inside = L::where(lanes & f.range, [&](int i) {
      const std::uint32_t index = payload[i] >> 16U;
      return f.limit1.at[i] <= index && index <= f.max_counter.at[i];
    });
    pass &= ~f.range | control | inside;
  }
  if ((lanes & f.filter_control) != 0) {
    const Mask due = L::where(lanes & f.filter_control,
                              [&](int i) { return f.counter.at[i] == f.max_counter.at[i]; });
    pass = (pass & ~f.filter_control) | (lanes & f.filter_control & control & due);
  }
  return pass;
}

/// Counts what a filter decided.
template <class L>
WEFT_HD void tally(FilterTally& t, Mask let_in, Mask refused, Mask control) {
  if (refused != 0) L::count_up(refused, t.refused.at);
  if (let_in == 0) return;
  L::count_up(let_in & ~control, t.let_in.at);
  if ((let_in & control) != 0) L::count_up(let_in & control, t.control.at);
}

/// Sparse counters at their limit: limit2 comes next, or nothing is counted any more.
template <class L>
WEFT_HD void end_sparse(FilterState& f, Mask lanes) {
  const Mask at_limit = L::where(lanes, [&](int i) { return f.counter.at[i] == f.limit1.at[i]; });
  const Mask again = at_limit & f.has_limit2;
  L::copy(again, f.limit1.at, f.limit2.at);
  L::fill(again, f.counter.at, ~std::uint32_t{0});  // counted up to 0 below
  L::once([&] {
    f.has_limit2 &= ~again;
    f.count_data &= ~(at_limit & ~again);
    f.count_control &= ~(at_limit & ~again);
  });
}

/// The filter counts the wavelets that passed its router. Returns the lanes in which it did.
template <class L>
WEFT_HD Mask count_passed(FilterState& f, Mask lanes, Mask control) {
  if ((lanes & f.sparse) != 0) end_sparse<L>(f, counted(f, lanes, control) & f.sparse);
  const Mask moved = counted(f, lanes, control);
  if (moved == 0) return 0;
  const Mask in_window = L::count_on(moved, f.counter.at, f.limit1.at, f.max_counter.at);
  L::once([&] { f.in_window = in_window; });
  return moved;
}

}  // namespace weft::model
