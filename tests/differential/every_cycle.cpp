#include "differential/every_cycle.hpp"

#include <algorithm>

#include "engine/step_functions.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "support/invariants.hpp"
#include "support/link_rests.hpp"
#include "support/strip_steps.hpp"

namespace weft::test {
namespace {

using model::View;

/// All strips, whatever their wakes say.
void step_all(const View& v, std::uint64_t now) {
  engine::Activity activity;
  for (const auto step : {route_strip, deliver_strip, core_strip})
    for (int i = 0; i < v.strips * v.rows; ++i) step(v, i, When::always, now, activity);
}

bool faulted(const View& v, std::uint64_t now) {
  return std::any_of(v.fault_row, v.fault_row + v.rows,
                     [&](std::uint64_t cycle) { return cycle <= now; });
}

}  // namespace

void after_each_cycle(const Case& c, std::uint64_t cycles,
                      const std::function<bool(fabric::State&, std::uint64_t)>& after) {
  fabric::State state = state_of(c);
  View view = state.view();
  view.horizon = cycles;
  LinkRests links(view);
  const engine::RowFunctions& step = engine::step_functions().rows;
  for (std::uint64_t now = 0; now < cycles; ++now) {
    links.begin_cycle(now);
    for (int row = 0; row < view.rows; ++row) step.route(view, row, now);
    for (int row = 0; row < view.rows; ++row) step.deliver_and_core(view, row, now);
    if (faulted(view, now) || !after(state, now)) return;
  }
}

std::string broken_invariant_of(const Case& c, std::uint64_t cycles) {
  std::string broken;
  after_each_cycle(c, cycles, [&](fabric::State& state, std::uint64_t now) {
    broken = broken_invariant(state, now);
    return broken.empty();
  });
  return broken;
}

std::optional<Difference> run_always_awake(const Case& c) {
  fabric::State state = state_of(c);  // first: it checks the layout
  Reference reference(c);
  const spec::Fabric::Stop stop = reference.run(c.limit);
  View view = state.view();
  view.horizon = reference.cycle();
  LinkRests links(view);
  for (std::uint64_t now = 0; now < reference.cycle(); ++now) {
    links.begin_cycle(now);
    step_all(view, now);
  }
  return compare(reference, state, fabric::facts_of_programs(state.code, state.programs),
                 reference.cycle(),
                 stop == spec::Fabric::Stop::fault ? Scope::after_fault : Scope::all);
}

}  // namespace weft::test
