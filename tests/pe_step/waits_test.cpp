// Where a thread has the state of its own PEs (OwnArray), and how long stretches wait (ahead.hpp).
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "pe/due.hpp"

namespace weft::test::waits_test {
namespace {

TEST(OwnArray, HasThePesOfAThreadOneAfterTheOther) {
  for (std::uint32_t threads = 32; threads <= 1024; threads += 32) {
    std::array<std::uint32_t, 3> of_thread{};
    const auto array = pe::OwnArray<std::uint32_t>::of_thread(of_thread.data(), threads);
    for (std::uint32_t n = 0; n < 3 * threads; ++n)
      ASSERT_EQ(&array[n], &of_thread[n / threads]) << n << " of " << threads << " threads";
  }
  std::vector<std::uint32_t> all(100);
  const auto array = pe::OwnArray<std::uint32_t>::of_all(all.data());
  for (std::uint32_t n = 0; n < all.size(); ++n) ASSERT_EQ(&array[n], &all[n]);
}

/// pe::latest of a core with nothing but this.
std::uint32_t latest(std::uint32_t due, std::uint32_t alone) {
  pe::Rules rules{};
  pe::Code code{};
  code.alone = alone;
  rules.programs.code = &code;
  pe::Core core{};
  core.due = due;
  pe::CoreArrays arrays{};
  return pe::latest(pe::CoreView{&arrays, 0, &rules, &core, due});
}

TEST(Latest, IsWithinTheStretchAndCommonToEquallyLongOnes) {
  for (std::uint32_t alone = 0; alone <= 4096; ++alone)
    for (const std::uint32_t due : {0U, 1U, 1000U, 0x7fffffffU, 0U - 4000U, 0U - 17U, ~0U}) {
      const std::uint32_t waits = latest(due, alone) - due;
      ASSERT_TRUE(waits == 0 || waits < alone) << alone << " cycles from " << due;
    }
  // Stretches of 1,000 cycles that begin within 256 have one or two common cycles.
  std::vector<std::uint32_t> common;
  for (std::uint32_t due = 5000; due < 5256; ++due) {
    const std::uint32_t last = latest(due, 1000);
    EXPECT_EQ(last % 256, 0U);
    if (common.empty() || common.back() != last) common.push_back(last);
  }
  EXPECT_LE(common.size(), 2U);
}

}  // namespace
}  // namespace weft::test::waits_test
