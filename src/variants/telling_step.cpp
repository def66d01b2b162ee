// Compiled once, for any CPU: the steps that tell events, with and without counts.

#include "counting/hooks.hpp"
#include "engine/step_functions.hpp"
#include "model/lanes/policy.hpp"
#include "model/rows.hpp"
#include "telling/hooks.hpp"

namespace weft::engine {
namespace {

/// Types of this file's own, so that no variant shares an instantiation.
struct TellingLanes {
  using Shape = model::Block;
  using Hooks = telling::Telling<model::PlainHooks>;
  static constexpr bool kRowWakes = true;
  static constexpr bool kLanesAlike = false;
};
static_assert(model::LanePolicy<TellingLanes>);

struct TellingAndCountingLanes {
  using Shape = model::Block;
  using Hooks = telling::Telling<counting::Counting<model::PlainHooks, TellingAndCountingLanes>>;
  static constexpr bool kRowWakes = true;
  static constexpr bool kLanesAlike = false;
};
static_assert(model::LanePolicy<TellingAndCountingLanes>);

}  // namespace

const RowFunctions telling_rows = {&model::route_row<TellingLanes>,
                                   &model::deliver_and_core_row<TellingLanes>};

const RowFunctions telling_and_counting_rows = {
    &model::route_row<TellingAndCountingLanes>,
    &model::deliver_and_core_row<TellingAndCountingLanes>};

}  // namespace weft::engine
