// Throughput of the step over the width of the rows, the colors in use, and the share of cycles in
// which a wavelet is sent. Medians.
#include <benchmark/benchmark.h>

#include <vector>

#include "median.hpp"
#include "streams.hpp"

namespace {

using namespace weft::bench;

constexpr int kRows = 8;

void step(benchmark::State& state) {
  const bool dense = state.range(2) != 0;
  const Streams streams{.width = static_cast<int>(state.range(0)),
                        .height = kRows,
                        .colors = static_cast<int>(state.range(1)),
                        .wavelets = dense ? 4000 : 400,
                        .dense = dense};
  const weft::Layout layout = lay_out(streams);
  std::vector<double> seconds;
  double pe_cycles = 0, hops = 0, load = 0;
  for (auto _ : state) {
    const StreamsRun done = run(layout);
    state.SetIterationTime(done.seconds);
    const auto cycles = static_cast<double>(done.counters.cycle);
    seconds.push_back(done.seconds);
    pe_cycles = cycles * streams.width * kRows;
    hops = static_cast<double>(done.counters.hops);
    load = hops / (cycles * (streams.width - 1) * kRows);
  }
  const double median = weft::bench::median(seconds);
  state.counters["seconds"] = median;
  state.counters["PE-cycles/s"] = pe_cycles / median;
  state.counters["hops/s"] = hops / median;
  state.counters["link_load"] = load;  // wavelets per eastward link and cycle
}
BENCHMARK(step)
    ->ArgNames({"width", "colors", "dense"})
    ->ArgsProduct({{32, 128, 512}, {1, 4}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
