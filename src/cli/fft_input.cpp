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
namespace {

// The arrays of a batch, one after the other along axis 0.
Shape3 stacked(const Shape3& shape, int batch) {
  return {shape.n0 * static_cast<std::size_t>(batch), shape.n1, shape.n2};
}

// As an input has it: of the arrays of a batch, or of half a spectrum.
Shape3 input_shape(const Shape3& shape, const FftReport& report) {
  Shape3 all = stacked(shape, report.batch);
  if (is_c2r(report)) all.n2 = shape.n2 / 2 + 1;
  return all;
}

// The numbers that --seed chooses.
Volume random_input(const FftReport& report) {
  Volume field = io::random_volume(stacked(report.shape, report.batch), report.seed);
  if (report.kind == FftKind::complex) return field;
  for (std::complex<float>& number : field.data) number = number.real();
  if (!is_c2r(report)) return field;
  const auto half = reference::half_of(reference::fftw(field, FftDirection::forward), report.shape);
  return {input_shape(report.shape, report), {half.begin(), half.end()}};
}

}  // namespace

io::Fit parse_fit(const std::optional<std::string>& word) {
  if (!word) return io::Fit::none;
  return choose<io::Fit>(
      "--fit", *word,
      {{"crop", io::Fit::crop}, {"pad", io::Fit::pad}, {"resample", io::Fit::resample}});
}

bool is_c2r(const FftReport& report) {
  return report.kind == FftKind::real && report.direction == FftDirection::inverse;
}

FftPlan plan_of(const FftReport& report, const FftMesh& mesh, FftOptions options) {
  options.machine = report.machine;
  options.mesh = mesh;
  options.batch = report.batch;
  options.kind = report.kind;
  options.norm = report.norm;
  options.transpose = report.transpose;
  options.pencil = report.pencil;
  options.threads = report.threads;
  options.engine = report.engine;
  options.data = report.data;
  options.accelerate = report.accelerate;
  return {report.shape, report.precision, std::move(options)};
}

Volume read_input(const FftArguments& arguments, const std::optional<Shape3>& asked,
                  const FftMesh& mesh, FftReport& report) {
  if (!arguments.input) {
    report.shape = asked.value_or(Shape3{64, 64, 64});
    const Shape3 shape = input_shape(report.shape, report);
    plan_of(report, mesh);  // throws for a wrong mesh, before a large field takes its time
    if (!report.data || arguments.plan) return {shape, {}};
    report.seed = arguments.seed.value_or(report.seed);
    report.input_shape = shape;
    return random_input(report);
  }
  const std::string& path = *arguments.input;
  Volume volume = io::read_volume(path, &report.conversion);
  report.input = path;
  report.input_shape = volume.shape;
  report.fit = arguments.fit.value_or(report.fit);
  const auto batch = static_cast<std::size_t>(report.batch);
  const bool divides = volume.shape.n0 % batch == 0;
  const std::size_t last = is_c2r(report) ? 2 * (volume.shape.n2 - 1) : volume.shape.n2;
  report.shape = asked.value_or(Shape3{volume.shape.n0 / batch, volume.shape.n1, last});
  if (batch > 1 && (!divides || volume.shape != stacked(report.shape, report.batch)))
    throw Error(
        ErrorCategory::input, fmt::format("'{}' is {}", path, io::shape_text(volume.shape)),
        fmt::format(
            "a batch has {} arrays one after the other along its first axis{}", batch,
            asked ? ", here " + io::shape_text(stacked(*asked, report.batch)) : std::string()),
        "give such a file, or another --batch");
  if (asked && !arguments.fit && volume.shape != input_shape(*asked, report)) {
    const bool half = is_c2r(report);
    throw Error(
        ErrorCategory::input,
        fmt::format("'{}' is {}, not {}", path, io::shape_text(volume.shape),
                    io::shape_text(input_shape(*asked, report))),
        half ? "half a spectrum of --shape has N2 / 2 + 1 numbers along its last axis"
             : "--shape asks for another shape than the file has",
        half ? "give the shape of the real array" : "add --fit crop, --fit pad or --fit resample");
  }
  if (asked && batch == 1 && !is_c2r(report)) {
    return io::fit(std::move(volume), *asked, parse_fit(arguments.fit), path);
  }
  if (const std::string why = why_unfit(report.shape); !why.empty()) {
    throw Error(ErrorCategory::input,
                fmt::format("'{}' of shape {} cannot be transformed as it is", path,
                            io::shape_text(volume.shape)),
                why,
                is_c2r(report)
                    ? "give half a spectrum: N2 / 2 + 1 numbers along its last axis, N2 a "
                      "power of two from 4"
                    : "choose a shape with --shape, and --fit crop, pad or resample");
  }
  return volume;
}

}  // namespace weft::cli
