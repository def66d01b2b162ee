#include "fft/pencil_run.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft {
namespace {

using Double = std::complex<double>;

/// Throws unless an algorithm has pencils of so many numbers.
wsfft::Transform pencil_transform(std::size_t size, FftPrecision precision, FftDirection direction,
                                  FftPencil algorithm) {
  if (algorithm == FftPencil::automatic)
    algorithm = std::has_single_bit(size) ? FftPencil::radix2 : FftPencil::radix4;
  if (algorithm == FftPencil::fastest)
    throw Error(ErrorCategory::usage, "invalid algorithm for a pencil: fastest",
                "only a plan chooses the fastest of the algorithms", "name one of them");
  const wsfft::PencilAlgorithm& row = wsfft::algorithm_of(algorithm);
  const int most = row.longest(precision);
  if (size > static_cast<std::size_t>(most) || !row.takes(static_cast<int>(size)))
    throw Error(ErrorCategory::usage, fmt::format("no transform for a pencil of {} numbers", size),
                fmt::format("{} takes {} up to {}", to_string(algorithm), row.lengths, most),
                "choose one of these");
  const int n = static_cast<int>(size);
  const float scale = fft::superstep_scale(n, FftNorm::backward, direction);
  return {{{1, 1, n}, 1, 1},        wsfft::Numbers{precision}, direction,
          {scale, scale, scale, 1}, wsfft::Form::published,    algorithm};
}

std::uint64_t run_pencil(const wsfft::Transform& transform, const wsfft::TransformProgram& program,
                         std::vector<std::complex<float>>& pencil, const Machine& machine) {
  const std::size_t size = pencil.size();
  Layout layout(1, 1);
  const Rect pe{0, 0, 1, 1};
  layout.place(pe, program.program);
  Fabric fabric(layout, machine);
  const auto each = static_cast<std::size_t>(transform.numbers.words());
  std::vector<std::uint32_t> words(each * size);
  for (std::size_t k = 0; k < size; ++k)
    wsfft::encode(transform.numbers, pencil[k], &words[each * k]);
  fabric.write(pe, program.input.address, words);
  const wsfft::Twiddles& roots = program.twiddles.front();
  fabric.write(pe, roots.span.address, wsfft::root_words(roots, transform));
  fabric.run_until_idle(fft::kCycleLimit);
  fabric.read(pe, program.output.address, words);
  for (std::size_t k = 0; k < size; ++k)
    pencil[k] = wsfft::decode(transform.numbers, &words[each * k]);
  std::uint32_t stamps[2];
  fabric.read(pe, program.stamps.address, stamps);
  return stamps[1] - stamps[0];
}

/// The forward transform, by the least factor of its length.
std::vector<Double> exact_transform(const std::vector<Double>& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::size_t parts = 2;
  while (n % parts != 0) ++parts;
  const std::size_t length = n / parts;
  std::vector<std::vector<Double>> transformed(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<Double> strided(length);
    for (std::size_t k = 0; k < length; ++k) strided[k] = x[k * parts + part];
    transformed[part] = exact_transform(strided);
  }
  std::vector<Double> all(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t part = 0; part < parts; ++part)
      all[k] += transformed[part][k % length] *
                std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(part * k % n) /
                                    static_cast<double>(n));
  return all;
}

}  // namespace

inline namespace v0 {

std::uint64_t run_fft_pencil(std::vector<std::complex<float>>& pencil, FftPrecision precision,
                             FftDirection direction, const Machine& machine, FftPencil algorithm) {
  const wsfft::Transform t = pencil_transform(pencil.size(), precision, direction, algorithm);
  return run_pencil(t, wsfft::build_pencil(t), pencil, machine);
}

}  // namespace v0

namespace fft {

PencilMeasure measure_pencil(FftPencil algorithm, FftPrecision precision, int n,
                             const Machine& machine) {
  const wsfft::Transform t =
      pencil_transform(static_cast<std::size_t>(n), precision, FftDirection::forward, algorithm);
  const wsfft::TransformProgram program = wsfft::build_pencil(t);
  std::vector<std::complex<float>> pencil;
  std::mt19937 random(1);
  const auto part = [&] { return static_cast<float>(random()) * 0x1p-31F - 1.0F; };
  for (int k = 0; k < n; ++k) {
    const float re = part();
    pencil.emplace_back(re, part());
  }
  const std::vector<Double> exact = exact_transform({pencil.begin(), pencil.end()});
  PencilMeasure measure{};
  measure.cycles = run_pencil(t, program, pencil, machine);
  measure.pencil_bytes = measure.aux_bytes = program.input.bytes;
  measure.root_bytes = program.twiddles.front().span.bytes;
  measure.program_bytes =
      static_cast<std::uint32_t>(program.program.code.size() * sizeof(Instruction));
  double square = 0, difference = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    square += std::norm(exact[k]);
    difference += std::norm(Double(pencil[k]) - exact[k]);
  }
  measure.error = std::sqrt(difference / square);
  measure.flops_per_cycle = 5.0 * n * std::log2(n) / static_cast<double>(measure.cycles);
  return measure;
}

}  // namespace fft
}  // namespace weft
