#include "fft/s3dft/expectation.hpp"

#include <algorithm>
#include <array>

#include "fft/emulation.hpp"
#include "fft/s3dft/placement.hpp"
#include "weft/fabric.hpp"

namespace weft::s3dft {
namespace {

using Cycles = std::array<double, 3>;

/// Of the stages of a transform with rings of a few PEs.
Cycles run(Transform t, int longest, const Machine& machine) {
  t.ring = {std::min(longest, t.division.px), std::min(longest, t.division.py)};
  const TransformProgram program = build_transform(t);
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  const Layout layout = lay_out(program.program, t);
  Fabric fabric(layout, machine, options);
  Division few = t.division;
  few.px = t.ring[0];
  few.py = t.ring[1];
  few.across = few.down = 1;
  for (int y = 0; y < few.py; ++y)
    for (int x = 0; x < few.px; ++x)
      fabric.write({x, y, 1, 1}, program.launch.address, launch_words(t, x, y));
  fabric.run_until_idle(fft::kCycleLimit);
  const auto stamps = fft::stamps_of_last(fabric, program.stamps, few, 3);
  return {static_cast<double>(stamps[0]), static_cast<double>(stamps[1] - stamps[0]),
          static_cast<double>(stamps[2] - stamps[1])};
}

}  // namespace

double step_cycles(const Transform& t, const Stage& stage) {
  const double n0 = t.division.sides[0], of_one = t.halves() ? 2 : 4;
  const double bx = numbers_along_x(t.division), by = numbers_along_y(t.division);
  const double sources = stage.summed == 2   ? bx
                         : stage.summed == 1 ? by
                                             : n0 / t.division.along(stage.ring);
  const double pairs = sources * (stage.summed == 2 ? bx : stage.summed == 1 ? by : bx * by);
  const double numbers = stage.summed == 2 ? by * n0 : stage.summed == 1 ? bx * n0 : n0;
  return std::max(of_one * pairs * numbers + 12 * pairs + 22,
                  static_cast<double>(words_of_step(t, stage)) + 25);
}

fft::Expectation expect(const fft::Job& job, fft::Model model) {
  const Transform t = transform_of(job.division, job.precision, job.direction, job.options.norm,
                                   job.options.s3dft_form);
  std::vector<RunPhase> all = phases(t);
  const auto stages = stages_of(t.division);
  // The steps of a stage are alike: those of two short rings tell those of a long one.
  constexpr int kShort = 4, kLonger = 8;
  const bool measured = model == fft::Model::measured;
  const Cycles longer = measured ? run(t, kLonger, job.options.machine) : Cycles{},
               fewer = measured ? run(t, kShort, job.options.machine) : Cycles{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int p = t.division.along(stages[k].ring);
    const double cycles = measured ? longer[k] + (longer[k] - fewer[k]) / (kLonger - kShort) *
                                                     std::max(p - kLonger, 0)
                                   : p * step_cycles(t, stages[k]);
    all[k].cycles = static_cast<std::uint64_t>(cycles);
  }
  return fft::Expectation(std::move(all));
}

}  // namespace weft::s3dft
