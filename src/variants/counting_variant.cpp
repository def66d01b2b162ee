// Compiled once for each instruction set, as step_variant.cpp: the step that counts.

#include "by_line/bundle_cycle.hpp"
#include "by_line/counting_hooks.hpp"
#include "counting/ahead.hpp"
#include "counting/settle.hpp"
#include "engine/step_functions.hpp"
#include "fast/element_rows.hpp"
#include "fast/run_ahead.hpp"
#include "fast/shortcuts.hpp"
#include "model/lanes/policy.hpp"
#include "model/rows.hpp"
#include "variants/names.hpp"

namespace weft::engine {
namespace {

/// A type of this file's own, so that no two variants share an instantiation.
struct CountingLanes {
  using Shape = model::Block;
  using Hooks =
      counting::CountingAhead<fast::Shortcuts<fast::ElementRows<fast::RunAhead<model::PlainHooks>>>,
                              CountingLanes>;
  static constexpr bool kRowWakes = true;
};
struct CountingLineLanes {
  using Shape = model::Abreast;
  using Hooks = by_line::CountingHooks<CountingLineLanes>;
  static constexpr bool kRowWakes = false;
};
static_assert(model::LanePolicy<CountingLanes> && model::LanePolicy<CountingLineLanes>);

/// f(strip) for those of some rows that have a program or a route.
template <class F>
void for_strips(const model::View& v, int row, int last, F f) {
  for (; row < last; ++row)
    for (int column = 0; column < v.strips; ++column) {
      const int index = row * v.strips + column;
      if (v.strip[index].programmed || v.strip[index].colors != 0)
        f(model::Place{index, row, column});
    }
}

void jump(const model::View& v, int row, int last, std::uint64_t first, std::uint64_t end) {
  for_strips(v, row, last, [&](const model::Place& at) {
    if (v.strip[at.index].busy != 0) counting::count_jump<CountingLanes>(v, at, first, end);
  });
}

void jump_lines(const model::View& v, std::uint64_t first, std::uint64_t end) {
  for_strips(v, 0, v.rows, [&](const model::Place& at) {
    if (v.strip[at.index].busy != 0)
      counting::count_jump_of_lines<CountingLineLanes>(v, at, first, end);
  });
}

void catch_up(const model::View& v, std::uint64_t end) {
  for_strips(v, 0, v.rows, [&](const model::Place& at) {
    if (v.strip[at.index].programmed) counting::catch_up<CountingLanes>(v, at, end);
  });
}

void settle(const model::View& v, std::uint64_t cycle) {
  for_strips(v, 0, v.rows,
             [&](const model::Place& at) { counting::settle<CountingLanes>(v, at.index, cycle); });
}

}  // namespace

const CountingFunctions WEFT_JOIN(counting_, WEFT_STEP_VARIANT) = {
    WEFT_TEXT(WEFT_STEP_VARIANT),
    {&model::route_row<CountingLanes>, &model::deliver_and_core_row<CountingLanes>},
    &jump,
    &catch_up,
    &settle,
    &by_line::step_bundle_cycle<CountingLineLanes>,
    &jump_lines,
};

}  // namespace weft::engine
