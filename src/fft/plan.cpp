#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "base/threads.hpp"
#include "fft/choice.hpp"
#include "fft/division/way.hpp"
#include "fft/fastest.hpp"
#include "fft/findings.hpp"
#include "fft/fitting.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {

FftPlan::FftPlan(Shape3 shape, FftPrecision precision, FftOptions options)
    : shape_(shape), precision_(precision), options_(std::move(options)) {
  base::check_threads(options_.threads);
  check_machine(options_.machine);
  options_ = fft::with_fastest(shape, precision, std::move(options_));
  fft::PeBytes bytes(precision, options_.pencil, options_.transpose);
  const wsfft::Division division = fft::choose_division(shape, options_, bytes);
  fft::check_filters(division, options_.transpose, options_.machine);
  options_.mesh = {division.width(), division.height()};
  found_ = std::make_shared<Findings>(fft::way_of(shape, options_, bytes), division,
                                      bytes.of(division).bytes.value());
}

Shape3 FftPlan::input_shape(FftDirection direction) const noexcept {
  const bool half = options_.kind == FftKind::real && direction == FftDirection::inverse;
  return {shape_.n0 * static_cast<std::size_t>(options_.batch), shape_.n1,
          half ? shape_.n2 / 2 + 1 : shape_.n2};
}

Shape3 FftPlan::output_shape(FftDirection direction) const noexcept {
  return input_shape(direction == FftDirection::forward ? FftDirection::inverse
                                                        : FftDirection::forward);
}

double fft_error_bound(Shape3 shape, FftPrecision precision) noexcept {
  const bool may_be_digits = shape.n0 == 1 && shape.n1 == 1;  // two products by roots of unity
  const double levels = std::log2(static_cast<double>(shape.size())) + (may_be_digits ? 2 : 0);
  return precision == FftPrecision::fp16 ? (4.25 * levels + 8) * 0x1p-11 : 4e-7 * levels;
}

}  // namespace weft::inline v0
