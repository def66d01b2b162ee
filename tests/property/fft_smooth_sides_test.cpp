// Arrays whose sides are 2^a 3^b 5^c, on meshes that are no powers of two.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_smooth_sides_test {
namespace {

/// As the norm "ortho" has it.
std::vector<std::complex<double>> exact_transform(const Volume& input, FftDirection direction) {
  std::vector<std::complex<double>> exact = reference::fftw(input, direction);
  const double root = std::sqrt(static_cast<double>(input.shape.size()));
  for (auto& value : exact) value *= direction == FftDirection::forward ? 1 / root : root;
  return exact;
}

/// That of radix 2 with as many numbers: lower than what is proved for these, and never exceeded.
double usual_bound(const Shape3& shape, FftPrecision precision) {
  return fft_error_bound(shape, precision, FftAlgorithm::wsfft, FftPencil::radix2);
}

void expect_right(const Volume& input, FftPrecision precision, FftDirection direction,
                  FftOptions options) {
  options.norm = FftNorm::ortho;  // FP16 values stay in range
  const FftRun run = FftPlan(input.shape, precision, options).run(input, direction);
  EXPECT_LT(reference::compare(run.output.data, exact_transform(input, direction)).rel_l2,
            usual_bound(input.shape, precision));
}

class SmoothSides : public testing::TestWithParam<Box> {};

TEST_P(SmoothSides, AreRightInBothDirectionsAndPrecisions) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(GetParam().shape, 1);
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      expect_right(input, precision, direction, {.mesh = GetParam().mesh});
}

TEST_P(SmoothSides, TakeTheSameCyclesAndBitsHoweverTheyAreStepped) {
  const Volume input = io::random_volume(GetParam().shape, 2);
  for (const FftTranspose form :
       {FftTranspose::published, FftTranspose::interlocked, FftTranspose::ring}) {
    SCOPED_TRACE(to_string(form));
    const FftOptions by_line{.mesh = GetParam().mesh, .transpose = form};
    const auto run = [&](auto change, bool data = true) {
      FftOptions options = by_line;
      change(options);
      options.data = data;
      return FftPlan(input.shape, FftPrecision::fp32, options).forward(data ? input : Volume{});
    };
    const FftRun right = run([](FftOptions&) {});
    const auto expect_same = [&](const FftRun& other) {
      EXPECT_EQ(other.report.cycles, right.report.cycles);
      EXPECT_EQ(other.output.data, right.output.data);
    };
    expect_same(run([](FftOptions& o) { o.threads = 2; }));
    if (looks_for_races()) continue;
    expect_same(run([](FftOptions& o) { o.accelerate.by_line = false; }));
    EXPECT_EQ(run([](FftOptions&) {}, false).report.cycles, right.report.cycles);
    if (input.shape.size() > (sanitized() ? 500U : 2000U)) continue;
    expect_same(run([](FftOptions& o) { o.engine = Engine::reference; }));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmoothSides,
                         testing::Values(Box{{6, 6, 6}, {}}, Box{{12, 10, 15}, {}},
                                         Box{{12, 12, 12}, {4, 3}}, Box{{12, 6, 24}, {6, 2}},
                                         Box{{15, 1, 45}, {}}, Box{{18, 1, 36}, {3, 6}},
                                         Box{{1, 1, 900}, {}}, Box{{1, 1, 900}, {30, 1}},
                                         Box{{1, 1, 1728}, {12, 12}}, Box{{1, 1, 360}, {1, 1}},
                                         Box{{1, 9, 27}, {1, 9}}, Box{{24, 24, 24}, {}}),
                         [](const auto& one) { return text(one.param); });

/// 2^a 3^b 5^c from 4 to `most`.
std::size_t draw_side(std::mt19937_64& random, std::size_t most) {
  while (true) {
    const std::size_t side = 4 + random() % (most - 3);
    if (wsfft::is_smooth(static_cast<int>(side))) return side;
  }
}

TEST(RandomSides, AgreeWithFftwOnRandomMeshesAndMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const auto cases = by_effort<std::uint64_t>(10, 60, 80);
  constexpr std::size_t kMostNumbers = std::size_t{1} << 14, kMostInAPe = 1500;
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + cases; ++seed) {
    std::mt19937_64 random(seed);
    Shape3 shape{};
    FftMesh mesh;
    const auto pes = [&](std::size_t a, std::size_t b) {
      const std::vector<int> all = fft::divisors_of(static_cast<int>(std::gcd(a, b)));
      return all[random() % std::min<std::size_t>(all.size(), 3)];
    };
    do {
      shape = {draw_side(random, 100), draw_side(random, 60), draw_side(random, 100)};
      mesh = {pes(shape.n0, shape.n2), pes(shape.n0, shape.n1)};
    } while (shape.size() > kMostNumbers ||
             shape.size() / static_cast<std::size_t>(mesh.x * mesh.y) > kMostInAPe);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, text(Box{shape, mesh})));
    FftOptions options{.mesh = mesh};
    options.pencil = random() % 2 == 0 ? FftPencil::radix4 : FftPencil::stockham;
    options.transpose = random() % 2 == 0 ? FftTranspose::ring : FftTranspose::automatic;
    if (seed % 3 == 0) options.machine = random_machine(seed);
    expect_right(io::random_volume(shape, seed),
                 random() % 2 == 0 ? FftPrecision::fp16 : FftPrecision::fp32,
                 random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse, options);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(SmoothArrays, OfRealArraysAreRightThereAndBack) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const Box& box : {Box{{12, 12, 18}, {}}, Box{{10, 15, 30}, {4, 5}}, Box{{9, 1, 90}, {}}}) {
    SCOPED_TRACE(text(box));
    Volume input = io::random_volume(box.shape, 3);
    for (auto& value : input.data) value = value.real();
    const FftPlan plan(box.shape, FftPrecision::fp32, {.mesh = box.mesh, .kind = FftKind::real});
    const FftRun there = plan.forward(input);
    const double bound = usual_bound(box.shape, FftPrecision::fp32);
    EXPECT_LT(reference::compare(
                  there.output.data,
                  reference::half_of(reference::fftw(input, FftDirection::forward), box.shape))
                  .rel_l2,
              bound);
    const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
    EXPECT_LT(reference::compare(plan.inverse(there.output).output.data, wide).rel_l2, 2 * bound);
  }
}

TEST(SmoothArrays, ComeBackFromRoundTripsAndBatches) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Shape3 shape{6, 6, 6};
  const Volume input = io::random_volume(shape, 1);
  const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
  const FftTrips trips = FftPlan(shape, FftPrecision::fp32).round_trips(input, 2);
  EXPECT_LT(reference::compare(trips.output.data, wide).rel_l2,
            4 * usual_bound(shape, FftPrecision::fp32));
  const FftPlan three(shape, FftPrecision::fp32, {.mesh = {12, 6}, .batch = 3});
  const Volume inputs = io::random_volume(three.input_shape(), 1);
  const Volume there = three.forward(inputs).output;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto part = [&](const Volume& all) {
      const auto first = all.data.begin() + static_cast<std::ptrdiff_t>(k * shape.size());
      return Volume{shape, {first, first + static_cast<std::ptrdiff_t>(shape.size())}};
    };
    EXPECT_EQ(part(there).data,
              FftPlan(shape, FftPrecision::fp32).forward(part(inputs)).output.data)
        << k;
  }
}

TEST(SmoothArrays, AreRightByTheFastestChoiceAndInAsManyBytesAsTheyTake) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume({12, 12, 18}, 4);
  FftOptions options{.mesh = {6, 6}};
  options.transpose = FftTranspose::fastest;
  options.pencil = FftPencil::fastest;
  expect_right(input, FftPrecision::fp32, FftDirection::forward, options);
  options.transpose = FftTranspose::ring;
  options.pencil = FftPencil::radix4;
  const auto bytes = FftPlan(input.shape, FftPrecision::fp32, options).estimate().pe_bytes;
  options.machine.pe_memory_bytes = static_cast<int>(bytes);
  expect_right(input, FftPrecision::fp32, FftDirection::forward, options);
  options.machine.pe_memory_bytes -= 4;
  expect_error(
      ErrorCategory::machine_profile, [&] { FftPlan(input.shape, FftPrecision::fp32, options); },
      "exceed a PE's");
}

TEST(SmoothArrays, TakeAnAlgorithmThatHasThem) {
  const auto pencil_of = [](Shape3 shape, FftPencil asked) {
    FftOptions options;
    options.pencil = asked;
    return FftPlan(shape, FftPrecision::fp32, options).options().pencil;
  };
  EXPECT_EQ(pencil_of({8, 8, 8}, FftPencil::automatic), FftPencil::radix2);
  EXPECT_EQ(pencil_of({8, 8, 12}, FftPencil::automatic), FftPencil::radix4);
  EXPECT_EQ(pencil_of({8, 8, 12}, FftPencil::stockham), FftPencil::stockham);
  const FftPencil fastest = pencil_of({24, 24, 24}, FftPencil::fastest);
  EXPECT_TRUE(fastest == FftPencil::radix4 || fastest == FftPencil::stockham);
  expect_error(
      ErrorCategory::usage,
      [&] {
        pencil_of({8, 8, 12}, FftPencil::radix2);
      },
      "radix2 has no pencils of 12 numbers", "powers of two from 4", "take radix4 or stockham");
}

TEST(SmoothArrays, OthersAreRefusedWithTheNearest) {
  const auto refuses = [](Shape3 shape, FftOptions options, auto... parts) {
    expect_error(
        ErrorCategory::usage, [&] { FftPlan(shape, FftPrecision::fp32, options); }, parts...);
  };
  refuses({8, 8, 7}, {}, "side 7 has a prime factor above 5", "6 and 8", "s3dft");
  refuses({1, 1, 1001}, {}, "side 1001 has a prime factor above 5", "1000 and 1024");
  refuses({12, 12, 15}, {.kind = FftKind::real}, "even count of numbers", "15");
  refuses({12, 12, 18}, {.mesh = {13, 4}}, "invalid mesh: 13 PEs along x", "1 to 12");
  refuses({12, 12, 12}, {.transpose = FftTranspose::butterflies}, "a power of two up to 64");
  refuses({12, 12, 12}, {.mesh = {12, 12}, .transpose = FftTranspose::halves},
          "invalid mesh for transposes by halves: 12 x 12 PEs", "power of two");
  refuses({8, 8, 2030}, {.kind = FftKind::real}, "the nearest even ones without are 2000 and 2048");
}

}  // namespace
}  // namespace weft::test::fft_smooth_sides_test
