// Cycles of transforms without data: several pencils a PE, boxes, slabs, batches, arrays of one and
// two axes and of real numbers, and around a ring, beside those of one pencil in each of n x n PEs.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>

#include "weft/fft.hpp"

namespace {

struct Case {
  weft::Shape3 shape;
  weft::FftMesh mesh;
  int batch = 1;
  weft::FftKind kind = weft::FftKind::complex;
  weft::FftPrecision precision = weft::FftPrecision::fp32;
  bool ring = false;  ///< with radix 4, else as published
};

/// "256^3", "256 x 128 x 64", of one axis "65536"
std::string shape_text(const weft::Shape3& shape) {
  const auto [n0, n1, n2, n3] = shape;
  if (n0 == n1 && n1 == n2) return fmt::format("{}^3", n0);
  if (n1 > 1) return fmt::format("{} x {} x {}", n0, n1, n2);
  return n0 > 1 ? fmt::format("{} x {}", n0, n2) : fmt::format("{}", n2);
}

std::string text(const Case& c) {
  return fmt::format("{}{}{}{} on {} x {} PEs{}",
                     c.batch > 1 ? fmt::format("{} arrays of ", c.batch) : "", shape_text(c.shape),
                     c.kind == weft::FftKind::real ? " real" : "",
                     c.precision == weft::FftPrecision::fp16 ? " FP16" : "", c.mesh.x, c.mesh.y,
                     c.ring ? " around a ring" : "");
}

void on_a_mesh(benchmark::State& state, const Case& c) {
  weft::FftOptions options;
  options.mesh = c.mesh;
  options.batch = c.batch;
  options.kind = c.kind;
  options.data = false;
  if (c.ring) {
    options.transpose = weft::FftTranspose::ring;
    options.pencil = weft::FftPencil::radix4;
  }
  options.engine = weft::Engine::host;
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const weft::FftPlan plan(c.shape, c.precision, options);
  state.SetLabel(text(c));
  for (auto _ : state) {
    const weft::FftRun run = plan.forward({plan.input_shape(), {}});
    state.SetIterationTime(run.report.wall_seconds);
    state.counters["seconds"] = run.report.wall_seconds;
    state.counters["cycles"] = static_cast<double>(run.report.cycles);
    state.counters["PE-cycles/s"] =
        static_cast<double>(run.report.pe_cycles) / run.report.wall_seconds;
  }
}

void add(const Case& c) {
  benchmark::RegisterBenchmark(("on_a_mesh/" + text(c)).c_str(), on_a_mesh, c)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

const bool kAdded = [] {
  constexpr auto kReal = weft::FftKind::real;
  constexpr auto kComplex = weft::FftKind::complex;
  constexpr auto kFp16 = weft::FftPrecision::fp16;
  constexpr auto kFp32 = weft::FftPrecision::fp32;
  for (const Case& c :
       {Case{{256, 256, 256}, {256, 256}}, Case{{256, 256, 256}, {128, 128}},
        Case{{256, 256, 256}, {129, 256}, 1, kReal}, Case{{512, 512, 512}, {512, 512}},
        Case{{512, 512, 512}, {256, 256}}, Case{{1024, 1024, 1024}, {512, 512}, 1, kComplex, kFp16},
        Case{{256, 128, 64}, {64, 32}}, Case{{64, 32, 64}, {64, 1}},
        Case{{32, 32, 32}, {512, 512}, 256}, Case{{256, 1, 256}, {256, 1}},
        Case{{1024, 1, 1024}, {32, 32}}, Case{{1, 1, 65536}, {256, 1}},
        Case{{1, 1, 1 << 20}, {128, 64}},
        Case{{512, 512, 512}, {512, 512}, 1, kComplex, kFp32, true}})
    add(c);
  return true;
}();

}  // namespace
