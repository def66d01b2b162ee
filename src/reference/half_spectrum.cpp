#include "reference/half_spectrum.hpp"

namespace weft::reference {

std::vector<std::complex<double>> half_of(const std::vector<std::complex<double>>& spectrum,
                                          const Shape3& shape) {
  const std::size_t kept = shape.n2 / 2 + 1;
  std::vector<std::complex<double>> half;
  half.reserve(shape.n0 * shape.n1 * kept);
  for (std::size_t k = 0; k < spectrum.size(); ++k)
    if (k % shape.n2 < kept) half.push_back(spectrum[k]);
  return half;
}

Volume whole_of(const Volume& half, std::size_t n2) {
  const auto [n0, n1, kept, n3] = half.shape;
  Volume whole{{n0, n1, n2}, {}};
  whole.data.reserve(n0 * n1 * n2);
  for (std::size_t a = 0; a < n0; ++a)
    for (std::size_t b = 0; b < n1; ++b)
      for (std::size_t c = 0; c < n2; ++c) {
        const std::size_t mirrored = ((n0 - a) % n0 * n1 + (n1 - b) % n1) * kept + (n2 - c);
        whole.data.push_back(c < kept ? half.data[(a * n1 + b) * kept + c]
                                      : std::conj(half.data[mirrored]));
      }
  return whole;
}

}  // namespace weft::reference
