// S3DFT with coefficients held in the PEs, n^3 on n x n PEs, by all cores.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "io/volume_file.hpp"
#include "median.hpp"
#include "weft/fft.hpp"

namespace {

void s3dft(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto precision = state.range(1) == 16 ? weft::FftPrecision::fp16 : weft::FftPrecision::fp32;
  const weft::Shape3 shape{n, n, n};
  weft::FftOptions options;
  options.algorithm = weft::FftAlgorithm::s3dft;
  options.norm = weft::FftNorm::forward;  // FP16 stays in range
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.engine = weft::Engine::host;
  const weft::FftPlan plan(shape, precision, options);
  const weft::Volume input = weft::io::random_volume(shape, 1);
  std::vector<double> seconds;
  for (auto _ : state) {
    const weft::FftRun run = plan.forward(input);
    state.SetIterationTime(run.report.wall_seconds);
    seconds.push_back(run.report.wall_seconds);
    state.counters["cycles"] = static_cast<double>(run.report.cycles);
    state.counters["PE-cycles/s"] =
        static_cast<double>(run.report.pe_cycles) / weft::bench::median(seconds);
  }
  state.counters["seconds"] = weft::bench::median(seconds);
  state.SetLabel(fmt::format("s3dft, {}^3, {}", n, to_string(precision)));
}

BENCHMARK(s3dft)
    ->ArgNames({"n", "bits"})
    ->ArgsProduct({{32, 64, 128}, {32, 16}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
