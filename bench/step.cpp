// Throughput of the step over the width of the rows, the colors in use, and the share of cycles in
// which a wavelet is sent.
#include <benchmark/benchmark.h>

#include <algorithm>

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
  double least = 1e30, pe_cycles = 0, hops = 0, load = 0;
  for (auto _ : state) {
    const StreamsRun done = run(layout);
    state.SetIterationTime(done.seconds);
    const auto cycles = static_cast<double>(done.counters.cycle);
    least = std::min(least, done.seconds);
    pe_cycles = cycles * streams.width * kRows;
    hops = static_cast<double>(done.counters.hops);
    load = hops / (cycles * (streams.width - 1) * kRows);
  }
  state.counters["seconds"] = least;
  state.counters["PE-cycles/s"] = pe_cycles / least;
  state.counters["hops/s"] = hops / least;
  state.counters["link_load"] = load;  // wavelets per eastward link and cycle
}
BENCHMARK(step)
    ->ArgNames({"width", "colors", "dense"})
    ->ArgsProduct({{32, 128, 512}, {1, 4}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
