// What one strip costs in a cycle in which one color passes through all its PEs, also by line, and
// what a mesh costs whose other rows are quiet. WEFT_STEP chooses the step variant that is
// measured.
#include <benchmark/benchmark.h>

#include "streams.hpp"

namespace {

using namespace weft::bench;

/// The least time of some runs; 0 and an error where this CPU does not run the variant.
StreamsRun best(benchmark::State& state, const weft::Layout& layout,
                const weft::FabricOptions& options = {}) {
  StreamsRun least{};
  try {
    for (auto _ : state) {
      const StreamsRun one = run(layout, options);
      state.SetIterationTime(one.seconds);
      if (least.seconds == 0 || one.seconds < least.seconds) least = one;
    }
  } catch (const weft::Error& error) {
    state.SkipWithError(error.what());
  }
  return least;
}

// Senders and receivers are two of 512 PEs in each row of one row of strips: what is measured is
// Route and Deliver.
void busy_strip(benchmark::State& state) {
  constexpr int kWidth = 512, kStripWidth = 16, kStripHeight = 4;
  const StreamsRun least =
      best(state, lay_out({.width = kWidth, .height = kStripHeight, .wavelets = 20'000}));
  const double steps = static_cast<double>(least.counters.cycle) * kWidth / kStripWidth;
  state.counters["ns_per_step"] = least.seconds / steps * 1e9;
  state.counters["link_load"] =
      static_cast<double>(least.counters.hops) / (steps * kStripWidth * kStripHeight);
}
BENCHMARK(busy_strip)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);

// The same stepped by line: 64 rows are a bundle, and each strip of it has a PE of each.
void busy_bundle(benchmark::State& state) {
  constexpr int kWidth = 512, kLines = 64;
  weft::FabricOptions options;
  options.by_line = true;
  const StreamsRun least =
      best(state, lay_out({.width = kWidth, .height = kLines, .wavelets = 20'000}), options);
  const double steps = static_cast<double>(least.counters.cycle) * kWidth;
  state.counters["ns_per_step"] = least.seconds / steps * 1e9;
  state.counters["link_load"] = static_cast<double>(least.counters.hops) / (steps * kLines);
}
BENCHMARK(busy_bundle)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);

// One row talks, in a mesh of `height` rows.
void quiet_mesh(benchmark::State& state) {
  constexpr int kWidth = 512;
  const int height = static_cast<int>(state.range(0));
  const Streams streams{.width = kWidth, .height = height, .where = {0, height / 2, kWidth, 1}};
  const StreamsRun least = best(state, lay_out(streams));
  state.counters["ns_per_cycle"] = least.seconds / static_cast<double>(least.counters.cycle) * 1e9;
}
BENCHMARK(quiet_mesh)
    ->ArgName("rows")
    ->Arg(1)
    ->Arg(512)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

}  // namespace
