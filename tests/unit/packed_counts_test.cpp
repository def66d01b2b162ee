// Numbers in few bytes: the same numbers again, whatever they are and however they came.
#include "weft/packed_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "support/effort.hpp"

namespace weft::test::packed_counts_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t kBlock = PackedCounts::kBlock;

/// Numbers from `least` on, each less than `more` above it.
Numbers numbers_of(std::size_t count, std::uint32_t least, std::uint64_t more,
                   std::mt19937_64& dice) {
  Numbers all(count);
  for (std::uint32_t& number : all) number = least + static_cast<std::uint32_t>(dice() % more);
  return all;
}

TEST(PackedCounts, AreTheNumbersThatCame) {
  std::mt19937_64 dice(seed_from(1));
  for (const std::uint64_t more :
       {std::uint64_t{1}, std::uint64_t{256}, std::uint64_t{257}, std::uint64_t{1} << 16,
        (std::uint64_t{1} << 16) + 1, std::uint64_t{1} << 32})
    for (const std::size_t count : {std::size_t{0}, kBlock - 1, kBlock, 7 * kBlock + 100}) {
      SCOPED_TRACE(testing::Message() << count << " numbers of " << more);
      const Numbers all = numbers_of(count, 0, more, dice);
      const PackedCounts packed(all);
      EXPECT_EQ(packed.size(), count);
      EXPECT_EQ(packed.numbers(), all);
      EXPECT_EQ(packed.greatest(), all.empty() ? 0 : std::ranges::max(all));
      for (int n = 0; n < 20 && count > 0; ++n) {
        const std::size_t first = dice() % count;
        Numbers some(1 + dice() % (count - first));
        packed.read(first, some);
        EXPECT_TRUE(std::ranges::equal(some, std::span(all).subspan(first, some.size())));
        EXPECT_EQ(packed[first], all[first]);
      }
    }
}

TEST(PackedCounts, AreTheSameOnBothSidesOfTheLargestShortNumber) {
  std::mt19937_64 dice(seed_from(4));
  for (const std::uint32_t largest : {32'766U, 32'767U, 32'768U, 65'535U, 65'536U})
    for (const std::uint32_t least : {0U, 1U, largest - 255, largest - 256, largest}) {
      SCOPED_TRACE(testing::Message() << "from " << least << " to " << largest);
      Numbers all = numbers_of(kBlock, least, largest - least + 1, dice);
      all[dice() % kBlock] = largest;
      const PackedCounts packed(all);
      EXPECT_EQ(packed.numbers(), all);
      EXPECT_EQ(packed.greatest(), largest);
    }
}

TEST(PackedCounts, AreEqualHoweverTheyCame) {
  std::mt19937_64 dice(seed_from(2));
  const Numbers all = numbers_of(9 * kBlock + 17, 1000, 3000, dice);
  const PackedCounts at_once(all);
  PackedCounts in_parts;
  for (std::span<const std::uint32_t> rest(all); !rest.empty();) {
    const std::size_t n = std::min<std::size_t>(1 + dice() % (2 * kBlock), rest.size());
    in_parts.append(rest.first(n));
    rest = rest.subspan(n);
  }
  EXPECT_EQ(in_parts, at_once);
  Numbers other = all;
  other[dice() % other.size()] ^= 1U;
  EXPECT_NE(PackedCounts(other), at_once);
}

TEST(PackedCounts, TakeTheBytesByWhichTheyDiffer) {
  std::mt19937_64 dice(seed_from(3));
  const std::size_t count = 100 * kBlock;
  const auto bytes = [&](std::uint64_t more) {
    return PackedCounts(numbers_of(count, 1'000'000, more, dice)).bytes();
  };
  const std::size_t blocks = bytes(1);
  EXPECT_LT(blocks, count / 10);
  EXPECT_EQ(bytes(256), blocks + count);
  EXPECT_EQ(bytes(60'000), blocks + 2 * count);
  EXPECT_EQ(bytes(1'000'000'000), blocks + 4 * count);
}

}  // namespace
}  // namespace weft::test::packed_counts_test
