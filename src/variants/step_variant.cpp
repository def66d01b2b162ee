// Compiled once for each instruction set: WEFT_STEP_VARIANT is baseline, avx2 or avx512.

#include "by_line/bundle_cycle.hpp"
#include "by_line/hooks.hpp"
#include "engine/step_functions.hpp"
#include "fast/element_rows.hpp"
#include "fast/run_ahead.hpp"
#include "fast/shortcuts.hpp"
#include "fast/stuck.hpp"
#include "model/lanes/policy.hpp"
#include "model/rows.hpp"
#include "variants/names.hpp"

namespace weft::engine {
namespace {

/// Types of this file's own, so that no two variants share an instantiation.
struct Lanes {
  using Shape = model::Block;
  using Hooks = fast::Stuck<fast::Shortcuts<fast::ElementRows<fast::RunAhead<model::PlainHooks>>>>;
  static constexpr bool kRowWakes = true;
};
struct LineLanes : by_line::LineLanes {};

static_assert(model::LanePolicy<Lanes> && model::LanePolicy<LineLanes>);

}  // namespace

const StepFunctions WEFT_JOIN(step_, WEFT_STEP_VARIANT) = {
    WEFT_TEXT(WEFT_STEP_VARIANT),
    {&model::route_row<Lanes>, &model::deliver_and_core_row<Lanes>},
    &by_line::step_bundle_cycle<LineLanes>,
    &model::execute<Lanes>,
    &WEFT_JOIN(run_sweep_, WEFT_STEP_VARIANT),
};

}  // namespace weft::engine
