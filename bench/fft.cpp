// The emulated transform beside the same transform by FFTW on the same CPU, single precision, one
// thread each. `ratio` is how many times longer the emulation takes.
#include "weft/fft.hpp"

#include <benchmark/benchmark.h>
#include <fftw3.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

namespace {

weft::Volume noise(std::size_t n) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  weft::Volume volume{{n, n, n}, {}};
  volume.data.reserve(volume.shape.size());
  for (std::size_t i = 0; i < volume.shape.size(); ++i)
    volume.data.emplace_back(normal(generator), normal(generator));
  return volume;
}

struct DestroyPlan {
  void operator()(fftwf_plan plan) const { fftwf_destroy_plan(plan); }
};

/// Seconds of one transform in place: the least of as many as fit in a tenth of a second, two at
/// least.
double fftw_seconds(const weft::Volume& input) {
  const int n = static_cast<int>(input.shape.n0);
  auto data = input.data;
  auto* numbers = reinterpret_cast<fftwf_complex*>(data.data());
  const std::unique_ptr<fftwf_plan_s, DestroyPlan> plan(
      fftwf_plan_dft_3d(n, n, n, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE));
  using Clock = std::chrono::steady_clock;
  double least = 1e30, spent = 0;
  for (int run = 0; run < 2 || spent < 0.1; ++run) {
    data = input.data;
    const auto start = Clock::now();
    fftwf_execute(plan.get());
    const std::chrono::duration<double> taken = Clock::now() - start;
    least = std::min(least, taken.count());
    spent += taken.count();
  }
  return least;
}

void fft(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const weft::FftPlan plan({n, n, n}, weft::Precision::fp32);
  const weft::Volume input = noise(n);
  const double reference = fftw_seconds(input);
  double least = 1e30, pe_cycles = 0, cycles = 0;
  for (auto _ : state) {
    const weft::FftRun run = plan.forward(input);
    state.SetIterationTime(run.wall_seconds);
    least = std::min(least, run.wall_seconds);
    pe_cycles = static_cast<double>(run.pe_cycles);
    cycles = static_cast<double>(run.cycles.total);
  }
  state.counters["seconds"] = least;
  state.counters["cycles"] = cycles;
  state.counters["PE-cycles/s"] = pe_cycles / least;
  state.counters["fftw_ms"] = reference * 1e3;
  state.counters["ratio"] = least / reference;
}
// The larger ones take so long that one run is exact enough.
BENCHMARK(fft)->ArgName("n")->Arg(16)->Arg(32)->Arg(64)->UseManualTime()->Unit(
    benchmark::kMillisecond);
BENCHMARK(fft)->ArgName("n")->Arg(128)->Arg(256)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

}  // namespace
