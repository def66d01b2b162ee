// Compiled once, for any CPU: the steps that emit events, with and without counts.

#include "by_line/bundle_cycle.hpp"
#include "by_line/hooks.hpp"
#include "counting/hooks.hpp"
#include "engine/step_functions.hpp"
#include "model/lanes/policy.hpp"
#include "model/rows.hpp"
#include "tracing/hooks.hpp"

namespace weft::engine {
namespace {

/// Types of this file's own, so that no variant shares an instantiation.
struct TracingLanes {
  using Shape = model::Block;
  using Hooks = tracing::Tracing<model::PlainHooks>;
  static constexpr bool kRowWakes = true;
};
static_assert(model::LanePolicy<TracingLanes>);

struct TracingAndCountingLanes {
  using Shape = model::Block;
  using Hooks = tracing::Tracing<counting::Counting<model::PlainHooks, TracingAndCountingLanes>>;
  static constexpr bool kRowWakes = true;
};
static_assert(model::LanePolicy<TracingAndCountingLanes>);

/// A line that is stepped once more (by_line/line_again.hpp): it stops where it did before.
struct LineAgainHooks : tracing::Tracing<by_line::LineHooks> {
  using Base = tracing::Tracing<by_line::LineHooks>;

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
struct TracingLineLanes {
  using Shape = model::Abreast;
  using Hooks = LineAgainHooks;
  static constexpr bool kRowWakes = false;
};
static_assert(model::LanePolicy<TracingLineLanes>);

}  // namespace

BlockFacts (*const tracing_bundle_cycle)(const model::View&, std::uint64_t now) =
    &by_line::step_bundle_cycle<TracingLineLanes>;

const RowFunctions tracing_rows = {&model::route_row<TracingLanes>,
                                   &model::deliver_and_core_row<TracingLanes>};

const RowFunctions tracing_and_counting_rows = {
    &model::route_row<TracingAndCountingLanes>,
    &model::deliver_and_core_row<TracingAndCountingLanes>};

}  // namespace weft::engine
