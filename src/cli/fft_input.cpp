#include "cli/fft_input.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/options.hpp"
#include "cli/shape.hpp"
#include "io/shape_text.hpp"
#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "weft/error.hpp"

namespace weft::cli {
io::Fit parse_fit(const std::optional<std::string>& word) {
  if (!word) return io::Fit::none;
  return choose<io::Fit>(
      "--fit", *word,
      {{"crop", io::Fit::crop}, {"pad", io::Fit::pad}, {"resample", io::Fit::resample}});
}

FftPlan plan_of(const FftReport& report, const FftMesh& mesh, FftOptions options) {
  options.machine = report.machine;
  options.mesh = mesh;
  options.batch = report.arrays.batch;
  options.kind = report.arrays.kind;
  options.norm = report.norm;
  options.transpose = report.transpose;
  options.pencil = report.pencil;
  options.threads = report.threads;
  options.engine = report.engine;
  options.data = report.data;
  options.accelerate = report.accelerate;
  return {report.arrays.shape, report.precision, std::move(options)};
}

Volume read_input(const FftArguments& arguments, const std::optional<Shape3>& asked,
                  const FftMesh& mesh, FftReport& report) {
  if (!arguments.input) {
    report.arrays.shape = asked.value_or(Shape3{64, 64, 64});
    const Shape3 shape = report.arrays.stacked(report.arrays.input_shape());
    plan_of(report, mesh);  // throws for a wrong mesh, before a large field takes its time
    if (!report.data || arguments.plan) return {shape, {}};
    report.seed = arguments.seed.value_or(report.seed);
    report.input_shape = shape;
    return random_arrays(report.arrays, report.seed);
  }
  const std::string& path = *arguments.input;
  Volume volume = io::read_volume(path, &report.conversion);
  report.input = path;
  report.input_shape = volume.shape;
  report.fit = arguments.fit.value_or(report.fit);
  const bool half = report.arrays.is_c2r();
  const auto batch = static_cast<std::size_t>(report.arrays.batch);
  const std::size_t last = half ? 2 * (volume.shape.n2 - 1) : volume.shape.n2;
  report.arrays.shape = asked.value_or(Shape3{volume.shape.n0 / batch, volume.shape.n1, last});
  const Shape3 expected = report.arrays.stacked(report.arrays.input_shape());
  if (batch > 1 && volume.shape != expected)
    throw Error(ErrorCategory::input, fmt::format("'{}' is {}", path, io::shape_text(volume.shape)),
                fmt::format("a batch has {} arrays one after the other along its first axis{}",
                            batch, asked ? ", here " + io::shape_text(expected) : std::string()),
                "give such a file, or another --batch");
  if (asked && !arguments.fit && volume.shape != expected)
    throw Error(
        ErrorCategory::input,
        fmt::format("'{}' is {}, not {}", path, io::shape_text(volume.shape),
                    io::shape_text(expected)),
        half ? "half a spectrum of --shape has N2 / 2 + 1 numbers along its last axis"
             : "--shape asks for another shape than the file has",
        half ? "give the shape of the real array" : "add --fit crop, --fit pad or --fit resample");
  if (asked && batch == 1 && !half)
    return io::fit(std::move(volume), *asked, parse_fit(arguments.fit), path);
  if (const std::string why = why_unfit(report.arrays.shape); !why.empty()) {
    throw Error(ErrorCategory::input,
                fmt::format("'{}' of shape {} cannot be transformed as it is", path,
                            io::shape_text(volume.shape)),
                why,
                half ? "give half a spectrum: N2 / 2 + 1 numbers along its last axis, N2 a "
                       "power of two from 4"
                     : "choose a shape with --shape, and --fit crop, pad or resample");
  }
  return volume;
}

}  // namespace weft::cli
