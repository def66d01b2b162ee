#include "fft/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <optional>
#include <string>

#include "fft/algorithm.hpp"
#include "fft/division/way.hpp"
#include "fft/own_forms.hpp"
#include "fft/parts.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

constexpr std::size_t kLeast = FftPlan::kLeastSide, kMost = FftPlan::kMostSide;

/// What to do about a side that wsFFT does not take.
std::string remedy_for(const Shape3& shape, FftKind kind) {
  return fmt::format(
      "choose 2^a 3^b 5^c from {} to {} (an only side: to {}), and 1 for an axis that "
      "the array does not have{}",
      kLeast, kMost, FftPlan::kLongest,
      kS3dft.wrong_shape(shape, kind) ? "" : ", or the algorithm s3dft for any three sides");
}

/// The next side without a prime factor above 5, down or up.
int next_side(int n, int (*next)(int), bool even) {
  do n = next(n);
  while (even && n % 2 != 0);
  return n;
}

}  // namespace

std::size_t nearest_side(std::size_t side, bool even, NearestSide which) {
  if (side <= 1 || side > FftPlan::kLongest) return side;
  const int n = static_cast<int>(side);
  if (wsfft::is_smooth(n) && (!even || n % 2 == 0)) return side;
  const auto larger = static_cast<std::size_t>(next_side(n, wsfft::smooth_above, even));
  const auto smaller = static_cast<std::size_t>(next_side(n, wsfft::smooth_below, even));
  if (which == NearestSide::larger) return larger;
  if (which == NearestSide::smaller) return smaller;
  return side - smaller < larger - side ? smaller : larger;
}

FftPencil pencil_for(const Shape3& shape, FftPencil asked) {
  if (asked != FftPencil::automatic) return asked;
  const auto is_two = [](std::size_t side) { return side == 2; };
  const bool published = std::has_single_bit(shape.size()) &&
                         std::ranges::none_of(std::array{shape.n0, shape.n1, shape.n2, shape.n3},
                                              is_two);  // which radix2 has not
  return published ? FftPencil::radix2 : FftPencil::radix4;
}

std::string shape_text(const Shape3& shape) {
  return fmt::format("{},{},{}{}", shape.n0, shape.n1, shape.n2,
                     shape.n3 == 1 ? "" : fmt::format(",{}", shape.n3));
}

std::optional<WrongShape> wrong_shape(const Shape3& shape, FftKind kind) {
  const auto& [n0, n1, n2, n3] = shape;
  const bool one_axis = n0 == 1 && n1 == 1 && n3 == 1;
  if (n3 != 1) {
    if (std::ranges::min({n0, n1, n2}) == 1)
      return WrongShape{"an array of four axes has no side of 1", "leave such axes out"};
    if (kind == FftKind::real)
      return WrongShape{"a real array has one to three axes", "take complex numbers"};
  }
  if (n2 == 1)
    return WrongShape{"its last axis has one number",
                      one_axis ? fmt::format("give {} numbers or more", kLeast)
                               : fmt::format("reshape the array to {},1,{}", n1 == 1 ? 1 : n0,
                                             n1 == 1 ? n0 : n1)};
  const auto why = [&](std::size_t side, bool even) -> std::string {
    if (side < kLeast) return fmt::format("side {} is less than {}", side, kLeast);
    if (one_axis && side > FftPlan::kLongest)
      return fmt::format("side {} is more than {}", side, FftPlan::kLongest);
    if (!one_axis && side > kMost)
      return fmt::format("side {} is more than {}, the longest pencil of a PE", side, kMost);
    const int n = static_cast<int>(side);
    return wsfft::is_smooth(n)
               ? ""
               : fmt::format(
                     "side {} has a prime factor above 5, the nearest{} without are {} and {}", n,
                     even ? " even ones" : "", next_side(n, wsfft::smooth_below, even),
                     next_side(n, wsfft::smooth_above, even));
  };
  for (const std::size_t* side : {&n0, &n1, &n2, &n3}) {
    const bool even = kind == FftKind::real && side == &n2;
    if (const std::string wrong = *side == 1 ? "" : why(*side, even); !wrong.empty())
      return WrongShape{wrong, remedy_for(shape, kind)};
  }
  return kind == FftKind::real ? wrong_for_real(shape) : std::nullopt;
}

void check_shape(const Shape3& shape, const std::optional<WrongShape>& wrong) {
  if (wrong)
    throw Error(ErrorCategory::usage, "invalid shape: " + shape_text(shape), wrong->why,
                wrong->remedy);
}

void check_batch(int batch) {
  if (batch < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid batch: {} arrays", batch),
                "allowed: 1 or more", "give the count of arrays");
}

void check_wsfft(const FftPlan& plan, const char* what) {
  const FftAlgorithm algorithm = plan.options().algorithm;
  if (algorithm != FftAlgorithm::wsfft)
    throw Error(ErrorCategory::usage, fmt::format("{} has no {}", to_string(algorithm), what),
                "it is of wsfft alone", "take the algorithm wsfft");
}

void check_back(const wsfft::Division& d, FftTranspose transpose) {
  const auto [n0, n1, n2] = d.sides;
  const bool line = (n1 == 1) != (n0 == 1) && (n1 == 1 ? n0 : n1) == n2 && !d.folded();
  if (!line || d.real || d.digits || d.in_place)
    throw Error(ErrorCategory::usage, fmt::format("no transpose back on {} x {} PEs", d.px, d.py),
                "it is of complex arrays of two axes of one length on a line of PEs, and not of "
                "butterflies",
                "leave it out, or take such an array");
  if (transpose == FftTranspose::published)
    throw Error(ErrorCategory::usage, "no published transpose back",
                "its filters are set for one exchange along an axis",
                "take interlocked, ring or halves, or leave the choice");
}

wsfft::Division division_of(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  check_shape(shape, wrong_shape(shape, options.kind));
  check_batch(options.batch);
  wsfft::Division division = way_of(shape, options, bytes).choose(shape, options);
  const OwnForm* own = own_form(options.transpose);
  division.ring = own != nullptr && own->folded;
  division.in_place = own != nullptr && own->in_place && own->lies(division);
  division.back = options.back;
  return division;
}

int rounds_of(const wsfft::Division& division, int batch) {
  const std::int64_t at_once = std::int64_t{division.across} * division.down;
  return static_cast<int>((batch - 1) / at_once + 1);
}

void check_input(const Volume& input, Shape3 shape) { check_input(input, shape, shape.size()); }

void check_input(const Volume& input, Shape3 shape, std::size_t numbers) {
  if (input.shape != shape)
    throw Error(ErrorCategory::usage, "invalid input: shape " + shape_text(input.shape),
                "the plan is for " + shape_text(shape), "give an array of the plan's shape");
  if (input.data.size() != numbers)
    throw Error(ErrorCategory::usage, fmt::format("invalid input: {} numbers", input.data.size()),
                numbers == shape.size()
                    ? fmt::format("its shape {} has {}", shape_text(shape), numbers)
                    : fmt::format("this process's part has {}", numbers),
                "fill the volume's data, which is in C order");
}

void check_real(const Volume& input, const FftPart& part) {
  for_runs(part, [&](std::size_t first, std::size_t count, std::size_t mine) {
    const auto begin = input.data.begin() + static_cast<std::ptrdiff_t>(mine);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    const auto other =
        std::find_if(begin, end, [](std::complex<float> z) { return z.imag() != 0; });
    if (other != end)
      throw Error(ErrorCategory::usage,
                  fmt::format("invalid input: number {} has the imaginary part {}",
                              first + static_cast<std::size_t>(other - begin), other->imag()),
                  "the plan is for real numbers", "take the transform of complex numbers");
  });
}

}  // namespace weft::fft
