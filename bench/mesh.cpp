// Cycles of transforms without data, of several pencils a PE and of a batch, beside those of one
// pencil in each of n x n PEs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "weft/fft.hpp"

namespace {

void on_a_mesh(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto side = static_cast<int>(state.range(1));
  weft::FftOptions options;
  options.mesh = {side, side};
  options.batch = static_cast<int>(state.range(2));
  options.data = false;
  options.engine = weft::Engine::host;
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const weft::FftPlan plan({n, n, n}, weft::FftPrecision::fp32, options);
  for (auto _ : state) {
    const weft::FftRun run = plan.forward({plan.input_shape(), {}});
    state.SetIterationTime(run.report.wall_seconds);
    state.counters["seconds"] = run.report.wall_seconds;
    state.counters["cycles"] = static_cast<double>(run.report.cycles);
    state.counters["PE-cycles/s"] =
        static_cast<double>(run.report.pe_cycles) / run.report.wall_seconds;
  }
}

BENCHMARK(on_a_mesh)
    ->ArgNames({"n", "side", "batch"})
    ->Args({256, 256, 1})
    ->Args({256, 128, 1})
    ->Args({512, 512, 1})
    ->Args({512, 256, 1})
    ->Args({32, 512, 256})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
