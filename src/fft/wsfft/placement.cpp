#include "fft/wsfft/placement.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fft/tiles.hpp"

namespace weft::wsfft {
namespace {

/// Where number k of the pencil in PE (x, y) stands in an n x n x n volume.
std::size_t index_of(Arrangement arrangement, std::size_t n, std::size_t x, std::size_t y,
                     std::size_t k) {
  return arrangement == Arrangement::space ? (x * n + y) * n + k : (y * n + k) * n + x;
}

/// f(x, y, k, number) for number k of the pencil in each PE (x, y) of a rectangle; they are
/// numbered pencil by pencil, row by row. In turns of a few of each pencil, which share cache lines
/// with their neighbours in the volume.
template <class F>
void for_numbers(const Rect& where, std::size_t n, F f) {
  constexpr std::size_t kTurn = 8;
  const auto width = static_cast<std::size_t>(where.width);
  const auto height = static_cast<std::size_t>(where.height);
  for (std::size_t first = 0; first < n; first += kTurn)
    for (std::size_t pe = 0; pe < width * height; ++pe) {
      const std::size_t x = static_cast<std::size_t>(where.x) + pe % width;
      const std::size_t y = static_cast<std::size_t>(where.y) + pe / width;
      for (std::size_t k = first; k < std::min(first + kTurn, n); ++k) f(x, y, k, pe * n + k);
    }
}

std::vector<std::uint32_t> room_for(const Rect& where, std::size_t n, Numbers numbers) {
  const int words = where.width * where.height * numbers.words();  // for each number of a pencil
  return std::vector<std::uint32_t>(static_cast<std::size_t>(words) * n);
}

}  // namespace

void scatter(Fabric& fabric, const Volume& volume, Numbers numbers, Arrangement arrangement,
             std::uint32_t address, int threads) {
  const std::size_t n = volume.shape.n0;
  const auto words = static_cast<std::size_t>(numbers.words());
  fft::for_tiles(static_cast<int>(n), threads, [&](const Rect& where) {
    std::vector<std::uint32_t> pencils = room_for(where, n, numbers);
    for_numbers(where, n, [&](std::size_t x, std::size_t y, std::size_t k, std::size_t number) {
      encode(numbers, volume.data[index_of(arrangement, n, x, y, k)], &pencils[words * number]);
    });
    fabric.write(where, address, pencils);
  });
}

Volume gather(const Fabric& fabric, Shape3 shape, Numbers numbers, Arrangement arrangement,
              std::uint32_t address, int threads) {
  const std::size_t n = shape.n0;
  const auto words = static_cast<std::size_t>(numbers.words());
  Volume volume{shape, std::vector<std::complex<float>>(shape.size())};
  fft::for_tiles(static_cast<int>(n), threads, [&](const Rect& where) {
    std::vector<std::uint32_t> pencils = room_for(where, n, numbers);
    fabric.read(where, address, pencils);
    for_numbers(where, n, [&](std::size_t x, std::size_t y, std::size_t k, std::size_t number) {
      volume.data[index_of(arrangement, n, x, y, k)] = decode(numbers, &pencils[words * number]);
    });
  });
  return volume;
}

}  // namespace weft::wsfft
