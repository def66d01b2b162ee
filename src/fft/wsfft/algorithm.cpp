// The wafer-scale FFT, as plans take it.
#include "fft/algorithm.hpp"

#include <fmt/format.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fft/choice.hpp"
#include "fft/division/way.hpp"
#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/fastest.hpp"
#include "fft/fitting.hpp"
#include "fft/planning.hpp"
#include "fft/traffic.hpp"
#include "fft/wsfft/butterflies.hpp"
#include "fft/wsfft/error_bound.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "fft/wsfft/real_placement.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::wsfft {
namespace {

std::vector<std::uint32_t> repeated(std::span<const std::uint32_t> words, int times) {
  std::vector<std::uint32_t> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), words.begin(), words.end());
  return all;
}

void write_constants(Fabric& fabric, const TransformProgram& program, const Transform& t, bool data,
                     int threads) {
  if (data) {
    for (const Twiddles& table : program.twiddles)
      fft::write_everywhere(fabric, t.division, table.span.address, root_words(table, t), threads);
    for (std::size_t superstep = 0; superstep < program.roots.size(); ++superstep)
      scatter_roots(fabric, t.division, t.numbers, t.direction, static_cast<int>(superstep),
                    program.roots[superstep].address, threads);
    for (const auto& [axis, scale, where] : program.level_roots)
      fft::write_everywhere(fabric, t.division, where.address,
                            butterfly_roots(t.numbers, t.division.along(axis), t.direction, scale),
                            threads);
  }
  for (const auto& [where, words] : finish_words(program.finish, t.form))
    fft::write_everywhere(fabric, t.division, where.address, words, threads);
}

void scatter(Fabric& fabric, const fft::GivenArrays& arrays, const Transform& t,
             std::uint32_t address) {
  if (t.division.real)
    scatter_real(fabric, arrays, t.division, t.numbers, t.direction, address);
  else
    scatter(fabric, arrays, t.division, t.numbers, arrangements_of(t.division, t.direction).front(),
            address);
}

void gather(const Fabric& fabric, const fft::TakenArrays& arrays, const Transform& t,
            std::uint32_t address) {
  if (t.division.real)
    gather_real(fabric, arrays, t.division, t.numbers, t.direction, address);
  else
    gather(fabric, arrays, t.division, t.numbers, arrangements_of(t.division, t.direction).back(),
           address);
}

/// Throws FaultError if the transform's first exchange faults or does not end.
void run_first_exchange(const Transform& t, const Machine& machine) {
  const TransformProgram program = build_first_exchange(t);
  FabricOptions options;
  options.data = false;
  Fabric fabric(lay_out_line(program.program, t), machine, options);
  const Rect line = line_of(t);
  for (const auto& [where, words] : finish_words(program.finish, t.form))
    fabric.write(line, where.address, repeated(words, line.width * line.height));
  fabric.run_until_idle(fft::kCycleLimit);
}

Transform transform_of(const fft::Job& job, Form form) {
  const FftOptions& options = job.options;
  return {job.division,  {job.precision},
          job.direction, fft::superstep_scales(job.division, options.norm, job.direction),
          form,          options.pencil};
}

/// Options of others that would have no effect.
void check_options(const FftOptions& options) {
  if (options.s3dft_form != S3dftForm::held)
    throw Error(ErrorCategory::usage, "invalid combination: s3dft_form with wsfft",
                "it is of s3dft", "leave it out, or take the algorithm s3dft");
}

/// "2 x 3 arrays side by side, 12 x 10 PEs each: "; empty for one alone.
std::string places_text(const Division& d) {
  if (d.across * d.down == 1) return "";
  return fmt::format("{} x {} arrays side by side, {} x {} PEs each: ", d.across, d.down, d.px,
                     d.py);
}

fft::Choice choose(const Shape3& shape, FftPrecision precision, FftOptions& options) {
  check_options(options);
  options.pencil = fft::pencil_for(shape, options.pencil);
  const fft::PeBytes counted(precision, options.pencil, options.transpose);
  options = fft::with_fastest(shape, std::move(options), counted);
  const fft::PeBytes bytes = counted.of_others(options.pencil, options.transpose);
  const Division division = fft::choose_division(shape, options, bytes);
  fft::check_filters(division, options.transpose, options.machine);
  FftOptions chosen = options;
  chosen.mesh = {division.width(), division.height()};
  const fft::Way& way = fft::way_of(shape, chosen, bytes);
  return {division, fft::pe_memory(division, bytes, options.machine),
          [division, &way](FftDirection direction) {
            return places_text(division) + way.describe(division, direction);
          },
          bytes};
}

std::vector<fft::Attempt> attempts(const FftOptions& options, bool too_late) {
  return fft::attempts(options.transpose, too_late || options.back);
}

fft::Written write(const fft::Job& job, const fft::Attempt& attempt) {
  const Transform t = transform_of(job, attempt.form);
  const auto program = std::make_shared<const TransformProgram>(build_transform(t));
  const bool data = job.options.data;
  const int threads = job.options.threads;
  fft::Written written{lay_out(program->program, t),
                       [=](Fabric& fabric) { write_constants(fabric, *program, t, data, threads); },
                       [=](Fabric& fabric, const fft::GivenArrays& arrays) {
                         scatter(fabric, arrays, t, program->input.address);
                       },
                       [=](const Fabric& fabric, const fft::TakenArrays& arrays) {
                         gather(fabric, arrays, t, program->output.address);
                       },
                       program->stamps,
                       phases(t.division, t.direction),
                       fft::traffic_of(t)};
  for (const Twiddles& table : program->twiddles) written.root_bytes += table.span.bytes;
  for (const MemorySpan& factors : program->roots) written.root_bytes += factors.bytes;
  for (const LevelRoots& level : program->level_roots) written.root_bytes += level.span.bytes;
  const auto order = exchanges_of(t.division, t.direction);
  if (!order.empty() && t.division.along(order.front()) > 1)  // one line of PEs tells sooner
    written.try_form = [=, machine = job.options.machine] { run_first_exchange(t, machine); };
  return written;
}

fft::Expectation expect(const fft::Job& job, fft::Model model) {
  const FftOptions& options = job.options;
  if (model == fft::Model::published)
    return fft::Expectation::published(job.division, job.precision, job.direction);
  fft::Measurements parts(options.machine, job.precision, options.norm);
  return fft::Expectation::measured(job.division, job.direction, options.pencil, options.transpose,
                                    parts);
}

fft::Model model_for(const fft::Job& job) {
  return fft::model_for(job.division, job.options.pencil, job.options.transpose);
}

}  // namespace
}  // namespace weft::wsfft

namespace weft::fft {

const Algorithm kWsfft{FftAlgorithm::wsfft, wrong_shape,   wsfft::choose,    wsfft::attempts,
                       wsfft::write,        wsfft::expect, wsfft::model_for, wsfft::error_bound};

}  // namespace weft::fft
