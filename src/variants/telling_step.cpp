// Compiled once, for any CPU: the steps that tell events, with and without counts.

#include "by_line/bundle_cycle.hpp"
#include "by_line/hooks.hpp"
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

/// A line that is stepped once more (by_line/line_again.hpp): it stops where it did before.
struct LineAgainHooks : telling::Telling<by_line::LineHooks> {
  using Base = telling::Telling<by_line::LineHooks>;

  static bool is_past(const model::View& v, const model::Place& at, std::uint64_t now) {
    const std::uint64_t* const until = v.bundle->until;
    if (until == nullptr || now < until[at.index]) return false;
    if (v.bundle->stopped[at.index] == model::kNever) Base::stop(v, at, false, now);
    return true;
  }
  static bool may_step(const model::View& v, const model::Place& at, std::uint64_t now) {
    return !is_past(v, at, now) && Base::may_step(v, at, now);
  }
  static bool may_step_cores(const model::View& v, const model::Place& at, std::uint64_t now) {
    return !is_past(v, at, now) && Base::may_step_cores(v, at, now);
  }
};
struct TellingLineLanes {
  using Shape = model::Abreast;
  using Hooks = LineAgainHooks;
  static constexpr bool kRowWakes = false;
  static constexpr bool kLanesAlike = true;
};
static_assert(model::LanePolicy<TellingLineLanes>);

}  // namespace

BlockFacts (*const telling_bundle_cycle)(const model::View&, std::uint64_t now) =
    &by_line::step_bundle_cycle<TellingLineLanes>;

const RowFunctions telling_rows = {&model::route_row<TellingLanes>,
                                   &model::deliver_and_core_row<TellingLanes>};

const RowFunctions telling_and_counting_rows = {
    &model::route_row<TellingAndCountingLanes>,
    &model::deliver_and_core_row<TellingAndCountingLanes>};

}  // namespace weft::engine
