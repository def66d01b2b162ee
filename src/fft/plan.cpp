#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <memory>

#include "fabric/footprint.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

namespace weft {
namespace {

constexpr std::size_t kLeastSide = 4, kMostSide = 512;
// No run of a planned shape comes near: the largest takes some 10^6 cycles.
constexpr std::uint64_t kCycleLimit = std::uint64_t{1} << 32U;

using wsfft::Arrangement;

Arrangement arrangement_before(Direction direction) {
  return direction == Direction::forward ? Arrangement::space : Arrangement::frequency;
}

Arrangement arrangement_after(Direction direction) {
  return direction == Direction::forward ? Arrangement::frequency : Arrangement::space;
}

/// Every PE the same words.
void write_everywhere(Fabric& fabric, int n, std::uint32_t address, std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> row;
  for (int x = 0; x < n; ++x) row.insert(row.end(), words.begin(), words.end());
  for (int y = 0; y < n; ++y) fabric.write({0, y, n, 1}, address, row);
}

void write_constants(Fabric& fabric, const wsfft::TransformProgram& transform, int n, Direction direction) {
  write_everywhere(fabric, n, transform.twiddles.address, wsfft::twiddle_table(n, direction));
  for (std::size_t i = 0; i < transform.finish.size(); ++i) {
    const auto axis = i < 2 ? wsfft::Axis::row : wsfft::Axis::column;
    write_everywhere(fabric, n, transform.finish[i].address, wsfft::finish_wavelets(axis, i % 2 == 0));
  }
}

/// The published model of the transform's cycles: only the progress bar uses it.
double expected_cycles(double n) {
  const double levels = std::log2(n);
  return 3 * (6.5 * n * levels + 35 * n + 36 * levels) + 2 * (n * n + 72 * n);
}

/// Cycles by phase, as the PE that ended last saw them.
FftCycles read_cycles(const Fabric& fabric, const wsfft::TransformProgram& transform, int n,
                      Direction direction) {
  std::vector<std::uint32_t> stamps(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * wsfft::kStamps);
  fabric.read({0, 0, n, n}, transform.stamps.address, stamps);
  const std::uint32_t* last = stamps.data();
  for (std::size_t pe = 0; pe < stamps.size(); pe += wsfft::kStamps)
    if (stamps[pe + wsfft::kStamps - 1] > last[wsfft::kStamps - 1]) last = stamps.data() + pe;

  FftCycles cycles;
  std::uint64_t before = 0;
  for (FftPhase phase : wsfft::phases(direction)) {
    const std::uint64_t end = last[cycles.phases.size()];
    phase.cycles = end - before;
    (phase.communication ? cycles.communication : cycles.compute) += phase.cycles;
    before = end;
    cycles.phases.push_back(phase);
  }
  cycles.total = before;
  return cycles;
}

/// What a transform takes on this host: state and touched PE memory, input and output.
double needed_bytes(double n) {
  const double per_pe = fabric::state_bytes_per_pe() + n * (2.5 * wsfft::kComplexBytes) + 1024;
  return n * n * per_pe + 2 * n * n * n * sizeof(std::complex<float>);
}

}  // namespace

FftPlan::FftPlan(Shape3 shape, Precision precision, FftOptions options)
    : shape_(shape), precision_(precision), options_(std::move(options)) {
  const std::size_t n = shape.n0;
  if (shape.n1 != n || shape.n2 != n || !std::has_single_bit(n) || n < kLeastSide || n > kMostSide)
    throw Error(Category::usage, fmt::format("no plan for shape {},{},{}", shape.n0, shape.n1, shape.n2),
                "the transform takes cubes with a side of 4, 8, 16, 32, 64, 128, 256 or 512",
                "choose one of these");
  check(options_.machine);
  const wsfft::TransformProgram transform = wsfft::build_transform(static_cast<int>(n), Direction::forward);
  if (transform.program.memory_bytes > static_cast<std::uint32_t>(options_.machine.pe_memory_bytes))
    throw Error(Category::machine_profile,
                fmt::format("a pencil of {} numbers does not fit in a PE", n),
                fmt::format("the program needs {} bytes, pe_memory_bytes is {}",
                            transform.program.memory_bytes, options_.machine.pe_memory_bytes),
                "take a smaller shape, or raise pe_memory_bytes in the machine file");
  const double have = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double need = needed_bytes(static_cast<double>(n));
  if (need > have)
    throw Error(Category::environment,
                fmt::format("a {} x {} mesh does not fit in this machine's memory", n, n),
                fmt::format("it takes about {:.1f} GiB of {:.1f} GiB", need / 0x1p30, have / 0x1p30),
                "take a smaller shape");
}

FftRun FftPlan::run(const Volume& input, Direction direction) const {
  if (!(input.shape == shape_) || input.data.size() != shape_.size())
    throw Error(Category::usage,
                fmt::format("an input of shape {},{},{} cannot be transformed", input.shape.n0,
                            input.shape.n1, input.shape.n2),
                fmt::format("the plan is for {},{},{}", shape_.n0, shape_.n1, shape_.n2),
                "give an array of the plan's shape");
  const int n = static_cast<int>(shape_.n0);
  const double pes = static_cast<double>(n) * n;
  const wsfft::TransformProgram transform = wsfft::build_transform(n, direction);
  FabricOptions fabric_options;
  fabric_options.threads = options_.threads;
  if (options_.progress)
    fabric_options.progress = [&](std::uint64_t cycle) {
      const double fraction = static_cast<double>(cycle) / expected_cycles(n);
      options_.progress({std::min(fraction, 1.0), cycle, cycle * static_cast<std::uint64_t>(pes)});
    };
  Fabric fabric(wsfft::lay_out(transform, n), options_.machine, std::move(fabric_options));
  write_constants(fabric, transform, n, direction);
  wsfft::scatter(fabric, input, arrangement_before(direction), transform.input.address);

  const auto start = std::chrono::steady_clock::now();
  fabric.run_until_idle(kCycleLimit);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  FftRun run;
  run.output = wsfft::gather(fabric, shape_, arrangement_after(direction), transform.output.address);
  run.cycles = read_cycles(fabric, transform, n, direction);
  const FabricCounters counters = fabric.counters();
  run.cycles.skipped = counters.skipped;
  run.wavelets = counters.wavelets;
  run.wavelet_hops = counters.hops;
  run.pe_cycles = counters.cycle * static_cast<std::uint64_t>(pes);
  run.time_us = static_cast<double>(run.cycles.total) * 1e3 / options_.machine.clock_khz;
  run.tflops = 3 * pes * 5 * n * std::log2(n) / run.time_us * 1e-6;
  run.wall_seconds = wall.count();
  return run;
}

std::uint64_t run_pencil(std::vector<std::complex<float>>& pencil, Direction direction, const Machine& machine) {
  const std::size_t size = pencil.size();
  if (!std::has_single_bit(size) || size < kLeastSide)
    throw Error(Category::usage, fmt::format("no transform for a pencil of {} numbers", size),
                "it must be a power of two from 4", "choose one of these");
  const int n = static_cast<int>(size);
  const wsfft::TransformProgram transform = wsfft::build_pencil(n, direction);
  Layout layout(1, 1);
  layout.place({0, 0, 1, 1}, transform.program);
  Fabric fabric(layout, machine);
  const Rect pe{0, 0, 1, 1};
  std::vector<std::uint32_t> words(2 * size);
  for (std::size_t k = 0; k < size; ++k) {
    words[2 * k] = std::bit_cast<std::uint32_t>(pencil[k].real());
    words[2 * k + 1] = std::bit_cast<std::uint32_t>(pencil[k].imag());
  }
  fabric.write(pe, transform.input.address, words);
  fabric.write(pe, transform.twiddles.address, wsfft::twiddle_table(n, direction));
  fabric.run_until_idle(kCycleLimit);
  fabric.read(pe, transform.output.address, words);
  for (std::size_t k = 0; k < size; ++k)
    pencil[k] = {std::bit_cast<float>(words[2 * k]), std::bit_cast<float>(words[2 * k + 1])};
  std::uint32_t stamps[2];
  fabric.read(pe, transform.stamps.address, stamps);
  return stamps[1] - stamps[0];
}

double error_bound(Shape3 shape, Precision) noexcept {
  return 4e-7 * std::log2(static_cast<double>(shape.size()));
}

}  // namespace weft
