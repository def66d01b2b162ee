// Numbers in the place of an operation's first operand.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::left_numbers_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};

template <class T>
using Vec = std::vector<T>;

// The value is what the method's first operand is.
TEST(LeftNumbers, OfRegistersAndVectors) {
  EXPECT_EQ(left<std::int32_t>(9,
                               [](PeProgram& pe, Vec<PeScalar>& r) {
                                 for (const PeScalar s : r) pe.set(s, 3);
                                 pe.sub(r[0], 10, r[1]);
                                 pe.add(r[2], 10, r[1]);
                                 pe.shl(r[3], 2, r[1]);
                                 pe.shr(r[4], -64, r[1]);
                                 pe.sar(r[5], -64, r[1]);
                                 pe.max(r[6], 5, r[1]);
                                 pe.min(r[7], r[1], 2);
                                 pe.mul(r[8], 4, r[8]);
                               }),
            (Vec<std::int32_t>{7, 3, 13, 16, 0x1ffffff8, -8, 5, 2, 12}));
  EXPECT_EQ(left<std::int32_t>(3,
                               [](PeProgram& pe, Vec<PeScalar>& r) {
                                 for (const PeScalar s : r) pe.set(s, 3);
                                 pe.divide(r[1], 11, r[0]);
                                 pe.remainder(r[2], 11, r[2]);
                               }),
            (Vec<std::int32_t>{3, 3, 2}));
  EXPECT_EQ(left<float>(4,
                        [](PeProgram& pe, Vec<PeScalar>& r) {
                          for (const PeScalar s : r) pe.set(s, 4);
                          pe.divide(r[1], 1.0, r[0]);
                          pe.sub(r[2], 1.0, r[2]);
                          pe.max(r[3], 4.5, r[3]);
                        }),
            (Vec<float>{4, 0.25, -3, 4.5}));
  EXPECT_EQ(left<std::int16_t>(2,
                               [](PeProgram& pe, Vec<PeScalar>& r) {
                                 for (const PeScalar s : r) pe.set(s, -3);
                                 pe.max(r[0], -1, r[1]);
                                 pe.min(r[1], r[1], -2);
                               }),
            (Vec<std::int16_t>{-1, -3}));
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<float>("u", {1, 2, 3});
    pe.max(u, 2.0F, u);
    pe.add(u, 1.0F, u);
    pe.mul(u, 2.0F, u);
    pe.min(u, 7.0F, u);
  });
  EXPECT_EQ(run(d).read<float>(kPe, "u"), (Vec<float>{6, 6, 7}));
}

TEST(LeftNumbers, AreNotShiftedAsFloats) {
  expect_error(
      ErrorCategory::program,
      [] {
        (void)one_pe([](PeProgram& pe) {
          pe.shl(pe.scalar<float>("s"), 2, pe.scalar<std::int32_t>("bits"));
        });
      },
      "invalid operands of shl: s", "float");
}

}  // namespace
}  // namespace weft::test::left_numbers_test
