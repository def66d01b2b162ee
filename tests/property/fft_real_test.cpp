// Transforms of real arrays: half spectra.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_real_test {
namespace {

Volume real_volume(const Shape3& shape) {
  Volume volume = io::random_volume(shape, 3);
  for (auto& value : volume.data) value = value.real();
  return volume;
}

/// The half of a spectrum that is kept, of exact transforms.
Volume half_spectrum(const Volume& input) {
  const auto half = reference::half_of(reference::fftw(input, FftDirection::forward), input.shape);
  return {{input.shape.n0, input.shape.n1, input.shape.n2 / 2 + 1}, {half.begin(), half.end()}};
}

std::vector<std::complex<double>> exact(const Volume& volume) {
  return {volume.data.begin(), volume.data.end()};
}

FftOptions options_for(const Box& box) {
  FftOptions options;
  options.mesh = box.mesh;
  options.kind = FftKind::real;
  return options;
}

class Real : public testing::TestWithParam<Box> {
 protected:
  const Box& box() const { return GetParam(); }
  void SetUp() override {
    if (sanitized() && box().shape.size() > 4096) GTEST_SKIP() << "too slow under a sanitizer";
  }
};

TEST_P(Real, AgreesWithFftw) {
  const Volume input = real_volume(box().shape), half = half_spectrum(input);
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
    SCOPED_TRACE(to_string(precision));
    FftOptions options = options_for(box());
    options.norm = FftNorm::ortho;  // FP16 values stay in range
    const FftPlan plan(box().shape, precision, options);
    const auto root = static_cast<float>(std::sqrt(static_cast<double>(box().shape.size())));
    Volume scaled = half;
    for (auto& value : scaled.data) value /= root;
    const FftRun there = plan.forward(input);
    EXPECT_EQ(there.output.shape, half.shape);
    const double bound = fft_error_bound(box().shape, precision);
    EXPECT_LT(reference::compare(there.output.data, exact(scaled)).rel_l2, bound);
    const FftRun back = plan.inverse(scaled);
    EXPECT_EQ(back.output.shape, input.shape);
    EXPECT_LT(reference::compare(back.output.data, exact(input)).rel_l2, bound);
  }
}

TEST_P(Real, TakesTheSameCyclesHoweverItIsStepped) {
  const Volume input = real_volume(box().shape);
  for (const FftTranspose form :
       {FftTranspose::published, FftTranspose::interlocked, FftTranspose::ring}) {
    FftOptions options = options_for(box());
    options.transpose = form;
    const FftRun fft = FftPlan(box().shape, FftPrecision::fp32, options).forward(input);
    options.accelerate.by_line = false;
    const FftRun plain = FftPlan(box().shape, FftPrecision::fp32, options).forward(input);
    EXPECT_EQ(fft.report.cycles, plain.report.cycles);
    EXPECT_EQ(fft.output.data, plain.output.data);
    options.data = false;
    EXPECT_EQ(FftPlan(box().shape, FftPrecision::fp32, options).forward({}).report.cycles,
              fft.report.cycles);
  }
}

TEST_P(Real, IsRightOnRandomMachines) {
  const Volume input = half_spectrum(real_volume(box().shape));
  FftOptions options = options_for(box());
  const FftRun right = FftPlan(box().shape, FftPrecision::fp32, options).inverse(input);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    options.machine = random_machine(seed);
    for (const FftTranspose form : {FftTranspose::automatic, FftTranspose::ring}) {
      options.transpose = form;
      EXPECT_EQ(FftPlan(box().shape, FftPrecision::fp32, options).inverse(input).output.data,
                right.output.data);
    }
  }
}

TEST_P(Real, IsTheSameAroundARing) {
  const Volume input = real_volume(box().shape);
  FftOptions options = options_for(box());
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
    options.transpose = FftTranspose::automatic;
    const FftRun right = FftPlan(box().shape, precision, options).forward(input);
    options.transpose = FftTranspose::ring;
    EXPECT_EQ(FftPlan(box().shape, precision, options).forward(input).output.data,
              right.output.data);
  }
}

std::string name_of(const testing::TestParamInfo<Box>& info) { return text(info.param); }

INSTANTIATE_TEST_SUITE_P(All, Real,
                         testing::Values(Box{{8, 8, 8}, {}}, Box{{8, 8, 8}, {3, 4}},
                                         Box{{8, 8, 8}, {1, 1}}, Box{{8, 8, 8}, {5, 1}},
                                         Box{{4, 4, 4}, {3, 4}}, Box{{16, 8, 4}, {3, 8}},
                                         Box{{8, 4, 32}, {8, 4}}, Box{{16, 16, 16}, {9, 16}},
                                         Box{{16, 1, 16}, {}}, Box{{16, 1, 32}, {4, 1}},
                                         Box{{1, 1, 64}, {}}, Box{{32, 16, 8}, {2, 16}}),
                         name_of);

/// Some arrays side by side, the others after them: each as if it were alone.
TEST(RealBatch, TransformsEachArrayAsAlone) {
  struct Batch {
    Box box;
    int count, rounds;
    FftMesh alone;  ///< the PEs of one
  };
  for (const auto& [box, count, rounds, alone] :
       {Batch{{{8, 8, 8}, {}}, 3, 1, {4, 8}}, Batch{{{8, 8, 8}, {10, 8}}, 5, 3, {5, 8}},
        Batch{{{16, 4, 8}, {6, 8}}, 7, 2, {3, 4}}, Batch{{{16, 1, 16}, {8, 3}}, 4, 2, {8, 1}},
        Batch{{{1, 1, 64}, {3, 2}}, 7, 2, {1, 1}}}) {
    SCOPED_TRACE(text(box));
    FftOptions options = options_for(box);
    options.batch = count;
    const FftPlan plan(box.shape, FftPrecision::fp32, options);
    options.batch = 1;
    options.mesh = alone;
    const FftPlan one(box.shape, FftPrecision::fp32, options);
    Volume real = real_volume(plan.input_shape());
    const FftRun there = plan.forward(real);
    EXPECT_EQ(there.rounds, rounds);
    EXPECT_EQ(there.output.shape, plan.output_shape());
    const FftRun back = plan.inverse(there.output);
    EXPECT_EQ(back.output.shape, real.shape);
    const auto part = [&](const Volume& all, const Shape3& shape, int k) {
      const auto first = all.data.begin() + k * static_cast<std::ptrdiff_t>(shape.size());
      return Volume{shape, {first, first + static_cast<std::ptrdiff_t>(shape.size())}};
    };
    for (int k = 0; k < count; ++k) {
      const FftRun one_there = one.forward(part(real, one.input_shape(), k));
      EXPECT_EQ(part(there.output, one.output_shape(), k).data, one_there.output.data);
      EXPECT_EQ(part(back.output, one.input_shape(), k).data,
                one.inverse(one_there.output).output.data);
    }
  }
}

/// The sums and products of half the numbers: fewer cycles on half as many PEs.
TEST(RealCube, TakesAboutAsManyCyclesOnHalfThePes) {
  const Shape3 shape{32, 32, 32};
  FftOptions options;
  options.data = false;
  const FftRun complex = FftPlan(shape, FftPrecision::fp32, options).forward({});
  options.kind = FftKind::real;
  const FftRun real = FftPlan(shape, FftPrecision::fp32, options).forward({});
  EXPECT_EQ(real.mesh, (FftMesh{17, 32}));
  EXPECT_LT(real.report.pe_cycles, complex.report.pe_cycles * 2 / 3);
}

TEST(RealPlan, TakesTheFewestNumbersInAPe) {
  const FftOptions real{.kind = FftKind::real};
  EXPECT_EQ(FftPlan({64, 64, 128}, FftPrecision::fp32, real).options().mesh, (FftMesh{33, 64}));
  EXPECT_EQ(FftPlan({64, 64, 64}, FftPrecision::fp32, real).options().mesh, (FftMesh{33, 64}));
}

TEST(FoldedPlan, TakesWhatTheOtherSideLeaves) {
  const FftOptions options{.mesh = {0, 8}};
  EXPECT_EQ(FftPlan({64, 1, 64}, FftPrecision::fp32, options).options().mesh, (FftMesh{8, 8}));
}

TEST(RealPlan, RefusesWhatCannotBe) {
  const auto refused = [](const Shape3& shape, FftOptions options, const std::string& part) {
    options.kind = FftKind::real;
    expect_error(
        ErrorCategory::usage, [&] { FftPlan(shape, FftPrecision::fp32, options); }, part);
  };
  refused({8, 8, 8}, {.mesh = {6, 8}}, "invalid mesh: 6 PEs along x");
  refused({8, 8, 8}, {.mesh = {5, 9}}, "invalid mesh: 9 PEs along y");
  refused({1, 8, 8}, {}, "invalid shape: 1,8,8");
  const FftPlan plan({4, 4, 4}, FftPrecision::fp32, {.kind = FftKind::real});
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan.forward(io::random_volume({4, 4, 4}, 1));
      },
      "has the imaginary part");
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan.inverse(io::random_volume({4, 4, 4}, 1));
      },
      "the plan is for 4,4,3");
  expect_error(
      ErrorCategory::usage, [&] { (void)plan.round_trips({}, 1); }, "no round trips");
}

}  // namespace
}  // namespace weft::test::fft_real_test
