// Bounds of relative errors, as docs/accuracy.md derives them. Units are the precision's roundoff.
#include "fft/wsfft/error_bound.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "fft/planning.hpp"

namespace weft::wsfft {
namespace {

/// A rotation in three steps, by the largest angle of a pass.
double of_turns(int radix) {
  const double half = (radix - 1) * std::numbers::pi / radix / 2;
  return 1 + 2 * std::tan(half) + 2 * (1 + std::sin(half)) / std::cos(half);
}

double of_sums(int radix) {
  constexpr std::array<double, 6> kOf{0, 0, 1, 4, 2, 7.3};
  return kOf[static_cast<std::size_t>(radix)];
}

double of_pass(int radix) { return of_turns(radix) + of_sums(radix); }

/// Of a factor 2: half a pass of radix 4, which errs by more than one of radix 2. Split radix turns
/// by its angles in each pass of radix 2.
double of_two(FftPencil pencil) {
  const bool has_fours = pencil == FftPencil::radix4 || pencil == FftPencil::stockham;
  return has_fours ? of_pass(4) / 2 : of_turns(4) + of_sums(2);
}

/// The published pencil turns by products. An array of digits has two products more, as two levels.
double of_radix2(const Shape3& shape, FftPrecision precision, bool digits) {
  const double levels = std::log2(static_cast<double>(shape.size())) + (digits ? 2 : 0);
  return precision == FftPrecision::fp16 ? (4.25 * levels + 8) * 0x1p-11 : 4e-7 * levels;
}

}  // namespace

double error_bound(const Shape3& shape, FftPrecision precision, FftPencil pencil) {
  const bool may_be_digits = shape.n0 == 1 && shape.n1 == 1;  // two products by roots of unity
  const FftPencil taken = fft::pencil_for(shape, pencil);
  if (taken == FftPencil::radix2) return of_radix2(shape, precision, may_be_digits);
  double units = 8 + (may_be_digits ? 6 : 0);  // input and scales; 3 a product
  std::size_t rest = shape.size();
  const auto add = [&](std::size_t factor, double of_one) {
    for (; rest > 0 && rest % factor == 0; rest /= factor) units += of_one;
  };
  add(2, of_two(taken));
  add(3, of_pass(3));
  add(5, of_pass(5));
  return std::expm1(units * (precision == FftPrecision::fp16 ? 0x1p-11 : 0x1p-24));
}

}  // namespace weft::wsfft
