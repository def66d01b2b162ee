#include "fft/s3dft/expectation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/s3dft/cubes/algorithm.hpp"
#include "fft/s3dft/placement.hpp"
#include "weft/fabric.hpp"

namespace weft::s3dft {
namespace {

/// Of a stream to the next place of a ring and the task that waits for it; and of two streams more
/// in a step (docs/algorithms.md).
constexpr double kStart = 25, kTwoMoreStreams = 25;

/// The line whose blocks have the longest way to where they are aligned. Onwards, the input queues
/// hold two wavelets, so three cycles bring two.
double align_cycles(int p, double words) {
  const int back = p / 2, onwards = (p - 1) / 2;
  return std::max(back * (words + kStart), onwards * (1.5 * words + kStart));
}

using Cycles = std::vector<double>;  ///< by phase

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
  Cycles cycles;
  std::uint32_t before = 0;
  for (const std::uint32_t stamp :
       fft::stamps_of_last(fabric, program.stamps, few, phases(t).size())) {
    cycles.push_back(stamp - before);
    before = stamp;
  }
  return cycles;
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
                  static_cast<double>(words_of_step(t, stage)) + kStart);
}

fft::Expectation expect(const fft::Job& job, fft::Model model) {
  if (job.options.s3dft_form == S3dftForm::cubes) return cubes::expect(job, model);
  const Transform t = transform_of(job.division, job.precision, job.direction, job.options.norm,
                                   job.options.s3dft_form);
  std::vector<RunPhase> all = phases(t);
  // The steps of a stage are alike: those of two short rings tell those of a long one. From 8 PEs
  // on the line that takes longest to align goes onwards (align_cycles).
  const int shorter = t.form == S3dftForm::cannon ? 8 : 4, long_enough = shorter + 4;
  const bool measured = model == fft::Model::measured;
  const Cycles longer = measured ? run(t, long_enough, job.options.machine) : Cycles{},
               fewer = measured ? run(t, shorter, job.options.machine) : Cycles{};
  std::size_t phase = 0;
  for (const Stage& stage : stages_of(t.division)) {
    const int p = t.division.along(stage.ring);
    const bool aligns = t.form == S3dftForm::cannon && stage.rolls_array();
    for (const bool align : {true, false}) {
      if (align && !aligns) continue;
      const double published = align ? align_cycles(p, words_of_step(t, stage))
                                     : p * (step_cycles(t, stage) + (aligns ? kTwoMoreStreams : 0));
      const double cycles = !measured ? published
                                      : longer[phase] + (longer[phase] - fewer[phase]) /
                                                            (long_enough - shorter) *
                                                            std::max(p - long_enough, 0);
      all[phase++].cycles = static_cast<std::uint64_t>(cycles);
    }
  }
  return fft::Expectation(std::move(all));
}

}  // namespace weft::s3dft
