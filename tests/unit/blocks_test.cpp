// One array of the host, divided among PEs and put together again.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "expect_error.hpp"
#include "mesh.hpp"

namespace weft::test::blocks_test {
namespace {

constexpr Rect kWhere{1, 2, 3, 2};

Fabric fabric_with(ElementType type, const std::vector<int>& extents) {
  Design d(5, 5);
  d.program(d.all(), "idle", [&](PeProgram& pe) { pe.array("u", type, extents); });
  return d.fabric(test_machine(), test_options());
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  std::iota(all.begin(), all.end(), 1.0F);
  return all;
}

TEST(Blocks, GoRowByRowAlongY) {
  Fabric f = fabric_with(ElementType::f32, {2, 3});
  const std::vector<float> array = numbers(4 * 9);
  f.scatter<float>(kWhere, "u", array);
  EXPECT_EQ(f.read<float>({1, 2, 1, 1}, "u"), (std::vector<float>{1, 2, 3, 10, 11, 12}));
  EXPECT_EQ(f.read<float>({3, 3, 1, 1}, "u"), (std::vector<float>{25, 26, 27, 34, 35, 36}));
  EXPECT_EQ(f.read<float>({0, 2, 1, 1}, "u"), std::vector<float>(6));
  EXPECT_EQ(f.gather<float>(kWhere, "u"), array);
  EXPECT_EQ(f.array_extents(kWhere, "u", ElementType::f32), (std::vector<std::size_t>{4, 9}));
}

TEST(Blocks, OfOneDimensionAreRowsAndOthersStayInThePe) {
  Fabric row = fabric_with(ElementType::f32, {2});
  row.scatter<float>(kWhere, "u", numbers(12));
  EXPECT_EQ(row.read<float>({2, 3, 1, 1}, "u"), (std::vector<float>{9, 10}));
  Fabric deep = fabric_with(ElementType::f32, {1, 2, 3});
  deep.scatter<float>(kWhere, "u", numbers(36));
  EXPECT_EQ(deep.read<float>({2, 2, 1, 1}, "u"), (std::vector<float>{7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(deep.gather<float>(kWhere, "u"), numbers(36));
}

TEST(Blocks, LeaveAHaloAsItIs) {
  Fabric f = fabric_with(ElementType::f32, {3, 4});
  f.write<float>(kWhere, "u", std::vector<float>(6 * 12, -1));
  f.scatter<float>(kWhere, "u", numbers(12), 1);
  EXPECT_EQ(f.read<float>({1, 3, 1, 1}, "u"),
            (std::vector<float>{-1, -1, -1, -1, -1, 7, 8, -1, -1, -1, -1, -1}));
  EXPECT_EQ(f.gather<float>(kWhere, "u", 1), numbers(12));
}

TEST(Blocks, OfHalfWords) {
  Fabric f = fabric_with(ElementType::i16, {1, 3});
  std::vector<std::int16_t> array(18);
  std::iota(array.begin(), array.end(), std::int16_t{-5});
  f.scatter<std::int16_t>(kWhere, "u", array);
  EXPECT_EQ(f.read<std::int16_t>({3, 2, 1, 1}, "u"), (std::vector<std::int16_t>{1, 2, 3}));
  EXPECT_EQ(f.gather<std::int16_t>(kWhere, "u"), array);
}

TEST(Blocks, RefuseArraysThatDoNotFit) {
  Fabric f = fabric_with(ElementType::f32, {2, 3});
  expect_error(
      ErrorCategory::usage, [&] { f.scatter<float>(kWhere, "u", numbers(35)); },
      "35 values do not fill u", "the array of 3 x 2 PEs has 4 x 9 values");
  expect_error(
      ErrorCategory::usage, [&] { f.scatter<float>(kWhere, "u", numbers(0), 1); },
      "u has no halo of 1 (it has 2 x 3 elements in each PE)");
  expect_error(
      ErrorCategory::usage, [&] { f.gather<float>(kWhere, "u", -1); }, "u has no halo of -1");
  expect_error(
      ErrorCategory::usage, [&] { f.gather<float>(kWhere, "v"); }, "has no v");
  expect_error(
      ErrorCategory::usage, [&] { f.gather<std::int32_t>(kWhere, "u"); }, "u does not hold");
}

}  // namespace
}  // namespace weft::test::blocks_test
