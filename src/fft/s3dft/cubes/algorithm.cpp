#include "fft/s3dft/cubes/algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/emulation.hpp"
#include "fft/fitting.hpp"
#include "fft/s3dft/cubes/counts.hpp"
#include "fft/s3dft/cubes/placement.hpp"
#include "weft/error.hpp"

namespace weft::s3dft::cubes {
namespace {

using wsfft::Division;

/// Chosen: a program of so many nodes along an axis runs in a moment, to tell its cycles.
constexpr int kMostMeasured = 4;

/// A block is two vectors of so many numbers at most.
constexpr int kLongestSide = 31;  // 2 x 31^3 words

Division division_of(const Shape3& shape, const Tiles& tiles) {
  Division division = fft::in_a_pe(shape);
  division.px = tiles.width();
  division.py = tiles.height();
  division.ring = true;
  return division;
}

Transform transform_of(int n, int p, FftPrecision precision, FftDirection direction, FftNorm norm) {
  return {Tiles(p), n / p, precision, direction, fft::superstep_scale(n, norm, direction)};
}

int p_of(const Division& division) {
  int p = 2;
  while (Tiles(p).width() != division.px) p *= 2;
  return p;
}

Transform transform_of(const fft::Job& job) {
  const Division& d = job.division;
  return transform_of(d.sides[0], p_of(d), job.precision, job.direction, job.options.norm);
}

fft::PeMemory memory_of(int n, int p, FftPrecision precision) {
  const std::uint32_t bytes =  // in the direction with the longer program
      build_transform(transform_of(n, p, precision, FftDirection::inverse, FftNorm::ortho))
          .program.memory_bytes;
  return {bytes, static_cast<double>(bytes)};
}

std::string mesh_text(int p) {
  const Tiles tiles(p);
  return fmt::format("{} x {}", tiles.width(), tiles.height());
}

/// Nodes along an axis that divide one of n numbers, on lines of PEs that a plan takes; most first.
std::vector<int> all_p(int n) {
  std::vector<int> all;
  for (int p = 2; n % p == 0 && Tiles(p).width() <= fft::kLongestLine; p *= 2)
    all.insert(all.begin(), p);
  return all;
}

std::vector<int> asked_p(const std::vector<int>& all, const FftMesh& mesh) {
  std::vector<int> asked;
  std::ranges::copy_if(all, std::back_inserter(asked), [&](int p) {
    const Tiles tiles(p);
    return (mesh.x == 0 || mesh.x == tiles.width()) && (mesh.y == 0 || mesh.y == tiles.height());
  });
  if (!asked.empty()) return asked;
  std::vector<std::string> meshes;
  meshes.reserve(all.size());
  for (const int p : all) meshes.push_back(mesh_text(p));
  throw Error(ErrorCategory::usage,
              fmt::format("invalid mesh for cubes: {} x {} PEs", mesh.x, mesh.y),
              "p^3 nodes lie in tiles, p a power of two that divides the side of the array",
              fmt::format("take {} PEs, or the form held", fmt::join(meshes, " or ")));
}

void check_shape(const Shape3& shape) {
  const std::size_t n = shape.n0;
  if (shape.n1 == n && shape.n2 == n && n % 2 == 0) return;
  throw Error(ErrorCategory::usage,
              fmt::format("invalid shape for cubes: {},{},{}", shape.n0, shape.n1, shape.n2),
              "p^3 nodes have blocks of an array with three equal, even sides",
              "take such a shape, or the form held");
}

[[noreturn]] void refuse_for_memory(int n, int p, FftPrecision precision, const FftOptions& options,
                                    const std::vector<int>& all) {
  const auto fits = [&](int other) {
    return n / other <= kLongestSide &&
           memory_of(n, other, precision).bytes <=
               static_cast<std::uint32_t>(options.machine.pe_memory_bytes);
  };
  const bool buildable = n / p <= kLongestSide;
  std::vector<std::string> advice;
  if (const auto enough = std::ranges::find_if(all.rbegin(), all.rend(), fits);
      enough != all.rend())
    advice.push_back(fmt::format("take at least {} PEs", mesh_text(*enough)));
  if (buildable)
    advice.push_back(
        fmt::format("raise the machine's pe_memory_bytes to {}", memory_of(n, p, precision).bytes));
  throw Error(ErrorCategory::machine_profile,
              fmt::format("blocks of {0} x {0} x {0} numbers exceed {1}", n / p,
                          buildable ? fft::memory_limit(options.machine) : fft::kProgramLimit),
              buildable
                  ? fmt::format("with room for the next ones, sums, coefficients and program they "
                                "take {} bytes, pe_memory_bytes is {}",
                                memory_of(n, p, precision).bytes, options.machine.pe_memory_bytes)
                  : fmt::format("a descriptor has no more numbers than those of a side of {}",
                                kLongestSide),
              advice.empty() ? "take a smaller shape, or the form held"
                             : fmt::format("{}", fmt::join(advice, ", or ")));
}

std::vector<RunPhase> counted_phases(const Transform& t) {
  std::vector<RunPhase> all = phases();
  for (std::size_t k = 0; k < kStages; ++k) {
    all[2 * k].cycles = static_cast<std::uint64_t>(align_cycles(t, kStage[k]));
    all[2 * k + 1].cycles = static_cast<std::uint64_t>(sum_cycles(t, kStage[k]));
  }
  return all;
}

/// Of a run without data.
std::vector<RunPhase> measured_phases(const Transform& t, const fft::Job& job) {
  const TransformProgram program = build_transform(t);
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  Fabric fabric(lay_out(program.program, t), job.options.machine, options);
  write_launch(fabric, t, program.launch, 1);
  fabric.run_until_idle(fft::kCycleLimit);
  std::vector<RunPhase> all = phases();
  const auto ends = fft::stamps_of_last(fabric, program.stamps, job.division, all.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k].cycles = ends[k] - (k > 0 ? ends[k - 1] : 0);
  return all;
}

}  // namespace

fft::Choice choose(const Shape3& shape, FftPrecision precision, const FftOptions& options) {
  check_shape(shape);
  const auto n = static_cast<int>(shape.n0);
  const std::vector<int> all = all_p(n), asked = asked_p(all, options.mesh);
  const auto fits_pe = [&](int p) {
    return n / p <= kLongestSide && memory_of(n, p, precision).bytes <=
                                        static_cast<std::uint32_t>(options.machine.pe_memory_bytes);
  };
  if (!fits_pe(asked.front())) refuse_for_memory(n, asked.front(), precision, options, all);
  const auto fits = [&](int p) {
    return fits_pe(p) &&
           fft::fits_host(division_of(shape, Tiles(p)), memory_of(n, p, precision), options);
  };
  const auto cycles = [&](int p) {
    return cycles_of(transform_of(n, p, precision, FftDirection::forward, options.norm));
  };
  std::vector<int> fitting;
  std::ranges::copy_if(asked, std::back_inserter(fitting), fits);
  const int p = fitting.empty() ? asked.front() : std::ranges::min(fitting, {}, cycles);
  const Tiles tiles(p);
  const Division division = division_of(shape, tiles);
  const fft::PeMemory memory = memory_of(n, p, precision);
  fft::check_host(division, memory, options);
  return {division, memory, [n, p, tiles](FftDirection) {
            return fmt::format("{} x {} x {} nodes with blocks of side {}, in tiles of {} x {} PEs",
                               p, p, p, n / p, tiles.across(), tiles.down());
          }};
}

fft::Written write(const fft::Job& job) {
  const Transform t = transform_of(job);
  const auto program = std::make_shared<const TransformProgram>(build_transform(t));
  const bool data = job.options.data;
  const int threads = job.options.threads;
  fft::Written written{lay_out(program->program, t),
                       [=](Fabric& fabric) {
                         write_launch(fabric, t, program->launch, threads);
                         if (data) write_factors(fabric, t, *program, threads);
                       },
                       [=](Fabric& fabric, const fft::GivenArrays& array) {
                         scatter(fabric, array, t, program->input);
                       },
                       [=](const Fabric& fabric, const fft::TakenArrays& array) {
                         gather(fabric, array, t, program->output);
                       },
                       program->stamps,
                       phases(),
                       traffic_of(t)};
  for (const MemorySpan& factors : program->factors) written.root_bytes += factors.bytes;
  return written;
}

fft::Expectation expect(const fft::Job& job, fft::Model model) {
  const Transform t = transform_of(job);
  const bool runs = model == fft::Model::measured && t.tiles.p() <= kMostMeasured;
  return fft::Expectation(runs ? measured_phases(t, job) : counted_phases(t));
}

}  // namespace weft::s3dft::cubes
