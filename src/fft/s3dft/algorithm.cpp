// S3DFT on pencils, as plans take it.
#include "fft/algorithm.hpp"

#include <cmath>
#include <memory>

#include "fft/s3dft/cubes/algorithm.hpp"
#include "fft/s3dft/division.hpp"
#include "fft/s3dft/expectation.hpp"
#include "fft/s3dft/placement.hpp"

namespace weft::s3dft {
namespace {

/// There is one form of a program.
std::vector<fft::Attempt> attempts(const FftOptions& options, bool /*too_late*/) {
  return {{options.transpose, {}, true}};
}

fft::Traffic traffic_of(const Transform& t) {
  const Division& d = t.division;
  const auto count = [](auto n) { return static_cast<std::uint64_t>(n); };
  const std::uint64_t pes = count(d.width()) * count(d.height());
  std::vector<fft::StageTraffic> stages;
  for (const Stage& stage : stages_of(d)) {
    const int p = d.along(stage.ring);
    const std::uint64_t words = count(words_of_step(t, stage)), lines = pes / count(p);
    const auto roll = [&](Axis axis, std::uint64_t words_of_roll) {
      stages.push_back(
          {axis, {{fft::ring_traffic(p, Around::backwards, words_of_roll * count(p - 1)), lines}}});
    };
    roll(stage.ring, words);
    if (t.form != S3dftForm::cannon || !stage.rolls_array()) continue;
    const std::uint64_t side = count(d.sides[static_cast<std::size_t>(stage.summed)] / p);
    roll(stage.ring == Axis::row ? Axis::column : Axis::row,
         side * side * 2 * count(t.part_bytes()) / 4);
    fft::StageTraffic align{stage.ring, {}};  // a line with so many before it goes as many places
    for (int before = 1; before < p; ++before)
      align.lines.emplace_back(
          before > p / 2 ? fft::ring_traffic(p, Around::onwards, words * count(p - before))
                         : fft::ring_traffic(p, Around::backwards, words * count(before)),
          lines / count(p));
    stages.push_back(std::move(align));
  }
  return fft::sum_of(stages);
}

fft::Written write(const fft::Job& job, const fft::Attempt& /*attempt*/) {
  if (job.options.s3dft_form == S3dftForm::cubes) return cubes::write(job);
  const Transform t = transform_of(job.division, job.precision, job.direction, job.options.norm,
                                   job.options.s3dft_form);
  const auto program = std::make_shared<const TransformProgram>(build_transform(t));
  const bool data = job.options.data;
  const int threads = job.options.threads;
  fft::Written written{lay_out(program->program, t),
                       [=](Fabric& fabric) {
                         write_launch(fabric, t, program->launch, threads);
                         if (data) write_coefficients(fabric, t, *program, threads);
                       },
                       [=](Fabric& fabric, const fft::GivenArrays& arrays) {
                         scatter(fabric, arrays, t, program->input);
                       },
                       [=](const Fabric& fabric, const fft::TakenArrays& arrays) {
                         gather(fabric, arrays, t, program->output);
                       },
                       program->stamps,
                       phases(t),
                       traffic_of(t)};
  for (const Roots& table : program->roots) written.root_bytes += table.span.bytes;
  written.root_bytes += program->rows.bytes;
  for (const MemorySpan& factors : program->factors) written.root_bytes += factors.bytes;
  return written;
}

fft::Model model_for(const fft::Job&) { return fft::Model::measured; }

/// docs/accuracy.md derives it.
double error_bound(const Shape3& shape, FftPrecision precision, FftPencil /*pencil*/) {
  double units = 8;  // input and scaling
  for (const std::size_t side : {shape.n0, shape.n1, shape.n2}) {
    const auto n = static_cast<double>(side);
    units += 2.5 * n + 2 * std::sqrt(n);
  }
  return units * (precision == FftPrecision::fp16 ? 0x1p-11 : 0x1p-24);
}

}  // namespace
}  // namespace weft::s3dft

namespace weft::fft {

const Algorithm kS3dft{FftAlgorithm::s3dft, s3dft::wrong_shape, s3dft::choose,
                       s3dft::attempts,     s3dft::write,       s3dft::expect,
                       s3dft::model_for,    s3dft::error_bound};

}  // namespace weft::fft
