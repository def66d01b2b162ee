// Programs as users write them, on the host, with the options that a user gets; streams beside a
// plain simulator of them. Medians.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/loads/loads.hpp"
#include "bench/plain/streams.hpp"
#include "median.hpp"
#include "weft/weft.hpp"

namespace {

using namespace weft;

/// Larger meshes run for fewer cycles.
int times_on(int side) { return side > 64 ? 4 : 20; }

struct Counted {
  std::vector<double> seconds;
  double cycles = 0, hops = 0;
};

void report(benchmark::State& state, const Counted& counted) {
  const double median = bench::median(counted.seconds);
  const auto side = static_cast<double>(state.range(0));
  state.counters["seconds"] = median;
  state.counters["cycles"] = counted.cycles;
  state.counters["hops"] = counted.hops;
  state.counters["PE-cycles/s"] = counted.cycles * side * side / median;
}

void program(benchmark::State& state, const loads::NamedLoad& named) {
  const auto side = static_cast<int>(state.range(0));
  const loads::Load load = named.make({side, side, times_on(side)});
  FabricOptions options;
  options.engine = Engine::host;
  options.threads = static_cast<int>(state.range(1));
  const auto windows = static_cast<int>(state.range(2));
  options.observe = {.counts = windows > 0, .windows = windows};
  Counted counted;
  for (auto _ : state) {
    Fabric fabric(load.layout, Machine{}, options);
    load.write(fabric);
    const auto start = std::chrono::steady_clock::now();
    fabric.run_until_idle(10'000'000);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    counted.seconds.push_back(taken.count());
    counted.cycles = static_cast<double>(fabric.counters().cycle);
    counted.hops = static_cast<double>(fabric.counters().hops);
  }
  report(state, counted);
}

void plain_streams(benchmark::State& state) {
  const auto side = static_cast<int>(state.range(0));
  Counted counted;
  for (auto _ : state) {
    const plain::Streamed done = plain::stream(side, loads::kStreamedWords * times_on(side));
    if (!done.right) return state.SkipWithError("the plain simulator lost words");
    state.SetIterationTime(done.seconds);
    counted.seconds.push_back(done.seconds);
    counted.cycles = static_cast<double>(done.cycles);
    counted.hops = static_cast<double>(done.hops);
  }
  report(state, counted);
}

/// `windows`: of time that are counted; 0: no counts.
void arrange(benchmark::internal::Benchmark* benchmark, const std::vector<std::int64_t>& threads,
             const std::vector<std::int64_t>& windows) {
  benchmark->ArgNames({"side", "threads", "windows"})
      ->ArgsProduct({{64, 256}, threads, windows})
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(3);
}

}  // namespace

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
  const std::int64_t all = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::int64_t> threads{1};
  if (all > 1) threads.push_back(all);
  arrange(benchmark::RegisterBenchmark("plain simulator", plain_streams), {1}, {0});
  for (const loads::NamedLoad& named : loads::programs())
    if (named.name != "lone wavelet")
      arrange(benchmark::RegisterBenchmark(named.name.c_str(), program, named), threads, {0, 128});
  for (const loads::NamedLoad& named : loads::host_programs())
    arrange(benchmark::RegisterBenchmark(named.name.c_str(), program, named), threads, {0});
  benchmark::RunSpecifiedBenchmarks();
}
