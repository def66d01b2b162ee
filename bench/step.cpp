// Throughput of the step: rows in which PE 0 sends streams to the last PE, over the width of the
// rows, the colors in use, and the share of cycles in which a wavelet is sent.
#include <benchmark/benchmark.h>

#include <chrono>

#include "weft/fabric.hpp"

namespace {

constexpr int kRows = 8;
constexpr int kWavelets = 4000;  // per color
constexpr weft::Reg kZero{1}, kLeft{2};
constexpr weft::Dsr kMemory{0};

/// A descriptor for each color's queue.
weft::Dsr queue_of(int color) { return {static_cast<std::uint8_t>(1 + color)}; }

weft::VectorOptions background() {
  weft::VectorOptions options;
  options.async = true;
  return options;
}

/// All wavelets in one vector instruction per color: a stream as dense as links allow.
weft::Program dense_sender(int colors) {
  weft::ProgramBuilder p("sender");
  p.start(p.local_task(0));
  p.dbase(kMemory, 0);
  p.dlen(kMemory, kWavelets);
  for (int c = 0; c < colors; ++c) {
    p.dfabout(queue_of(c), c, c);
    p.vmov32(queue_of(c), kMemory, background());
  }
  p.end();
  return p.build();
}

/// One wavelet at a time, so that most cycles have nothing to send.
weft::Program sparse_sender(int colors) {
  weft::ProgramBuilder p("sender");
  p.start(p.local_task(0));
  p.dbase(kMemory, 0);
  p.dlen(kMemory, 1);
  for (int c = 0; c < colors; ++c) p.dfabout(queue_of(c), c, c);
  p.li(kZero, 0);
  p.li(kLeft, kWavelets / 10);
  const weft::Label again = p.label();
  p.place(again);
  for (int c = 0; c < colors; ++c) p.vmov32(queue_of(c), kMemory);
  p.addi(kLeft, kLeft, -1);
  p.bne(kLeft, kZero, again);
  p.end();
  return p.build();
}

weft::Program receiver(int colors, int wavelets) {
  weft::ProgramBuilder p("receiver");
  p.start(p.local_task(0));
  p.dbase(kMemory, 0);
  for (int c = 0; c < colors; ++c) {
    p.dfabin(queue_of(c), c);
    p.dlen(queue_of(c), wavelets);
    p.vmov32(kMemory, queue_of(c), background());
  }
  p.end();
  return p.build();
}

weft::Layout rows(int width, int colors, bool dense) {
  using weft::Port;
  weft::Layout layout(width, kRows);
  const weft::Rect first{0, 0, 1, kRows}, between{1, 0, width - 2, kRows},
      last{width - 1, 0, 1, kRows};
  layout.place(first, dense ? dense_sender(colors) : sparse_sender(colors));
  layout.place(last, receiver(colors, dense ? kWavelets : kWavelets / 10));
  for (int c = 0; c < colors; ++c) {
    weft::Route end{.rx = Port::west, .tx = Port::ramp};
    end.input_queue = c;
    layout.route(first, c, {.rx = Port::ramp, .tx = Port::east});
    layout.route(between, c, {.rx = Port::west, .tx = Port::east});
    layout.route(last, c, end);
  }
  return layout;
}

void step(benchmark::State& state) {
  const int width = static_cast<int>(state.range(0)), colors = static_cast<int>(state.range(1));
  const weft::Layout layout = rows(width, colors, state.range(2) != 0);
  double pe_cycles = 0, hops = 0, load = 0;
  for (auto _ : state) {
    weft::Fabric fabric(layout, weft::Machine{});
    const auto start = std::chrono::steady_clock::now();
    fabric.run_until_idle(10'000'000);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(taken.count());
    const weft::FabricCounters c = fabric.counters();
    pe_cycles += static_cast<double>(c.cycle) * width * kRows;
    hops += static_cast<double>(c.hops);
    load = static_cast<double>(c.hops) / (static_cast<double>(c.cycle) * (width - 1) * kRows);
  }
  state.counters["PE-cycles/s"] = benchmark::Counter(pe_cycles, benchmark::Counter::kIsRate);
  state.counters["hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
  state.counters["link_load"] = load;  // wavelets per eastward link and cycle
}
BENCHMARK(step)
    ->ArgNames({"width", "colors", "dense"})
    ->ArgsProduct({{32, 128, 512}, {1, 4}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
