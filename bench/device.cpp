// The wafer-scale FFT on a CUDA device: the time of its steps alone, by the device's own clock.
// The contents of the pencils do not matter to the time, so they are empty.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/devices.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "fft/wsfft/program.hpp"
#include "median.hpp"

namespace {

using namespace weft;

/// The same words in every PE.
void write_everywhere(fabric::Stepper& stepper, const Rect& all, MemorySpan where,
                      std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> copies;
  for (int pe = 0; pe < all.width * all.height; ++pe)
    copies.insert(copies.end(), words.begin(), words.end());
  stepper.write(all, where.address / 4, copies);
}

/// A fabric that is ready to transform.
std::unique_ptr<fabric::DeviceStepper> transform_of(int n) {
  const wsfft::Transform t{wsfft::cube(n), {FftPrecision::fp32}, FftDirection::forward, {1, 1, 1}};
  const wsfft::TransformProgram program = wsfft::build_transform(t);
  const Layout layout = wsfft::lay_out(program.program, t);
  auto stepper = fabric::make_device_stepper(layout, Machine{}, {});
  const Rect all{0, 0, layout.width(), layout.height()};
  write_everywhere(*stepper, all, program.twiddles.front().span,
                   wsfft::algorithm_of(t.pencil).roots(t.numbers, n, t.direction));
  for (const auto& [where, finish] : wsfft::finish_words(program.finish, t.form))
    write_everywhere(*stepper, all, where, finish);
  return stepper;
}

struct Run {
  double seconds;
  engine::RunResult result;
};

Run run(int n) {
  const auto stepper = transform_of(n);
  engine::RunOptions options;
  options.limit = std::uint64_t{1} << 32U;
  const engine::RunResult result = stepper->run(options);
  return {stepper->step_seconds(), result};
}

void device(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  std::vector<double> seconds;
  engine::RunResult result;
  for (auto _ : state) {
    try {
      const Run one = run(n);
      state.SetIterationTime(one.seconds);
      seconds.push_back(one.seconds);
      result = one.result;
    } catch (const std::exception& error) {  // such as a device that is too small
      return state.SkipWithError(error.what());
    }
  }
  if (result.stop != engine::Stop::quiet) return state.SkipWithError("the transform did not end");
  const double median = bench::median(seconds);
  const auto cycles = static_cast<double>(result.cycle);
  state.counters["seconds"] = median;
  state.counters["cycles"] = cycles;
  state.counters["PE-cycles/s"] = cycles * n * n / median;
  state.counters["seconds_per_cycle"] = median / static_cast<double>(result.cycle - result.skipped);
}

struct Arguments {
  std::vector<int> sides = {64, 128, 256, 512};
  int runs = 5;
};

/// The options that are left for this program after Google Benchmark has taken its own.
Arguments parse(int count, char** words) {
  Arguments arguments;
  CLI::App app("The wafer-scale FFT on a CUDA device");
  app.add_option("--sides", arguments.sides, "Of the transforms, with commas between")
      ->delimiter(',')
      ->check(CLI::Range(4, 512));
  app.add_option("--runs", arguments.runs, "Of each; their median is printed")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  if (const std::string why = engine::why_no_device_engine(); !why.empty()) {
    fmt::print("skipped: {}\n", why);
    return 0;
  }
  benchmark::Initialize(&count, words);
  const Arguments arguments = parse(count, words);
  for (const int side : arguments.sides)
    benchmark::RegisterBenchmark("device", device)
        ->ArgName("n")
        ->Arg(side)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(arguments.runs);
  try {
    run(4);  // the first launch loads the kernel
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
}
