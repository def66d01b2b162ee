#include <gtest/gtest.h>

#include <cmath>

#include "io/volume_file.hpp"
#include "reference/definition.hpp"
#include "reference/reference.hpp"
#include "support/expect_error.hpp"

namespace weft::reference::reference_table_test {
namespace {

constexpr FftNorm kNorms[] = {FftNorm::backward, FftNorm::ortho, FftNorm::forward};
constexpr FftDirection kDirections[] = {FftDirection::forward, FftDirection::inverse};

TEST(ReferenceTable, StartsWithOneThatIsAlwaysThere) {
  const Reference& first = references().front();
  EXPECT_EQ(first.name, "fftw");
  EXPECT_EQ(first.why_absent(), "");
}

TEST(ReferenceTable, AllHaveDoublePrecision) {
  for (const Reference& row : references()) EXPECT_TRUE(row.has(Arithmetic::fp64)) << row.name;
}

TEST(ReferenceTable, NamesTheArithmetics) {
  EXPECT_FALSE(references()[0].has(Arithmetic::fp16));
  EXPECT_TRUE(references()[1].has(Arithmetic::fp16));
  EXPECT_EQ(references()[1].name, "cufft");
  EXPECT_EQ(arithmetic_of(FftPrecision::fp16), Arithmetic::fp16);
  EXPECT_EQ(arithmetic_of(FftPrecision::fp32), Arithmetic::fp32);
}

TEST(ReferenceTable, WhatIsAbsentSaysWhyAndThrowsIt) {
  for (const Reference& row : references()) {
    const std::string why = row.why_absent();
    if (why.empty()) continue;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    test::expect_error(
        ErrorCategory::environment,
        [&] {
          row.transform(io::random_volume({4, 4, 4}, 1), FftDirection::forward, FftNorm::backward,
                        Arithmetic::fp64);
        },
        row.title, why);
  }
}

TEST(ReferenceTable, EveryRowIsTheSameTransform) {
  const Volume input = io::random_volume({4, 8, 2}, 3);
  for (const Reference& row : references()) {
    if (!row.why_absent().empty()) continue;
    for (const FftDirection direction : kDirections) {
      for (const FftNorm norm : kNorms) {
        const std::vector<std::complex<double>> expected = fftw(input, direction, norm);
        const auto error = [&](Arithmetic arithmetic) {
          return compare(row.transform(input, direction, norm, arithmetic).values, expected).rel_l2;
        };
        EXPECT_LT(error(Arithmetic::fp64), 1e-14) << row.name;
        EXPECT_LT(error(Arithmetic::fp32), 1e-6) << row.name;
        EXPECT_GT(error(Arithmetic::fp32), 1e-9) << row.name << " is not in single precision";
      }
    }
  }
}

TEST(ReferenceTable, FftwHasNoFp16) {
  test::expect_error(
      ErrorCategory::usage,
      [] {
        references()[0].transform(io::random_volume({4, 4, 4}, 1), FftDirection::forward,
                                  FftNorm::backward, Arithmetic::fp16);
      },
      "FFTW has no FP16");
}

TEST(ReferenceTable, TransformsAreTimed) {
  const Transformed transform =
      references()[0].transform(io::random_volume({16, 16, 16}, 1), FftDirection::forward,
                                FftNorm::backward, Arithmetic::fp32);
  EXPECT_GT(transform.wall_seconds, 0);
}

TEST(ReferenceTable, AVolumeThatContradictsItselfIsRefused) {
  Volume input = io::random_volume({4, 4, 4}, 1);
  input.shape.n2 = 5;
  for (const Reference& row : references()) {
    test::expect_error(
        ErrorCategory::usage,
        [&] { row.transform(input, FftDirection::forward, FftNorm::backward, Arithmetic::fp64); },
        "4 x 4 x 5", "64");
  }
}

TEST(Scale, FollowsTheNorm) {
  EXPECT_EQ(scale(FftNorm::backward, FftDirection::forward, 64), 1);
  EXPECT_EQ(scale(FftNorm::backward, FftDirection::inverse, 64), 1 / 64.0);
  EXPECT_EQ(scale(FftNorm::ortho, FftDirection::forward, 64), 1 / 8.0);
  EXPECT_EQ(scale(FftNorm::ortho, FftDirection::inverse, 64), 1 / 8.0);
  EXPECT_EQ(scale(FftNorm::forward, FftDirection::forward, 64), 1 / 64.0);
  EXPECT_EQ(scale(FftNorm::forward, FftDirection::inverse, 64), 1);
}

TEST(Scale, ThereAndBackIsOne) {
  for (const FftNorm norm : kNorms) {
    EXPECT_DOUBLE_EQ(
        scale(norm, FftDirection::forward, 125) * scale(norm, FftDirection::inverse, 125) * 125, 1);
  }
}

}  // namespace
}  // namespace weft::reference::reference_table_test
