#include "fft/wsfft/placement.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace weft::wsfft {
namespace {

/// Where number k of the pencil in PE (x, y) stands in an n x n x n volume.
std::size_t index_of(Arrangement arrangement, std::size_t n, std::size_t x, std::size_t y, std::size_t k) {
  return arrangement == Arrangement::space ? (x * n + y) * n + k : (y * n + k) * n + x;
}

}  // namespace

void scatter(Fabric& fabric, const Volume& volume, Arrangement arrangement, std::uint32_t address) {
  const std::size_t n = volume.shape.n0;
  const int side = static_cast<int>(n);
  std::vector<std::uint32_t> row(2 * n * n);
  for (std::size_t y = 0; y < n; ++y) {
    for (std::size_t x = 0; x < n; ++x)
      for (std::size_t k = 0; k < n; ++k) {
        const std::complex<float> value = volume.data[index_of(arrangement, n, x, y, k)];
        row[2 * (x * n + k)] = std::bit_cast<std::uint32_t>(value.real());
        row[2 * (x * n + k) + 1] = std::bit_cast<std::uint32_t>(value.imag());
      }
    fabric.write({0, static_cast<int>(y), side, 1}, address, row);
  }
}

Volume gather(const Fabric& fabric, Shape3 shape, Arrangement arrangement, std::uint32_t address) {
  const std::size_t n = shape.n0;
  const int side = static_cast<int>(n);
  Volume volume{shape, std::vector<std::complex<float>>(shape.size())};
  std::vector<std::uint32_t> row(2 * n * n);
  for (std::size_t y = 0; y < n; ++y) {
    fabric.read({0, static_cast<int>(y), side, 1}, address, row);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t x = 0; x < n; ++x)
        volume.data[index_of(arrangement, n, x, y, k)] = {
            std::bit_cast<float>(row[2 * (x * n + k)]), std::bit_cast<float>(row[2 * (x * n + k) + 1])};
  }
  return volume;
}

}  // namespace weft::wsfft
