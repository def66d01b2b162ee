// Boxes, meshes and machines at random, by the forms of the transposes that are not the paper's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "fft/wsfft/halves.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_random_boxes_test {
namespace {

struct Drawn {
  Box box;
  FftPrecision precision;
  FftDirection direction;
  FftPencil pencil;
};

Drawn draw(std::uint64_t seed, FftTranspose transpose) {
  std::mt19937_64 random(seed);
  const auto power = [&](unsigned least, unsigned most) {
    return std::size_t{1} << (least + random() % (most - least + 1));
  };
  constexpr std::size_t kMostNumbers = std::size_t{1} << 14;
  Shape3 shape{};
  do shape = {power(2, 7), power(2, 6), power(2, 7)};
  while (shape.size() > kMostNumbers);
  const auto pes = [&](std::size_t a, std::size_t b) {
    const std::size_t most = std::min(a, b);
    std::size_t p = std::max<std::size_t>(most >> random() % 3, 1);
    if (transpose == FftTranspose::halves) p = std::min<std::size_t>(p, wsfft::kLongestByHalves);
    return static_cast<int>(p);
  };
  constexpr std::size_t kMostInAPe = 2048;  // two buffers of them fit, in both precisions
  FftMesh mesh;
  do mesh = {pes(shape.n0, shape.n2), pes(shape.n0, shape.n1)};
  while (shape.size() / static_cast<std::size_t>(mesh.x * mesh.y) > kMostInAPe);
  return {{shape, mesh},
          random() % 2 == 0 ? FftPrecision::fp16 : FftPrecision::fp32,
          random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse,
          random() % 2 == 0 ? FftPencil::radix2 : FftPencil::radix4};
}

class RandomBoxes : public testing::TestWithParam<FftTranspose> {};

TEST_P(RandomBoxes, AgreeWithFftw) {
  const auto cases = by_effort<std::uint64_t>(3, 20, 24);
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + cases; ++seed) {
    const Drawn drawn = draw(seed, GetParam());
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, text(drawn.box)));
    FftOptions options{.mesh = drawn.box.mesh, .norm = FftNorm::ortho, .transpose = GetParam()};
    options.pencil = drawn.pencil;
    if (seed % 3 == 0) options.machine = random_machine(seed);
    const Volume input = io::random_volume(drawn.box.shape, seed);
    const FftRun fft = FftPlan(input.shape, drawn.precision, options).run(input, drawn.direction);
    EXPECT_EQ(fft.transpose, GetParam());
    std::vector<std::complex<double>> exact = reference::fftw(input, drawn.direction);
    const double root = std::sqrt(static_cast<double>(input.shape.size()));
    const double factor = drawn.direction == FftDirection::forward ? 1 / root : root;
    for (auto& value : exact) value *= factor;
    EXPECT_LT(reference::compare(fft.output.data, exact).rel_l2,
              fft_error_bound(input.shape, drawn.precision));
    if (testing::Test::HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomBoxes,
                         testing::Values(FftTranspose::ring, FftTranspose::halves),
                         [](const auto& form) { return std::string(to_string(form.param)); });

}  // namespace
}  // namespace weft::test::fft_random_boxes_test
