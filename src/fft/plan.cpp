#include <memory>
#include <optional>
#include <utility>

#include "base/threads.hpp"
#include "fft/algorithm.hpp"
#include "fft/findings.hpp"
#include "fft/parts.hpp"
#include "fft/planning.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {

FftPlan::FftPlan(Shape3 shape, FftPrecision precision, FftOptions options)
    : shape_(shape), precision_(precision), options_(std::move(options)) {
  base::check_threads(options_.threads);
  check_machine(options_.machine);
  const fft::Algorithm& algorithm = fft::algorithm_of(options_.algorithm);
  fft::check_shape(shape, algorithm.wrong_shape(shape, options_.kind));
  fft::check_batch(options_.batch);
  const FftMesh asked = options_.mesh;
  fft::Choice choice = algorithm.choose(shape, precision, options_);
  options_.mesh = {choice.division.width(), choice.division.height()};
  options_.parts = fft::sharing_of(choice.division, options_) != fft::Sharing::none;
  found_ = std::make_shared<Findings>(std::move(choice), asked);
}

Shape3 FftPlan::input_shape(FftDirection direction) const noexcept {
  const bool half = options_.kind == FftKind::real && direction == FftDirection::inverse;
  return {shape_.n0 * static_cast<std::size_t>(options_.batch), shape_.n1,
          half ? shape_.n2 / 2 + 1 : shape_.n2, shape_.n3};
}

Shape3 FftPlan::output_shape(FftDirection direction) const noexcept {
  return input_shape(direction == FftDirection::forward ? FftDirection::inverse
                                                        : FftDirection::forward);
}

FftPart FftPlan::input_part(FftDirection direction, std::optional<int> rank) const {
  return fft::part_of(*this, found_->choice.division, direction, true, rank);
}

FftPart FftPlan::output_part(FftDirection direction, std::optional<int> rank) const {
  return fft::part_of(*this, found_->choice.division, direction, false, rank);
}

}  // namespace weft::inline v0
