#include <cmath>
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

std::complex<float> next_number(std::mt19937_64& engine) {
  const float re = next(engine);
  const float im = next(engine);
  return {re, im};
}

void fill(std::mt19937_64& engine, std::span<std::complex<float>> numbers) {
  for (std::complex<float>& number : numbers) number = next_number(engine);
}

std::vector<std::complex<float>> room_for(std::span<const NumberRun> runs) {
  std::size_t size = 0;
  for (const NumberRun& run : runs) size += run.count;
  return allocate_numbers({size}, "random numbers");
}

/// A plane of half a spectrum in which number (a, b) is the conjugate of number (-a, -b).
class ConjugatePlane {
 public:
  explicit ConjugatePlane(Shape3 half) : n0_(half.n0), n1_(half.n1), numbers_(n0_ * n1_) {}
  /// The number of a row of the array, from what was drawn for it, after those before it.
  std::complex<float> take(std::size_t row, std::complex<float> drawn) {
    const std::size_t other = (n0_ - row / n1_) % n0_ * n1_ + (n1_ - row % n1_) % n1_;
    if (other == row) drawn.imag(0);
    if (other < row) drawn = std::conj(numbers_[other]);
    return numbers_[row] = drawn;
  }

 private:
  std::size_t n0_, n1_;
  std::vector<std::complex<float>> numbers_;
};

/// The numbers of such a field are about sqrt(2 / n) as large as those of its spectrum.
float scale_of_half(Shape3 half) {
  const double n = static_cast<double>(half.n0 * half.n1) * 2 * static_cast<double>(half.n2 - 1);
  return std::ldexp(1.0F, static_cast<int>(std::lround(std::log2(n / 2) / 2)));
}

}  // namespace

Volume random_volume(Shape3 shape, std::uint64_t seed) {
  Volume volume = allocate_volume(shape, "a random array");
  std::mt19937_64 engine(seed);
  fill(engine, volume.data);
  return volume;
}

std::vector<std::complex<float>> random_part(std::span<const NumberRun> runs, std::uint64_t seed) {
  std::vector<std::complex<float>> numbers = room_for(runs);
  std::span<std::complex<float>> rest(numbers);
  std::mt19937_64 engine(seed);
  std::size_t drawn = 0;
  for (const NumberRun& run : runs) {
    engine.discard(2 * (run.first - drawn));
    fill(engine, rest.first(run.count));
    rest = rest.subspan(run.count);
    drawn = run.first + run.count;
  }
  return numbers;
}

std::vector<std::complex<float>> random_half_part(Shape3 half, std::span<const NumberRun> runs,
                                                  std::uint64_t seed) {
  std::vector<std::complex<float>> numbers = room_for(runs);
  const std::size_t rows = half.n0 * half.n1, kept = half.n2;
  ConjugatePlane first(half), last(half);
  const float scale = scale_of_half(half);
  std::mt19937_64 engine(seed);
  auto run = runs.begin();
  auto place = numbers.begin();
  for (std::size_t number = 0; place != numbers.end(); ++number) {
    const std::size_t row = number / kept % rows, column = number % kept;
    std::complex<float> value = next_number(engine);
    if (column == 0) value = first.take(row, value);
    if (column == kept - 1) value = last.take(row, value);
    if (number < run->first) continue;
    *place++ = scale * value;
    if (number + 1 == run->first + run->count) ++run;
  }
  return numbers;
}

}  // namespace weft::io
