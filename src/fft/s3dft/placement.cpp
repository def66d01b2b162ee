#include "fft/s3dft/placement.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/s3dft/parts.hpp"
#include "fft/s3dft/pe_words.hpp"

namespace weft::s3dft {
namespace {

/// f(number of the array among all, number in the PE's block) for all numbers of the PE at (x, y):
/// along axis 2 first, as they stand in the array.
template <class F>
void for_numbers(const Division& d, int x, int y, F f) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t n0 = size(d.sides[0]), n1 = size(d.sides[1]), n2 = size(d.sides[2]);
  const std::size_t along_x = size(numbers_along_x(d)), along_y = size(numbers_along_y(d));
  const std::size_t first_x = size(d.part_at(x, Axis::row)) * along_x,
                    first_y = size(d.part_at(y, Axis::column)) * along_y;
  const std::size_t array = (size(y / d.py) * size(d.across) + size(x / d.px)) * n0 * n1 * n2;
  for (std::size_t i = 0; i < n0; ++i)
    for (std::size_t j = 0; j < along_y; ++j)
      for (std::size_t k = 0; k < along_x; ++k)
        f(array + (i * n1 + first_y + j) * n2 + first_x + k, (k * along_y + j) * n0 + i);
}

/// Blocks of the matrices of the first two stages, as the aligned blocks of the array want them: in
/// place w of a stage's ring and t of the other, those of places w + t and w.
void write_factors(Fabric& fabric, const Transform& t, const TransformProgram& program,
                   int threads) {
  const Division& d = t.division;
  for (std::size_t number = 0; number < program.factors.size(); ++number) {
    const Stage stage = stages_of(d)[number];
    const int n = d.sides[static_cast<std::size_t>(stage.summed)], p = d.along(stage.ring);
    const int side = n / p;
    const std::vector<std::complex<float>> all = coefficients(n, t.direction);
    const MemorySpan& span = program.factors[number];
    write_pes(fabric, d.width(), d.height(), span, threads,
              [&](int x, int y, std::uint32_t* of_pe) {
                const Parts parts{of_pe + std::size_t{span.bytes / 8} *
                                              static_cast<std::size_t>(first_room(t, stage, x, y)),
                                  t.halves()};
                const int u = d.part_at(x, Axis::row), v = d.part_at(y, Axis::column);
                const int own = stage.ring == Axis::row ? u : v;
                std::size_t part = 0;
                for (int source = 0; source < side; ++source)
                  for (int result = 0; result < side; ++result) {
                    const std::int64_t k = std::int64_t{(u + v) % p} * side + source;
                    const std::int64_t product = k * (own * side + result);
                    const std::complex<float> c = all[static_cast<std::size_t>(product % n)];
                    parts.put(part++, c.real());
                    parts.put(part++, c.imag());
                  }
              });
  }
}

}  // namespace

void scatter(Fabric& fabric, const fft::GivenArrays& arrays, const Transform& t,
             const MemorySpan& block) {
  const Division& d = t.division;
  const auto imaginary = static_cast<std::size_t>(numbers_of(d));
  write_pes(fabric, arrays, block, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(d, x, y, [&](std::size_t number, std::size_t here) {
      if (number >= arrays.size()) return;
      const std::complex<float> value = arrays.get(number);
      parts.put(here, value.real());
      parts.put(imaginary + here, value.imag());
    });
  });
}

void gather(const Fabric& fabric, const fft::TakenArrays& arrays, const Transform& t,
            const MemorySpan& block) {
  const Division& d = t.division;
  const auto imaginary = static_cast<std::size_t>(numbers_of(d));
  read_pes(fabric, arrays, block, [&](int x, int y, std::uint32_t* of_pe) {
    const Parts parts{of_pe, t.halves()};
    for_numbers(d, x, y, [&](std::size_t number, std::size_t here) {
      if (number < arrays.size())
        arrays.put(number, {parts.get(here), parts.get(imaginary + here)});
    });
  });
}

void write_launch(Fabric& fabric, const Transform& t, const MemorySpan& launch, int threads) {
  const Division& d = t.division;
  write_pes(
      fabric, d.width(), d.height(), launch, threads,
      [&](int x, int y, std::uint32_t* of_pe) { std::ranges::copy(launch_words(t, x, y), of_pe); });
}

void write_coefficients(Fabric& fabric, const Transform& t, const TransformProgram& program,
                        int threads) {
  const Division& d = t.division;
  for (const auto& [n, span] : program.roots) {
    std::vector<std::uint32_t> words(span.bytes / 4);
    const Parts parts{words.data(), t.halves()};
    std::size_t part = 0;
    for (const std::complex<float> c : coefficients(n, t.direction)) {
      parts.put(part++, c.real());
      parts.put(part++, -c.imag());
    }
    fft::write_everywhere(fabric, d, span.address, words, threads);
  }
  if (t.form == S3dftForm::cannon) write_factors(fabric, t, program, threads);
  const Stage last = stages_of(d)[2];
  const int n0 = d.sides[0], p = d.along(last.ring);
  const std::vector<std::complex<float>> all = coefficients(n0, t.direction);
  write_pes(fabric, d.width(), d.height(), program.rows, threads,
            [&](int x, int y, std::uint32_t* of_pe) {
              const Parts parts{of_pe, t.halves()};
              const MatrixRows rows =
                  rows_of(n0, d.part_at(last.ring == Axis::row ? x : y, last.ring), p);
              for (int row = 0; row < rows.count; ++row)
                for (int i = 0; i < n0; ++i) {
                  const std::size_t at =
                      2 * static_cast<std::size_t>(row) * static_cast<std::size_t>(n0) +
                      static_cast<std::size_t>(i);
                  const std::complex<float> c =
                      all[static_cast<std::size_t>(std::int64_t{rows.first + row} * i % n0)];
                  parts.put(at, c.real());
                  parts.put(at + static_cast<std::size_t>(n0), c.imag());
                }
            });
}

}  // namespace weft::s3dft
