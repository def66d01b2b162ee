#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/reference.hpp"
#include "support/expect_error.hpp"

namespace weft::reference::reference_compare_test {
namespace {

using Result = std::vector<std::complex<float>>;
using Reference = std::vector<std::complex<double>>;

TEST(Compare, GivesTheNormsOfTheDifference) {
  const Difference difference =
      compare(Result{{1, 0}, {0, 2}, {5, 4}}, Reference{{1, 0}, {0, 2}, {2, 0}});
  EXPECT_DOUBLE_EQ(difference.rel_l2, 5 / 3.0);  // sqrt(9 + 16) / sqrt(1 + 4 + 4)
  EXPECT_DOUBLE_EQ(difference.max_abs, 5);
}

TEST(Compare, IsZeroForEqualArrays) {
  for (const Difference& difference :
       {compare(Result{1, 2}, Reference{1, 2}), compare(Result{0, 0}, Reference{0, 0}),
        compare(Result{}, Reference{})}) {
    EXPECT_EQ(difference.rel_l2, 0);
    EXPECT_EQ(difference.max_abs, 0);
  }
}

TEST(Compare, IsInfiniteBesideAReferenceOfZero) {
  const Difference difference = compare(Result{3}, Reference{0});
  EXPECT_TRUE(std::isinf(difference.rel_l2));
  EXPECT_EQ(difference.max_abs, 3);
}

TEST(Compare, IsInfiniteForWhatIsNotFinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::complex<float> bad :
       {std::complex<float>(kNan, 0), {0, kNan}, {kInfinity, 0}, {kNan, -kInfinity}}) {
    const Difference difference = compare(Result{1, bad, 3}, Reference{1, 2, 3});
    EXPECT_TRUE(std::isinf(difference.rel_l2));
    EXPECT_TRUE(std::isinf(difference.max_abs));
  }
}

TEST(Compare, HoldsTheLargestFloats) {
  constexpr float kMost = std::numeric_limits<float>::max();
  const Difference difference = compare(Result{kMost}, Reference{-static_cast<double>(kMost)});
  EXPECT_DOUBLE_EQ(difference.rel_l2, 2);
}

TEST(Compare, RefusesArraysOfTwoSizes) {
  test::expect_error(
      ErrorCategory::usage,
      [] {
        compare(Result{1}, Reference{1, 2});
      },
      "1 elements");
}

}  // namespace
}  // namespace weft::reference::reference_compare_test
