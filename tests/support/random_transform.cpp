#include "support/random_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

#include "fft/wsfft/halves.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "support/transform_case.hpp"

namespace weft::test {
namespace {

constexpr FftTranspose kForms[] = {FftTranspose::automatic, FftTranspose::interlocked,
                                   FftTranspose::ring, FftTranspose::halves};

}  // namespace

RandomTransform random_transform(ArrayKind kind, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto side = [&](std::size_t most, bool even = false) {
    while (true) {
      const std::size_t n = 4 + below(most - 3);
      if (wsfft::is_smooth(static_cast<int>(n)) && (!even || n % 2 == 0)) return n;
    }
  };
  RandomTransform drawn{};
  const auto shape = [&]() -> Shape3 {
    switch (kind) {
      case ArrayKind::real:
        return {below(2) == 0 ? side(20) : 1, side(20), side(40, true)};
      case ArrayKind::line:
        return below(2) == 0 ? Shape3{side(40), 1, side(40)} : Shape3{1, side(40), side(40)};
      case ArrayKind::folded:
        return {side(40), 1, side(40)};
      case ArrayKind::digits:
        return {1, 1, side(9) * side(9) * side(9)};  // three digits: it takes any of these meshes
      case ArrayKind::four_axes:
        return {side(12), side(9), side(10), side(10)};
      case ArrayKind::back: {
        const std::size_t n = side(40);
        return {n, 1, n};
      }
      default:
        return {side(25), side(20), side(25)};
    }
  };
  constexpr std::size_t kMostNumbers = 3000;
  do drawn.shape = shape();
  while (drawn.shape.size() > kMostNumbers || drawn.shape.size() < 100);
  auto& [n0, n1, n2, n3] = drawn.shape;
  if (kind == ArrayKind::real && n0 == 1) std::swap(n0, n1);  // two axes of real numbers
  FftOptions& options = drawn.options;
  options.transpose = kForms[below(4)];
  const auto pes = [&](std::size_t most) {
    if (options.transpose == FftTranspose::halves)
      return 1 << below(static_cast<std::uint64_t>(wsfft::levels_of(static_cast<int>(most))) + 1);
    return 1 + static_cast<int>(below(most));
  };
  const std::size_t plane = kind == ArrayKind::real ? n2 / 2 + 1 : n2 * n3;
  FftMesh& mesh = options.mesh;
  mesh = {pes(std::min(n0, plane)), n1 == 1 ? 1 : pes(std::min(n1, n0 == 1 ? n2 : n0))};
  if (kind == ArrayKind::folded) {
    do mesh = {pes(n0), 1 + pes(n0 - 1)};
    while (static_cast<std::size_t>(mesh.x) * static_cast<std::size_t>(mesh.y) > std::min(n0, n2) ||
           mesh.y == 1);
    if (options.transpose == FftTranspose::halves) mesh = {2, 2};
  }
  if (kind == ArrayKind::digits) mesh = {4, 1 << below(3)};
  if (kind == ArrayKind::digits && options.transpose != FftTranspose::halves)
    mesh = {3 + static_cast<int>(below(2)), 1 + static_cast<int>(below(4))};
  if (kind == ArrayKind::batch) options.batch = 2 + static_cast<int>(below(3)), mesh.y *= 2;
  if (kind == ArrayKind::real) options.kind = FftKind::real;
  options.back = kind == ArrayKind::back;
  options.pencil = below(2) == 0 ? FftPencil::radix4 : FftPencil::stockham;
  options.norm = FftNorm::ortho;  // FP16 values stay in range
  options.machine.pe_memory_bytes = 1 << 20;
  drawn.precision = below(2) == 0 ? FftPrecision::fp16 : FftPrecision::fp32;
  drawn.direction = below(2) == 0 ? FftDirection::forward : FftDirection::inverse;
  if (seed % 3 == 0) {
    options.machine = random_machine(seed);
    options.machine.pe_memory_bytes = 1 << 20;
  }
  return drawn;
}

std::string text(const RandomTransform& drawn) {
  const auto& [n0, n1, n2, n3] = drawn.shape;
  const FftOptions& options = drawn.options;
  return fmt::format("{},{},{},{} on {} x {} by {} and {}, {} {}", n0, n1, n2, n3, options.mesh.x,
                     options.mesh.y, to_string(options.transpose), to_string(options.pencil),
                     to_string(drawn.precision), to_string(drawn.direction));
}

}  // namespace weft::test
