#include "fft/wsfft/placement.hpp"

#include <cstdint>
#include <vector>

namespace weft::wsfft {
namespace {

/// Where number k of the pencil in PE (x, y) stands in an n x n x n volume.
std::size_t index_of(Arrangement arrangement, std::size_t n, std::size_t x, std::size_t y,
                     std::size_t k) {
  return arrangement == Arrangement::space ? (x * n + y) * n + k : (y * n + k) * n + x;
}

}  // namespace

void scatter(Fabric& fabric, const Volume& volume, Numbers numbers, Arrangement arrangement,
             std::uint32_t address) {
  const std::size_t n = volume.shape.n0;
  const auto words = static_cast<std::size_t>(numbers.words());
  std::vector<std::uint32_t> row(words * n * n);
  for (std::size_t y = 0; y < n; ++y) {
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t x = 0; x < n; ++x)
        encode(numbers, volume.data[index_of(arrangement, n, x, y, k)], &row[words * (x * n + k)]);
    fabric.write({0, static_cast<int>(y), static_cast<int>(n), 1}, address, row);
  }
}

Volume gather(const Fabric& fabric, Shape3 shape, Numbers numbers, Arrangement arrangement,
              std::uint32_t address) {
  const std::size_t n = shape.n0;
  const auto words = static_cast<std::size_t>(numbers.words());
  Volume volume{shape, std::vector<std::complex<float>>(shape.size())};
  std::vector<std::uint32_t> row(words * n * n);
  for (std::size_t y = 0; y < n; ++y) {
    fabric.read({0, static_cast<int>(y), static_cast<int>(n), 1}, address, row);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t x = 0; x < n; ++x)
        volume.data[index_of(arrangement, n, x, y, k)] = decode(numbers, &row[words * (x * n + k)]);
  }
  return volume;
}

}  // namespace weft::wsfft
