// The cost of one strip in a cycle in which one color passes through all its PEs, also by line, and
// the cost of a mesh whose other rows are quiet. Medians. WEFT_STEP chooses the step variant that
// is measured.
#include <benchmark/benchmark.h>

#include <vector>

#include "median.hpp"
#include "streams.hpp"

namespace {

using namespace weft::bench;

/// The run that took the median time; none, and an error, where this CPU does not run the variant.
StreamsRun median_run(benchmark::State& state, const weft::Layout& layout,
                      const weft::FabricOptions& options = {}) {
  std::vector<double> seconds;
  StreamsRun last{};
  try {
    for (auto _ : state) {
      last = run(layout, options);
      state.SetIterationTime(last.seconds);
      seconds.push_back(last.seconds);
    }
  } catch (const weft::Error& error) {
    state.SkipWithError(error.what());
    return last;
  }
  return {median(seconds), last.counters};
}

// Senders and receivers are two of 2048 PEs in each row of one row of strips, and the stream is
// long beside its way: what is measured is Route and Deliver of strips full of wavelets.
void busy_strip(benchmark::State& state) {
  constexpr int kWidth = 2048, kStripWidth = 16, kStripHeight = 4;
  const StreamsRun run =
      median_run(state, lay_out({.width = kWidth, .height = kStripHeight, .wavelets = 60'000}));
  const double steps = static_cast<double>(run.counters.cycle) * kWidth / kStripWidth;
  state.counters["ns_per_step"] = run.seconds / steps * 1e9;
  state.counters["link_load"] =
      static_cast<double>(run.counters.hops) / (steps * kStripWidth * kStripHeight);
}
BENCHMARK(busy_strip)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);

// The same stepped by line: 64 rows are a bundle, and each strip of it has a PE of each.
void busy_bundle(benchmark::State& state) {
  constexpr int kWidth = 512, kLines = 64;
  const StreamsRun run =
      median_run(state, lay_out({.width = kWidth, .height = kLines, .wavelets = 20'000}));
  const double steps = static_cast<double>(run.counters.cycle) * kWidth;
  state.counters["ns_per_step"] = run.seconds / steps * 1e9;
  state.counters["link_load"] = static_cast<double>(run.counters.hops) / (steps * kLines);
}
BENCHMARK(busy_bundle)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);

// One row talks, in a mesh of `height` rows.
void quiet_mesh(benchmark::State& state) {
  constexpr int kWidth = 512;
  const int height = static_cast<int>(state.range(0));
  const Streams streams{.width = kWidth, .height = height, .where = {0, height / 2, kWidth, 1}};
  const StreamsRun run = median_run(state, lay_out(streams));
  state.counters["ns_per_cycle"] = run.seconds / static_cast<double>(run.counters.cycle) * 1e9;
}
BENCHMARK(quiet_mesh)
    ->ArgName("rows")
    ->Arg(1)
    ->Arg(512)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(9);

}  // namespace
