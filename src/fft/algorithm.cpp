#include "fft/algorithm.hpp"

namespace weft::fft {

const Algorithm& algorithm_of(FftAlgorithm algorithm) {
  constexpr const Algorithm* kAll[] = {&kWsfft, &kS3dft};  // in the order of the enumeration
  return *kAll[static_cast<std::size_t>(algorithm)];
}

}  // namespace weft::fft

namespace weft::inline v0 {

std::string why_no_fft(const Shape3& shape, FftKind kind, FftAlgorithm algorithm) {
  const auto wrong = fft::algorithm_of(algorithm).wrong_shape(shape, kind);
  return wrong ? wrong->why : "";
}

double fft_error_bound(Shape3 shape, FftPrecision precision, FftAlgorithm algorithm) noexcept {
  return fft::algorithm_of(algorithm).error_bound(shape, precision);
}

}  // namespace weft::inline v0
