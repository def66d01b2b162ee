#include "fft/algorithm.hpp"

#include <algorithm>

namespace weft::fft {

const Algorithm& algorithm_of(FftAlgorithm algorithm) {
  constexpr const Algorithm* kAll[] = {&kWsfft, &kS3dft};
  return **std::ranges::find(kAll, algorithm, [](const Algorithm* row) { return row->algorithm; });
}

}  // namespace weft::fft

namespace weft::inline v0 {

std::string why_no_fft(const Shape3& shape, FftKind kind, FftAlgorithm algorithm) {
  const auto wrong = fft::algorithm_of(algorithm).wrong_shape(shape, kind);
  return wrong ? wrong->why : "";
}

double fft_error_bound(Shape3 shape, FftPrecision precision, FftAlgorithm algorithm,
                       FftPencil pencil) noexcept {
  return fft::algorithm_of(algorithm).error_bound(shape, precision, pencil);
}

}  // namespace weft::inline v0
