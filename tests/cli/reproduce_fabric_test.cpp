// Evaluations whose predictions are exact, run on the fabric, and what a PE does with a block.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "cli/small_table.hpp"
#include "evaluation/ape_networks.hpp"
#include "evaluation/blocks.hpp"

namespace weft::test::reproduce_fabric_test {
namespace {

using namespace weft::evaluation;

void expect_exact(const Table& table, std::size_t rows) {
  const auto off =
      static_cast<std::size_t>(std::ranges::find(table.columns, "off") - table.columns.begin());
  EXPECT_EQ(table.rows.size(), rows);
  for (const Row& row : table.rows) EXPECT_EQ(row[off].value, 0) << row.front().text;
}

TEST(ReproduceFabric, MessagesOfS3dftAreThoseCounted) {
  expect_exact(small_table("s3dft", "messages", 64), 2);
}

TEST(ReproduceFabric, ShiftsOfApeAreThoseCounted) {
  expect_exact(small_table("ape", "equations", 32), 4);
}

TEST(ReproduceFabric, ShiftsByEquationThree) {
  // Strides 1 to 7 of a ring: 28 places one way, and 1 2 3 4 3 2 1 the shorter way round.
  EXPECT_EQ(shifts_one_way({8, 1}), 28);
  EXPECT_EQ(shifts_both_ways({8, 1}), 16);
  // Strides (x, y) of 4 x 2: 0 to 3 places along x and 0 or 1 along y.
  EXPECT_EQ(shifts_one_way({4, 2}), 4 * 1 + 2 * 6);
  EXPECT_EQ(shifts_both_ways({4, 2}), 4 * 1 + 2 * 4);
}

std::uint64_t cycles(BlockWork work, int b, FftPrecision precision, int places = 1) {
  return cycles_of_block({work, b, precision, 8, places}, Machine{});
}

TEST(ReproduceFabric, ABlockTakesWhatItsInstructionsTake) {
  // b^4 complex multiply-adds are 4 b^4 of real numbers; FP16 has two in a cycle. Each of 4 b
  // instructions starts in three cycles, and may need three for its descriptors.
  for (const auto& [precision, rate] : {std::pair{FftPrecision::fp32, 1}, {FftPrecision::fp16, 2}})
    for (const int b : {4, 8}) {
      const auto adds = static_cast<std::uint64_t>(4 * b * b * b * b / rate);
      const std::uint64_t took = cycles(BlockWork::product, b, precision);
      EXPECT_GE(took, adds);
      EXPECT_LE(took, adds + static_cast<std::uint64_t>(24 * b));
    }
  EXPECT_LT(cycles(BlockWork::copy, 8, FftPrecision::fp32),
            cycles(BlockWork::transposed_copy, 8, FftPrecision::fp32));
}

TEST(ReproduceFabric, ARollTakesItsPlacesOneAfterTheOther) {
  const std::uint64_t one = cycles(BlockWork::roll, 4, FftPrecision::fp32),
                      two = cycles(BlockWork::roll, 4, FftPrecision::fp32, 2);
  EXPECT_GE(one, 128U);
  EXPECT_NEAR(static_cast<double>(two), 2.0 * static_cast<double>(one), 16);
}

}  // namespace
}  // namespace weft::test::reproduce_fabric_test
