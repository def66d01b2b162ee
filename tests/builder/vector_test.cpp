#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "weft/pe_vector.hpp"

namespace weft::test::vector_test {
namespace {

PeVector line(int n) { return PeVector::in_memory("u", ElementType::f32, 100, {n}); }
PeVector grid(int rows, int columns) {
  return PeVector::in_memory("g", ElementType::f16, 0, {rows, columns});
}

TEST(PeVector, SlicesOfSlicesNameTheSameElements) {
  const PeVector v = line(20).slice(4, 8, 2).slice(1, 3, 2);  // 6, 10, 14
  EXPECT_EQ(v.address(), 100U + 4 * 6);
  EXPECT_EQ(v.size(), 3);
  EXPECT_EQ(v.joined(), (std::vector<Dimension>{{3, 4}}));
}

TEST(PeVector, SlicesMayGoBackwards) {
  const PeVector v = line(5).slice(4, 5, -1);
  EXPECT_EQ(v.address(), 100U + 16);
  EXPECT_EQ(v.joined(), (std::vector<Dimension>{{5, -1}}));
}

TEST(PeVector, RowsColumnsAndBlocksOfTwoDimensions) {
  const PeVector g = grid(4, 6);
  EXPECT_EQ(g.joined(), (std::vector<Dimension>{{24, 1}}));  // whole rows join
  EXPECT_EQ(g.row(2).address(), 2U * 12);
  EXPECT_EQ(g.row(2).joined(), (std::vector<Dimension>{{6, 1}}));
  EXPECT_EQ(g.column(5).address(), 2U * 5);
  EXPECT_EQ(g.column(5).joined(), (std::vector<Dimension>{{4, 6}}));
  EXPECT_EQ(g.block(1, 2, 2, 3).address(), 2U * (6 + 2));
  EXPECT_EQ(g.block(1, 2, 2, 3).joined(), (std::vector<Dimension>{{2, 6}, {3, 1}}));
  EXPECT_EQ(g.flat().slice(7, 1).address(), 2U * 7);
}

TEST(PeVector, RepeatedAndTiledViewsHaveADimensionOfStrideZero) {
  EXPECT_EQ(line(3).repeated(2).joined(), (std::vector<Dimension>{{3, 1}, {2, 0}}));
  EXPECT_EQ(line(3).tiled(2).joined(), (std::vector<Dimension>{{2, 0}, {3, 1}}));
  EXPECT_EQ(grid(4, 6).column(1).tiled(5).size(), 20);
}

TEST(PeVector, PartsOutsideAreErrorsThatNameIt) {
  const auto refused = [](const std::function<void()>& action, const char* text) {
    expect_error(ErrorCategory::program, action, text);
  };
  refused([] { line(5).slice(3, 3); }, "u has no elements 3 to 5 (it has elements 0 to 4)");
  refused([] { line(5).slice(1, 3, -1); }, "u has no elements 1 to -1");
  refused([] { line(5).row(0); }, "u has no block");
  refused([] { grid(4, 6).block(3, 0, 2, 6); }, "g (rows) has no elements 3 to 4");
  refused([] { grid(4, 6).slice(0, 2); }, "g has no slice");
  refused([] { grid(4, 6).block(0, 0, 2, 3).flat(); }, "cannot flatten g");
  refused([] { line(0); }, "invalid shape of u: 0 elements");
  refused([] { PeVector::in_memory("v", ElementType::f32, 0, {1, 2, 3, 4, 5}); }, "5 dimensions");
}

TEST(PeValue, TakesTheTypeOfItsPlace) {
  EXPECT_EQ(PeValue(0.5).bits(ElementType::f32), 0x3f000000U);
  EXPECT_EQ(PeValue(1).bits(ElementType::f32), 0x3f800000U);
  EXPECT_EQ(PeValue(1.0).bits(ElementType::f16), 0x3c00U);
  EXPECT_EQ(PeValue(-2).bits(ElementType::i32), 0xfffffffeU);
  EXPECT_EQ(PeValue(0xffffffffU).bits(ElementType::u32), 0xffffffffU);
  EXPECT_THROW(PeValue(-1).bits(ElementType::u32), Error);
  EXPECT_THROW(PeValue(70000).bits(ElementType::u16), Error);
  EXPECT_THROW(PeValue(0.5).bits(ElementType::i32), Error);
}

}  // namespace
}  // namespace weft::test::vector_test
