// Scaling over CPU threads: one transform, cycles and result the same for each number of threads.
#include <benchmark/benchmark.h>

#include <thread>

#include "weft/fft.hpp"

namespace {

void threads(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  weft::FftOptions options;
  options.threads = static_cast<int>(state.range(1));
  const weft::FftPlan plan({n, n, n}, weft::Precision::fp32, options);
  const weft::Volume input{{n, n, n}, std::vector<std::complex<float>>(n * n * n, {1, 0})};
  double pe_cycles = 0;
  for (auto _ : state) {
    const weft::FftRun run = plan.forward(input);
    state.SetIterationTime(run.wall_seconds);
    pe_cycles += static_cast<double>(run.pe_cycles);
  }
  state.counters["PE-cycles/s"] = benchmark::Counter(pe_cycles, benchmark::Counter::kIsRate);
}

void up_to_all_cores(benchmark::internal::Benchmark* bench) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int n : {64, 128}) {
    for (int count = 1; count < cores; count *= 2) bench->Args({n, count});
    if (cores > 1) bench->Args({n, cores});
  }
}
BENCHMARK(threads)
    ->ArgNames({"n", "threads"})
    ->Apply(up_to_all_cores)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
