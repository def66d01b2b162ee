#include "cli/fft/fft_input.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/common/shape.hpp"
#include "cli/fft/run_parts.hpp"
#include "fft/planning.hpp"
#include "io/array_file.hpp"
#include "io/fit.hpp"
#include "io/sides.hpp"
#include "weft/error.hpp"

namespace weft::cli {
io::Fit parse_fit(const std::optional<std::string>& word) {
  if (!word) return io::Fit::none;
  constexpr base::Word<io::Fit> kKnown[] = {
      {"crop", io::Fit::crop}, {"pad", io::Fit::pad}, {"resample", io::Fit::resample}};
  return choose("--fit", *word, kKnown);
}

namespace {

using io::Sides;

constexpr std::size_t kMostAxes = 4;  ///< of an array

FftPlan plan_of(const FftReport& report, const FftMesh& mesh) {
  FftOptions options = report.options;
  options.mesh = mesh;
  options.batch = report.arrays.batch;
  options.kind = report.arrays.kind;
  return {report.arrays.shape, report.precision, std::move(options)};
}

std::size_t count_of(const Sides& sides) {
  return std::accumulate(sides.begin(), sides.end(), std::size_t{1}, std::multiplies<>());
}

/// The array in a file, as messages name it.
struct GivenArray {
  const std::string& path;
  const Sides& sides;  ///< of all arrays

  [[noreturn]] void refuse(const std::string& why, const std::string& remedy) const {
    throw Error(ErrorCategory::input,
                fmt::format("invalid input: '{}' of shape {}", path, io::tuple_text(sides)), why,
                remedy);
  }
};

std::string reshape_text(const Sides& to) {
  return fmt::format("reshape it to {}: numpy.save(file, array.reshape{})", io::tuple_text(to),
                     io::tuple_text(to));
}

Sides behind_first(const Sides& sides) { return {sides.begin() + 1, sides.end()}; }

Sides with_first(std::size_t first, Sides sides) {
  sides.insert(sides.begin(), first);
  return sides;
}

/// The sides of one of the arrays, without the axis that counts them. `expected`: where --shape
/// tells.
Sides sides_of_one(const GivenArray& given, const FftArguments& arguments,
                   const std::optional<Sides>& expected, ArrayLayout& layout) {
  const Sides& sides = given.sides;
  const auto batch = static_cast<std::size_t>(arguments.batch.value_or(1));
  const bool counted = sides.size() > 1 && sides.front() == batch;
  if (batch > 1) {
    // Arrays one after the other along an axis that they have anyway.
    Sides meant = expected ? with_first(batch, *expected) : Sides{};
    if (!expected && sides.size() <= kMostAxes && sides.front() % batch == 0 &&
        sides.front() > batch)
      meant = with_first(batch, with_first(sides.front() / batch, behind_first(sides)));
    const bool same_count = !meant.empty() && count_of(meant) == count_of(sides);
    const bool as_expected =
        counted && (!expected || !same_count ||
                    (sides.size() <= kMostAxes + 1 &&
                     io::shape_of(behind_first(sides)) == io::shape_of(*expected)));
    if (!as_expected)
      given.refuse(fmt::format("the first axis of a batch counts its arrays, here {}", batch),
                   same_count ? reshape_text(meant) : "give such a file, or another --batch");
  }
  layout.batch_axis = batch > 1 || (arguments.batch && counted && sides.size() > 3);
  Sides one = layout.batch_axis ? behind_first(sides) : sides;
  if (one.size() < kMostAxes) return one;
  const Sides fewer = io::squeezed(one);
  if (fewer.size() == one.size() && one.size() == kMostAxes) return one;
  if (fewer.size() <= kMostAxes)
    given.refuse("it has axes of one number, and an array of four axes has none",
                 reshape_text(layout.batch_axis ? with_first(batch, fewer) : fewer));
  given.refuse(
      fmt::format("an array has one to four axes{}", layout.batch_axis ? " in a batch" : ""),
      one.size() == kMostAxes + 1 && !layout.batch_axis
          ? fmt::format("for {} arrays of four axes give --batch {}, or save one, e.g. array[0]",
                        one.front(), one.front())
          : "save one part of it with four axes, e.g. array[0]");
}

/// Throws unless an array of these sides can be transformed.
void check_fit_for_transform(const GivenArray& given, const Sides& one, const Shape3& shape,
                             bool half, const FftReport& report) {
  const std::string why = why_no_fft(shape, FftKind::complex, report.options.algorithm);
  if (why.empty()) return;
  const Sides fewer = io::squeezed(one);
  const bool helps =
      half || why_no_fft(io::shape_of(fewer), FftKind::complex, report.options.algorithm).empty();
  if (one.back() == 1 && fewer != Sides{1} && helps)
    given.refuse(why, reshape_text(report.layout.batch_axis ? with_first(given.sides.front(), fewer)
                                                            : fewer));
  given.refuse(
      why,
      half ? "give half a spectrum: N2 / 2 + 1 numbers along its last axis, N2 even, "
             "2^a 3^b 5^c from 2"
      : one.size() == kMostAxes
          ? fmt::format("for {} arrays of three axes give --batch {}", one.front(), one.front())
          : "give --fit crop, pad or resample, for the nearest sides, or for those of --shape");
}

/// Throws unless an array of these sides is the one that --shape asks for, or can be made so.
void check_asked(const GivenArray& given, const Sides& one, const Sides& expected, bool half,
                 const FftArguments& arguments, const FftReport& report) {
  if (io::shape_of(one) == io::shape_of(expected)) return;
  if (io::squeezed(one) == io::squeezed(expected))
    given.refuse(fmt::format("--shape asks for {}", io::tuple_text(expected)),
                 reshape_text(report.layout.batch_axis ? with_first(given.sides.front(), expected)
                                                       : expected));
  if (!arguments.fit)
    throw Error(ErrorCategory::input,
                fmt::format("'{}' is {}, not {}", given.path, io::shape_text(given.sides),
                            io::shape_text(expected)),
                half ? "half a spectrum of --shape has N2 / 2 + 1 numbers along its last axis"
                     : "--shape asks for another shape than the file has",
                half                            ? "give the shape of the real array"
                : report.layout.batch_axis      ? "give such a file, or another --shape"
                : one.size() != expected.size() ? "give as many sides as the file has axes"
                : one.size() == kMostAxes       ? "give the shape of the file"
                                                : "add --fit crop, --fit pad or --fit resample");
  if (one.size() == kMostAxes && expected.size() == kMostAxes)
    given.refuse("--fit is for one to three axes", "give the file's own shape");
  if (one.size() != expected.size())
    given.refuse(fmt::format("it has {} axes, and --shape {} sides", one.size(), expected.size()),
                 "give as many sides as it has axes");
}

/// The sides of an array that is made to fit, where --shape does not tell them: the nearest that
/// can be transformed.
Sides nearest_sides(const GivenArray& given, Sides sides, const FftArguments& arguments,
                    const FftReport& report) {
  if (sides.size() == kMostAxes)
    given.refuse("--fit is for one to three axes", "give the file as it is");
  if (report.options.algorithm != FftAlgorithm::wsfft) return sides;  // it has any
  const io::Fit fit = parse_fit(arguments.fit);
  const fft::NearestSide which = fit == io::Fit::pad    ? fft::NearestSide::larger
                                 : fit == io::Fit::crop ? fft::NearestSide::smaller
                                                        : fft::NearestSide::either;
  for (std::size_t& side : sides)
    side = fft::nearest_side(side, report.arrays.kind == FftKind::real && &side == &sides.back(),
                             which);
  return sides;
}

Sides half_of(Sides sides) {
  sides.back() = sides.back() / 2 + 1;
  return sides;
}

/// Of the processes before this one, where they have parts.
std::vector<FftPart> parts_before(const FftPlan& plan, FftDirection direction) {
  std::vector<FftPart> parts;
  if (plan.options().parts)
    for (int rank = 0; rank < plan.options().processes->rank(); ++rank)
      parts.push_back(plan.input_part(direction, rank));
  return parts;
}

PlannedInput read_file(const FftArguments& arguments, std::optional<Sides> asked,
                       const FftMesh& mesh, FftReport& report) {
  io::ArrayFile file(*arguments.input);
  const GivenArray given{*arguments.input, file.sides()};
  report.input = given.path;
  report.input_sides = given.sides;
  report.fit = arguments.fit.value_or(report.fit);
  const bool half = report.arrays.is_c2r();
  std::optional<Sides> expected = asked;
  if (half && asked) expected = half_of(*asked);
  const Sides one = sides_of_one(given, arguments, expected, report.layout);
  if (arguments.fit && !asked) asked = nearest_sides(given, one, arguments, report);
  if (expected) check_asked(given, one, *expected, half, arguments, report);
  report.layout.axes = asked ? asked->size() : one.size();
  report.arrays.shape = io::shape_of(asked.value_or(one));
  Shape3& shape = report.arrays.shape;
  if (half && !asked) (one.size() == kMostAxes ? shape.n3 : shape.n2) = 2 * (one.back() - 1);
  if (!asked) check_fit_for_transform(given, one, report.arrays.shape, half, report);
  FftPlan plan = plan_of(report, mesh);  // throws for a wrong mesh, before the file is read
  Volume volume{report.arrays.stacked(report.arrays.input_shape()), {}};
  if (arguments.plan) return {std::move(plan), std::move(volume)};
  const auto read = [&](std::span<const io::NumberRun> runs) {
    return file.read_part(runs, &report.conversion);
  };
  const FftPart part = plan.input_part(report.arrays.direction);
  if (io::shape_of(one) == volume.shape || report.arrays.batch > 1)
    volume.data = read(runs_of_part(part));
  else
    volume.data =
        io::fit_part(read, io::shape_of(one), part, parts_before(plan, report.arrays.direction),
                     parse_fit(arguments.fit), given.path);
  return {std::move(plan), std::move(volume)};
}

}  // namespace

PlannedInput read_input(const FftArguments& arguments, const std::optional<io::Sides>& asked,
                        const FftMesh& mesh, FftReport& report) {
  if (arguments.input) return read_file(arguments, asked, mesh, report);
  report.layout.axes = asked ? asked->size() : 3;
  report.layout.batch_axis = report.arrays.batch > 1;
  report.arrays.shape = asked ? io::shape_of(*asked) : Shape3{64, 64, 64};
  const Shape3 shape = report.arrays.stacked(report.arrays.input_shape());
  FftPlan plan = plan_of(report, mesh);  // throws for a wrong mesh, before a field is made
  if (!report.options.data || arguments.plan) return {std::move(plan), {shape, {}}};
  report.seed = arguments.seed.value_or(report.seed);
  const FftPart part = plan.input_part(report.arrays.direction);
  return {std::move(plan), {shape, random_numbers(report.arrays, report.seed, runs_of_part(part))}};
}

}  // namespace weft::cli
