// The emulated transform, by one thread and more, beside the same transform by FFTW on the same CPU
// in the same run: single precision, estimated plan, one thread. Medians; `ratio` is how many times
// longer the emulation takes.
#include "weft/fft.hpp"

#include <benchmark/benchmark.h>
#include <fftw3.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cli/common/peak_memory.hpp"
#include "io/volume_file.hpp"
#include "median.hpp"
#include "weft/error.hpp"

namespace {

using weft::bench::median;

/// A random field. That of the side which was asked for last is kept.
const weft::Volume& noise(std::size_t n) {
  static weft::Volume volume;
  if (volume.shape.n0 != n) volume = weft::io::random_volume({n, n, n}, 1);
  return volume;
}

struct DestroyPlan {
  void operator()(fftwf_plan plan) const { fftwf_destroy_plan(plan); }
};

/// Seconds of one transform in place: the median of as many as fit in a tenth of a second, five at
/// least.
double fftw_seconds(const weft::Volume& input) {
  const int n = static_cast<int>(input.shape.n0);
  auto data = input.data;
  auto* numbers = reinterpret_cast<fftwf_complex*>(data.data());
  const std::unique_ptr<fftwf_plan_s, DestroyPlan> plan(
      fftwf_plan_dft_3d(n, n, n, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE));
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (double spent = 0; seconds.size() < 5 || spent < 0.1; spent += seconds.back()) {
    data = input.data;
    const auto start = Clock::now();
    fftwf_execute(plan.get());
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return median(seconds);
}

void measure(benchmark::State& state, weft::FftTranspose transpose, weft::FftPencil pencil) {
  const auto n = static_cast<std::size_t>(state.range(0));
  weft::FftOptions options;
  options.threads = static_cast<int>(state.range(1));
  options.engine = weft::Engine::host;
  options.transpose = transpose;
  options.pencil = pencil;
  std::optional<weft::FftPlan> plan;
  try {
    plan.emplace(weft::Shape3{n, n, n}, weft::FftPrecision::fp32, options);
  } catch (const weft::Error& error) {  // it does not fit in memory
    return state.SkipWithError(error.what());
  }
  const weft::Volume& input = noise(n);
  const double reference = fftw_seconds(input);
  std::vector<double> seconds;
  double pe_cycles = 0, cycles = 0;
  for (auto _ : state) {
    const weft::FftRun run = plan->forward(input);
    state.SetIterationTime(run.report.wall_seconds);
    seconds.push_back(run.report.wall_seconds);
    pe_cycles = static_cast<double>(run.report.pe_cycles);
    cycles = static_cast<double>(run.report.cycles);
  }
  const double emulated = median(seconds);
  state.counters["seconds"] = emulated;
  state.counters["cycles"] = cycles;
  state.counters["PE-cycles/s"] = pe_cycles / emulated;
  state.counters["fftw_seconds"] = reference;
  state.counters["ratio"] = emulated / reference;
  state.counters["peak_bytes"] = static_cast<double>(weft::cli::peak_memory_bytes());
}

void fft(benchmark::State& state) {
  measure(state, weft::FftTranspose::automatic, weft::FftPencil::radix2);
}
void fft_ring(benchmark::State& state) {
  measure(state, weft::FftTranspose::ring, weft::FftPencil::radix4);
}
void fft_halves(benchmark::State& state) {
  measure(state, weft::FftTranspose::halves, weft::FftPencil::radix4);
}

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void up_to_all_cores(benchmark::internal::Benchmark* bench, int n) {
  for (int count = 1; count < cores(); count *= 2) bench->Args({n, count});
  bench->Args({n, cores()});
}

void small(benchmark::internal::Benchmark* bench) {
  for (const int n : {16, 32, 64, 128}) up_to_all_cores(bench, n);
  bench->Iterations(7);
}

void large(benchmark::internal::Benchmark* bench) {
  up_to_all_cores(bench, 256);
  bench->Iterations(3);
}

// Around a ring all links and ramps are busy, and no stream goes far: a cycle is dear.
void ring(benchmark::internal::Benchmark* bench) {
  for (const int n : {128, 256}) up_to_all_cores(bench, n);
  bench->Iterations(3);
}

void halves(benchmark::internal::Benchmark* bench) {
  up_to_all_cores(bench, 64);
  bench->Iterations(7);
}

// One run takes so long that it is exact enough, and one thread would take twice as long.
void largest(benchmark::internal::Benchmark* bench) { bench->Args({512, cores()})->Iterations(1); }

void common(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "threads"})->UseManualTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(fft)->Apply(small)->Apply(common);
BENCHMARK(fft)->Apply(large)->Apply(common);
BENCHMARK(fft_halves)->Apply(halves)->Apply(common);
BENCHMARK(fft_ring)->Apply(ring)->Apply(common);
BENCHMARK(fft)->Apply(largest)->Apply(common);

}  // namespace
