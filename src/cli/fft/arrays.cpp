#include "cli/fft/arrays.hpp"

#include <algorithm>
#include <cstddef>

namespace weft::cli {
namespace {

Shape3 half_spectrum_of(const Shape3& shape) { return {shape.n0, shape.n1, shape.n2 / 2 + 1}; }

}  // namespace

Shape3 Arrays::input_shape() const noexcept { return is_c2r() ? half_spectrum_of(shape) : shape; }

Shape3 Arrays::output_shape() const noexcept { return is_r2c() ? half_spectrum_of(shape) : shape; }

Shape3 Arrays::stacked(const Shape3& one) const noexcept {
  return {one.n0 * static_cast<std::size_t>(batch), one.n1, one.n2, one.n3};
}

io::Sides ArrayLayout::sides_of_one(const Shape3& one) const {
  if (axes == 1) return {one.n2};
  if (axes == 2) return {one.n0, one.n2};
  if (axes == 3) return {one.n0, one.n1, one.n2};
  return {one.n0, one.n1, one.n2, one.n3};
}

io::Sides ArrayLayout::sides_of_all(const Shape3& one, int batch) const {
  io::Sides sides = sides_of_one(one);
  if (batch_axis) sides.insert(sides.begin(), static_cast<std::size_t>(batch));
  return sides;
}

std::string_view kind_text(const Arrays& arrays) noexcept {
  return std::ranges::find_if(kTransforms,
                              [&](const auto& row) {
                                const auto& [kind, direction] = row.value;
                                return kind == arrays.kind &&
                                       direction.value_or(arrays.direction) == arrays.direction;
                              })
      ->word;
}

std::string_view way_text(const Arrays& arrays) noexcept {
  return arrays.kind == FftKind::complex ? to_string(arrays.direction) : kind_text(arrays);
}

Volume array_of(const Volume& all, const Shape3& one, int n) {
  const auto size = static_cast<std::ptrdiff_t>(one.size());
  const auto first = all.data.begin() + n * size;
  return {one, {first, first + size}};
}

std::vector<std::complex<float>> random_numbers(const Arrays& arrays, std::uint64_t seed,
                                                std::span<const io::NumberRun> runs) {
  if (arrays.is_c2r()) return io::random_half_part(arrays.input_shape(), runs, seed);
  std::vector<std::complex<float>> numbers = io::random_part(runs, seed);
  if (arrays.kind != FftKind::complex)
    for (std::complex<float>& number : numbers) number = number.real();
  return numbers;
}

Volume random_arrays(const Arrays& arrays, std::uint64_t seed) {
  const Shape3 shape = arrays.stacked(arrays.input_shape());
  const io::NumberRun all{0, shape.size()};
  return {shape, random_numbers(arrays, seed, {&all, 1})};
}

}  // namespace weft::cli
