// Arrays with sides of 2 and 3, by all that wsFFT does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>
#include <optional>
#include <vector>

#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_small_sides_test {
namespace {

/// Nothing where there is no such transform: by butterflies, or by halves, of three numbers.
std::optional<FftPlan> plan_of(Shape3 shape, FftPrecision precision, const FftOptions& options) {
  try {
    return FftPlan(shape, precision, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::usage) << error.what();
    return {};
  }
}

std::vector<std::complex<double>> widened(const Volume& volume) {
  return {volume.data.begin(), volume.data.end()};
}

constexpr FftTranspose kForms[] = {FftTranspose::published, FftTranspose::interlocked,
                                   FftTranspose::ring, FftTranspose::halves,
                                   FftTranspose::butterflies};

/// Both directions; the number of transforms.
int expect_right(Shape3 shape, const FftOptions& options) {
  int done = 0;
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
    SCOPED_TRACE(fmt::format("{},{},{},{} {} {} {}", shape.n0, shape.n1, shape.n2, shape.n3,
                             to_string(precision), to_string(options.transpose),
                             to_string(options.pencil)));
    const auto plan = plan_of(shape, precision, options);
    if (!plan) continue;
    const Volume input = io::random_volume(shape, 1);
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      EXPECT_LT(reference::compare(plan->run(input, direction).output.data,
                                   reference::fftw(input, direction))
                    .rel_l2,
                fft_error_bound(shape, precision));
      ++done;
    }
    EXPECT_GT(plan->estimate().cycles, 0U);
  }
  return done;
}

TEST(SmallSides, OfBoxesAreRightByAllForms) {
  int done = 0, number = 0;
  for (const std::size_t n0 : {2, 3, 5})
    for (const std::size_t n1 : {2, 3, 8})
      for (const std::size_t n2 : {2, 3, 4, 8})
        for (const FftTranspose form : kForms)
          for (const FftPencil pencil : {FftPencil::automatic, FftPencil::stockham})
            if (++number % by_effort(20, 3, 1) == 0)
              done += expect_right({n0, n1, n2}, {.transpose = form, .pencil = pencil});
  EXPECT_GT(done, by_effort(10, 300, 1000));
}

TEST(SmallSides, OfFewerAxesAndOfFourAreRight) {
  for (const Shape3 shape : {Shape3{1, 1, 2},
                             {1, 1, 3},
                             {2, 1, 2},
                             {3, 1, 2},
                             {2, 1, 9},
                             {1, 2, 3},
                             {1, 3, 3},
                             {2, 3, 2, 3},
                             {2, 2, 2, 2},
                             {4, 2, 3, 5}})
    for (const FftTranspose form : {FftTranspose::published, FftTranspose::ring})
      EXPECT_GT(expect_right(shape, {.transpose = form}), 0);
}

TEST(SmallSides, OfRealArraysAreRightThereAndBack) {
  for (const Shape3 shape :
       {Shape3{2, 2, 2}, {3, 5, 8}, {2, 3, 4}, {3, 1, 2}, {1, 1, 2}, {8, 3, 2}}) {
    SCOPED_TRACE(fmt::format("{},{},{}", shape.n0, shape.n1, shape.n2));
    Volume input = io::random_volume(shape, 2);
    for (auto& value : input.data) value = value.real();
    const auto plan = plan_of(shape, FftPrecision::fp32, {.kind = FftKind::real});
    ASSERT_TRUE(plan);
    const FftRun there = plan->forward(input);
    const double bound = fft_error_bound(shape, FftPrecision::fp32);
    EXPECT_LT(
        reference::compare(there.output.data,
                           reference::half_of(reference::fftw(input, FftDirection::forward), shape))
            .rel_l2,
        bound);
    EXPECT_LT(reference::compare(plan->inverse(there.output).output.data, widened(input)).rel_l2,
              2 * bound);
  }
}

TEST(SmallSides, ComeBackFromRoundTripsAndBatches) {
  for (const std::size_t n : {2, 3}) {
    const Shape3 shape{n, n, n};
    const Volume input = io::random_volume(shape, 3);
    const FftTrips trips = FftPlan(shape, FftPrecision::fp32).round_trips(input, 2);
    EXPECT_LT(reference::compare(trips.output.data, widened(input)).rel_l2,
              4 * fft_error_bound(shape, FftPrecision::fp32));
    const FftPlan five(shape, FftPrecision::fp32, {.batch = 5});
    const Volume inputs = io::random_volume(five.input_shape(), 4);
    const Volume back = five.inverse(five.forward(inputs).output).output;
    EXPECT_LT(reference::compare(back.data, widened(inputs)).rel_l2,
              2 * fft_error_bound(shape, FftPrecision::fp32));
  }
}

}  // namespace
}  // namespace weft::test::fft_small_sides_test
