#include "fft/s3dft/cubes/placement.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fft/s3dft/parts.hpp"
#include "fft/s3dft/pe_words.hpp"

namespace weft::s3dft::cubes {
namespace {

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

void scatter(Fabric& fabric, const fft::GivenArrays& array, const Transform& t,
             const MemorySpan& block) {
  const auto imaginary = static_cast<std::size_t>(t.numbers());
  write_pes(fabric, array, block, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(t, {x, y}, [&](std::size_t number, std::size_t here) {
      const std::complex<float> value = array.get(number);
      parts.put(here, value.real());
      parts.put(imaginary + here, value.imag());
    });
  });
}

void gather(const Fabric& fabric, const fft::TakenArrays& array, const Transform& t,
            const MemorySpan& block) {
  const auto imaginary = static_cast<std::size_t>(t.numbers());
  read_pes(fabric, array, block, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(t, {x, y}, [&](std::size_t number, std::size_t here) {
      array.put(number, {parts.get(here), parts.get(imaginary + here)});
    });
  });
}

void write_launch(Fabric& fabric, const Transform& t, const MemorySpan& launch, int threads) {
  const Codes codes(t.tiles);
  write_pes(fabric, t.tiles.width(), t.tiles.height(), launch, threads,
            [&](int x, int y, std::uint32_t* of_pe) {
              std::ranges::copy(launch_words(t.tiles, codes, {x, y}), of_pe);
            });
}

void write_factors(Fabric& fabric, const Transform& t, const TransformProgram& program,
                   int threads) {
  const std::vector<std::complex<float>> roots = coefficients(t.n(), t.direction);
  const auto imaginary = static_cast<std::size_t>(t.side) * static_cast<std::size_t>(t.side);
  for (std::size_t number = 0; number < kStages; ++number) {
    const Stage& stage = kStage[number];
    const MemorySpan& span = program.factors[number];
    write_pes(fabric, t.tiles.width(), t.tiles.height(), span, threads,
              [&](int x, int y, std::uint32_t* of_pe) {
                const Parts parts{of_pe, t.halves()};
                const Node node = t.tiles.node_at({x, y});
                const int first_source = first_row(t.tiles, stage, node) * t.side;
                const int first_result = node.*stage.own * t.side;
                std::size_t part = 0;
                for (int source = first_source; source < first_source + t.side; ++source)
                  for (int result = first_result; result < first_result + t.side;
                       ++result, ++part) {
                    const std::complex<float> c =
                        roots[static_cast<std::size_t>(std::int64_t{source} * result % t.n())];
                    parts.put(part, c.real());
                    parts.put(imaginary + part, c.imag());
                  }
              });
  }
}

}  // namespace weft::s3dft::cubes
