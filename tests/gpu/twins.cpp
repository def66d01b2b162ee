#include "gpu/twins.hpp"

#include <gtest/gtest.h>

#include "engine/clock.hpp"
#include "support/same_state.hpp"

namespace weft::test {
namespace {

engine::Totals totals_of(const fabric::State& state) {
  engine::Totals all;
  for (std::size_t i = 0; i < state.strip_count(); ++i) all.add(state.strip[i]);
  return all;
}

}  // namespace

Twins::Twins(const std::function<fabric::State()>& build)
    : on_host(build()), on_device(build()), device_(on_device.view(), on_device.sizes()) {}

engine::RunResult Twins::run_device(std::uint64_t limit, int blocks,
                                    const std::function<void(std::uint64_t)>& progress) {
  model::Sizes sizes = on_device.sizes();
  const engine::RunResult result =
      device_.run(on_device.view(), sizes, cycle, {limit, 1, progress, blocks});
  device_.bring_back(on_device.view(), sizes);
  on_device.touched_words = sizes.touched_words;
  return result;
}

engine::RunResult Twins::run(std::uint64_t limit, int blocks,
                             const std::function<void(std::uint64_t)>& progress) {
  // Cores run ahead of a fault until their engine's block ends, so blocks are as long.
  const engine::RunResult of_host =
      engine::run_on_host(on_host.view(), cycle, {limit, 1, {}, engine::kMostCycles});
  const double stepped_s = device_.step_seconds();
  const engine::RunResult of_device = run_device(limit, blocks, progress);
  EXPECT_EQ(of_device.stop, of_host.stop);
  EXPECT_EQ(of_device.cycle, of_host.cycle);
  EXPECT_EQ(difference(on_host, on_device), "");
  if (device_.step_seconds() > stepped_s) {  // otherwise nothing was launched
    EXPECT_EQ(device_.totals(), totals_of(on_host));
  }
  cycle = of_host.cycle;
  return of_host;
}

}  // namespace weft::test
