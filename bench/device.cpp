// The wafer-scale FFT and other programs on a CUDA device: the time of their steps alone, by the
// device's own clock. The contents of the PEs' arrays do not matter to the time, so they are empty.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/loads/loads.hpp"
#include "engine/devices.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "fft/wsfft/program.hpp"
#include "median.hpp"

namespace {

using namespace weft;

/// Makes a fabric that is ready to run.
using Make = std::function<std::unique_ptr<fabric::DeviceStepper>()>;

/// The same words in every PE.
void write_everywhere(fabric::Stepper& stepper, const Rect& all, MemorySpan where,
                      std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> copies;
  for (int pe = 0; pe < all.width * all.height; ++pe)
    copies.insert(copies.end(), words.begin(), words.end());
  stepper.write(all, where.address / 4, copies);
}

std::unique_ptr<fabric::DeviceStepper> transform_of(int n) {
  const wsfft::Transform t{wsfft::cube(n), {FftPrecision::fp32}, FftDirection::forward, {1, 1, 1}};
  const wsfft::TransformProgram program = wsfft::build_transform(t);
  const Layout layout = wsfft::lay_out(program.program, t);
  auto stepper = fabric::make_device_stepper(layout, Machine{}, {});
  const Rect all{0, 0, layout.width(), layout.height()};
  write_everywhere(*stepper, all, program.twiddles.front().span,
                   wsfft::root_words(program.twiddles.front(), t));
  for (const auto& [where, finish] : wsfft::finish_words(program.finish, t.form))
    write_everywhere(*stepper, all, where, finish);
  return stepper;
}

/// One of the programs whose instructions are counted, on side x side PEs. It runs five times as
/// long as there, so that its beginning and its end weigh less.
std::unique_ptr<fabric::DeviceStepper> fabric_of(const loads::NamedLoad& program, int side) {
  const loads::Load load = program.make({side, side, 5});
  return fabric::make_device_stepper(load.layout, load.machine, {});
}

struct Run {
  fabric::DeviceStepper::Steps steps;
  engine::RunResult result;
};

Run run(const Make& make) {
  const auto stepper = make();
  engine::RunOptions options;
  options.limit = std::uint64_t{1} << 32U;
  const engine::RunResult result = stepper->run(options);
  return {stepper->steps(), result};
}

/// Of a fabric of side x side PEs. `ahead`: as NamedLoad::ahead.
void device(benchmark::State& state, const Make& make, bool ahead) {
  const auto side = static_cast<double>(state.range(0));
  std::vector<double> seconds;
  Run one{};
  for (auto _ : state) {
    try {
      one = run(make);
      state.SetIterationTime(one.steps.seconds);
      seconds.push_back(one.steps.seconds);
    } catch (const std::exception& error) {  // such as a device that is too small
      return state.SkipWithError(error.what());
    }
  }
  const engine::RunResult& result = one.result;
  if (result.stop != engine::Stop::quiet) return state.SkipWithError("the program did not end");
  const double median = bench::median(seconds);
  const auto cycles = static_cast<double>(result.cycle);
  state.counters["seconds"] = median;
  state.counters["cycles"] = cycles;
  state.counters["PE-cycles/s"] = cycles * side * side / median;
  state.counters["counted_cycles"] = ahead ? cycles : static_cast<double>(one.steps.cycles);
  state.counters["seconds_per_cycle"] = median / static_cast<double>(result.cycle - result.skipped);
}

struct Arguments {
  std::vector<int> sides, meshes;
  int runs = 5;
};

/// The options that are left for this program after Google Benchmark has taken its own.
Arguments parse(int count, char** words) {
  Arguments arguments;
  CLI::App app("The wafer-scale FFT and other programs on a CUDA device");
  const auto add_sides = [&](const char* option, std::vector<int>& sides, const char* meaning) {
    app.add_option(option, sides, meaning)->delimiter(',')->check(CLI::Range(4, 512));
  };
  add_sides("--sides", arguments.sides, "Of the transforms, with commas between");
  add_sides("--meshes", arguments.meshes, "Sides of the other programs' meshes");
  app.add_option("--runs", arguments.runs, "Of each; their median is printed")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  if (arguments.sides.empty() && arguments.meshes.empty()) {
    arguments.sides = {64, 128, 256, 512};
    arguments.meshes = {512};
  }
  return arguments;
}

void add(const std::string& name, const char* argument, int side, int runs, const Make& make,
         bool ahead = false) {
  benchmark::RegisterBenchmark(name.c_str(), device, make, ahead)
      ->ArgName(argument)
      ->Arg(side)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(runs);
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
    add("device", "n", side, arguments.runs, [side] { return transform_of(side); });
  for (const int side : arguments.meshes)
    for (const loads::NamedLoad& program : loads::programs())
      add(
          "program/" + program.name, "side", side, arguments.runs,
          [&program, side] { return fabric_of(program, side); }, program.ahead);
  try {
    run([] { return transform_of(4); });  // the first launch loads the kernel
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
}
