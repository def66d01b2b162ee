#include "fft/s3dft/cubes/placement.hpp"

#include <cstdint>
#include <vector>

#include "fft/s3dft/parts.hpp"

namespace weft::s3dft::cubes {
namespace {

Rect all_of(const Tiles& tiles) { return {0, 0, tiles.width(), tiles.height()}; }

/// f(number of the array, number in the block) for all numbers of a PE.
template <class F>
void for_numbers(const Transform& t, const Pe& pe, F f) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t b = size(t.side), n = size(t.n());
  const Node node = t.tiles.node_at(pe);
  std::size_t here = 0;
  for (std::size_t i = size(node.i) * b; i < size(node.i + 1) * b; ++i)
    for (std::size_t j = size(node.j) * b; j < size(node.j + 1) * b; ++j)
      for (std::size_t k = size(node.k) * b; k < size(node.k + 1) * b; ++k)
        f((i * n + j) * n + k, here++);
}

}  // namespace

void scatter(Fabric& fabric, std::span<const std::complex<float>> array, const Transform& t,
             const MemorySpan& block) {
  const Rect all = all_of(t.tiles);
  std::vector<std::uint32_t> words = words_for(all, block);
  const auto imaginary = static_cast<std::size_t>(t.numbers());
  for_pes(all, block, words, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(t, {x, y}, [&](std::size_t number, std::size_t here) {
      parts.put(here, array[number].real());
      parts.put(imaginary + here, array[number].imag());
    });
  });
  fabric.write(all, block.address, words);
}

void gather(const Fabric& fabric, std::span<std::complex<float>> array, const Transform& t,
            const MemorySpan& block) {
  const Rect all = all_of(t.tiles);
  std::vector<std::uint32_t> words = words_for(all, block);
  fabric.read(all, block.address, words);
  const auto imaginary = static_cast<std::size_t>(t.numbers());
  for_pes(all, block, words, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(t, {x, y}, [&](std::size_t number, std::size_t here) {
      array[number] = {parts.get(here), parts.get(imaginary + here)};
    });
  });
}

void write_launch(Fabric& fabric, const Transform& t, const MemorySpan& launch) {
  const Rect all = all_of(t.tiles);
  const Codes codes(t.tiles);
  std::vector<std::uint32_t> words;
  for (int y = 0; y < all.height; ++y)
    for (int x = 0; x < all.width; ++x)
      for (const std::uint32_t word : launch_words(t.tiles, codes, {x, y})) words.push_back(word);
  fabric.write(all, launch.address, words);
}

void write_factors(Fabric& fabric, const Transform& t, const TransformProgram& program) {
  const Rect all = all_of(t.tiles);
  const std::vector<std::complex<float>> roots = coefficients(t.n(), t.direction);
  const auto imaginary = static_cast<std::size_t>(t.side) * static_cast<std::size_t>(t.side);
  for (std::size_t number = 0; number < kStages; ++number) {
    const Stage& stage = kStage[number];
    const MemorySpan& span = program.factors[number];
    std::vector<std::uint32_t> words = words_for(all, span);
    for_pes(all, span, words, [&](int x, int y, std::uint32_t* of_pe) {
      const Parts parts{of_pe, t.halves()};
      const Node node = t.tiles.node_at({x, y});
      const int first_source = first_row(t.tiles, stage, node) * t.side;
      const int first_result = node.*stage.own * t.side;
      std::size_t part = 0;
      for (int source = first_source; source < first_source + t.side; ++source)
        for (int result = first_result; result < first_result + t.side; ++result, ++part) {
          const std::complex<float> c =
              roots[static_cast<std::size_t>(std::int64_t{source} * result % t.n())];
          parts.put(part, c.real());
          parts.put(imaginary + part, c.imag());
        }
    });
    fabric.write(all, span.address, words);
  }
}

}  // namespace weft::s3dft::cubes
