// How the host reads and writes PE memory.
#include <gtest/gtest.h>

#include <numeric>

#include "support/expect_error.hpp"
#include "weft/fabric.hpp"

namespace weft::test::fabric_memory_test {
namespace {

using Words = std::vector<std::uint32_t>;

Fabric empty(int width = 40, int height = 7) { return Fabric(Layout(width, height), Machine{}); }

TEST(FabricMemory, ReadsBackWhatWasWritten) {
  Fabric fabric = empty();
  const Rect where{10, 1, 20, 5};
  Words words(20 * 5 * 5), back(words.size());
  std::iota(words.begin(), words.end(), 1U);
  fabric.write(where, 100, words);
  fabric.read(where, 100, back);
  EXPECT_EQ(back, words);
}

TEST(FabricMemory, GoesPeByPeRowByRow) {
  Fabric fabric = empty();
  fabric.write({15, 3, 2, 2}, 8, Words{1, 2, 3, 4, 5, 6, 7, 8});
  const auto pe = [&](int x, int y) {
    Words words(2);
    fabric.read({x, y, 1, 1}, 8, words);
    return words;
  };
  EXPECT_EQ(pe(15, 3), (Words{1, 2}));
  EXPECT_EQ(pe(16, 3), (Words{3, 4}));
  EXPECT_EQ(pe(15, 4), (Words{5, 6}));
  EXPECT_EQ(pe(16, 4), (Words{7, 8}));
  EXPECT_EQ(pe(14, 3), (Words{0, 0}));
  EXPECT_EQ(pe(15, 2), (Words{0, 0}));
}

TEST(FabricMemory, StartsAtZero) {
  Words words(49152 / 4, 7);
  empty(2, 1).read({1, 0, 1, 1}, 0, words);
  EXPECT_EQ(words, Words(49152 / 4));
}

TEST(FabricMemory, TheLastWordCanBeWritten) {
  Fabric fabric = empty(1, 1);
  EXPECT_NO_THROW(fabric.write({0, 0, 1, 1}, 49148, Words{1}));
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.write({0, 0, 1, 1}, 49148, Words{1, 2});
      },
      "49152 bytes");
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.write({0, 0, 1, 1}, 0xfffffffc, Words{1});
      },
      "not in");
}

TEST(FabricMemory, RefusesWhatDoesNotFit) {
  Fabric fabric = empty();
  Words words(6);
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.read({0, 0, 1, 1}, 2, words);
      },
      "multiples of four");
  expect_error(
      ErrorCategory::usage,
      [&] {
        fabric.read({0, 0, 4, 1}, 0, words);
      },
      "6 words", "4 PEs");
  for (const Rect& where :
       {Rect{-1, 0, 1, 1}, Rect{40, 0, 1, 1}, Rect{0, 6, 1, 2}, Rect{0, 0, 0, 1}})
    expect_error(
        ErrorCategory::usage, [&] { fabric.read(where, 0, words); }, "40 x 7");
}

TEST(FabricMemory, AFabricWithoutProgramsIsIdle) {
  Fabric fabric = empty();
  EXPECT_NO_THROW(fabric.run_until_idle(10));
  EXPECT_EQ(fabric.counters().wavelets, 0U);
}

TEST(FabricMemory, AFabricCanBeMoved) {
  Fabric from = empty(2, 2);
  from.write({1, 1, 1, 1}, 4, Words{9});
  Fabric to = std::move(from);
  Words words(1);
  to.read({1, 1, 1, 1}, 4, words);
  EXPECT_EQ(words, (Words{9}));
}

}  // namespace
}  // namespace weft::test::fabric_memory_test
