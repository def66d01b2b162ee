#include <cstddef>
#include <random>

#include "io/allocate.hpp"
#include "io/volume_file.hpp"

namespace weft::io {
namespace {

/// Of which a number takes two. The engine is fixed by the standard;
/// std::uniform_real_distribution is not.
float next(std::mt19937_64& engine) {
  return static_cast<float>(engine() >> 40) * 0x1p-23F - 1.0F;  // 24 bits: exact in a float
}

void fill(std::mt19937_64& engine, std::span<std::complex<float>> numbers) {
  for (std::complex<float>& number : numbers) {
    const float re = next(engine);
    const float im = next(engine);
    number = {re, im};
  }
}

}  // namespace

Volume random_volume(Shape3 shape, std::uint64_t seed) {
  Volume volume = allocate_volume(shape, "a random array");
  std::mt19937_64 engine(seed);
  fill(engine, volume.data);
  return volume;
}

std::vector<std::complex<float>> random_part(std::span<const NumberRun> runs, std::uint64_t seed) {
  std::size_t size = 0;
  for (const NumberRun& run : runs) size += run.count;
  std::vector<std::complex<float>> numbers = allocate_numbers({size}, "a part of a random array");
  std::span<std::complex<float>> rest(numbers);
  std::mt19937_64 engine(seed);
  std::size_t drawn = 0;
  for (const auto& [first, count] : runs) {
    engine.discard(2 * (first - drawn));
    fill(engine, rest.first(count));
    rest = rest.subspan(count);
    drawn = first + count;
  }
  return numbers;
}

}  // namespace weft::io
