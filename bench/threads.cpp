// Scaling over CPU threads: one transform, cycles and result the same for each number of threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "weft/fft.hpp"

namespace {

void threads(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  weft::FftOptions options;
  options.threads = static_cast<int>(state.range(1));
  const weft::FftPlan plan({n, n, n}, weft::Precision::fp32, options);
  const weft::Volume input{{n, n, n}, std::vector<std::complex<float>>(n * n * n, {1, 0})};
  double least = 1e30, pe_cycles = 0;
  for (auto _ : state) {
    const weft::FftRun run = plan.forward(input);
    state.SetIterationTime(run.wall_seconds);
    least = std::min(least, run.wall_seconds);
    pe_cycles = static_cast<double>(run.pe_cycles);
  }
  state.counters["seconds"] = least;
  state.counters["PE-cycles/s"] = pe_cycles / least;
}

void up_to_all_cores(benchmark::internal::Benchmark* bench, int n) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int count = 1; count < cores; count *= 2) bench->Args({n, count});
  bench->Args({n, cores});
  bench->ArgNames({"n", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond);
}

void small(benchmark::internal::Benchmark* bench) {
  for (const int n : {16, 32, 64}) up_to_all_cores(bench->Iterations(5), n);
}

// They take so long that one run is exact enough.
void large(benchmark::internal::Benchmark* bench) {
  for (const int n : {128, 256}) up_to_all_cores(bench->Iterations(1), n);
}

BENCHMARK(threads)->Apply(small);
BENCHMARK(threads)->Apply(large);

}  // namespace
