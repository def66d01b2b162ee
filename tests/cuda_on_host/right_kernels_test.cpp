// Kernels without fault give the same right results in every order of their threads.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_on_host/device_test.hpp"
#include "support/mesh.hpp"

namespace weft::test::right_kernels_test {
namespace {

using cuda_on_host::Order;

constexpr int kBlocks = 4;

class RightKernels : public DeviceTest, public testing::WithParamInterface<Order> {
 protected:
  RightKernels() { cuda_on_host::control().order = GetParam(); }
};

TEST_P(RightKernels, MeetAtTheGridBarrier) {
  constexpr int kRounds = 7;
  std::vector<std::uint32_t> numbers(kBlocks * kThreads), sums(kBlocks);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  for (int round = 0; round < kRounds; ++round) {
    std::ranges::fill(sums, 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) sums[i / kThreads] += numbers[i];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] += sums[(i / kThreads + kBlocks - 1) % kBlocks];
    }
  }

  const cuda::DeviceBuffer<std::uint32_t> device_sums(2 * kBlocks), out(numbers.size());
  run(add_round_a_ring, kBlocks, device_sums.data(), out.data(), kRounds);
  EXPECT_EQ(values_of(out), numbers);
}

TEST_P(RightKernels, PassWordsByFlags) {
  constexpr int kRounds = 20;
  const cuda::DeviceBuffer<std::uint64_t> words(kBlocks * kRounds);
  const auto flags = array_of(std::vector<std::uint64_t>(kBlocks));
  run(pass_along, kBlocks, words.data(), flags.data(), kRounds);
  const std::vector<std::uint64_t> result = values_of(words);
  std::uint64_t expected = 1;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    expected = 3 * expected + block;
    EXPECT_EQ(std::count(&result[block * kRounds], &result[block * kRounds] + kRounds, expected),
              kRounds)
        << "block " << block;
  }
}

std::uint64_t number(std::size_t i) { return 1000 + i * 37 % 101; }

std::uint64_t least(std::size_t first, std::size_t count) {
  std::uint64_t least = number(first);
  for (std::size_t i = first; i < first + count; ++i) least = std::min(least, number(i));
  return least;
}

TEST_P(RightKernels, Reduce) {
  constexpr std::size_t kAll = kBlocks * kThreads;
  const cuda::DeviceBuffer<Reductions> of(kAll);
  const auto grid_min = array_of(std::vector<std::uint64_t>{UINT64_MAX});
  const auto grid_or = array_of(std::vector<std::uint32_t>{0});
  run(reduce, kBlocks, of.data(), grid_min.data(), grid_or.data());
  const std::vector<Reductions> result = values_of(of);
  for (std::size_t i = 0; i < kAll; ++i) {
    const std::size_t warp = i / 32 * 32, block = i / kThreads * kThreads;
    std::uint32_t ballot = 0, bits = 0;
    for (std::size_t j = 0; j < 32; ++j) ballot |= (number(warp + j) % 3 == 0 ? 1U : 0U) << j;
    for (std::size_t j = 0; j < kThreads; ++j) bits |= 1U << (block + j) % 31;
    ASSERT_EQ(result[i].least_of_block, least(block, kThreads)) << i;
    ASSERT_EQ(result[i].least_of_grid, least(0, kAll)) << i;
    ASSERT_EQ(result[i].bits_of_block, bits) << i;
    ASSERT_EQ(result[i].bits_of_grid, (1U << kBlocks) - 1) << i;
    ASSERT_EQ(result[i].ballot, ballot) << i;
  }
}

BlockReductions reductions_of(const std::uint64_t* numbers, std::size_t count, std::uint64_t more) {
  BlockReductions all{UINT64_MAX, 0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    all.least = std::min(all.least, numbers[i] + more);
    all.sum += numbers[i] + more;
    all.bits |= static_cast<std::uint32_t>(numbers[i] + more);
  }
  return all;
}

/// Warps of a block. A sanitizer has no room for many threads.
std::vector<std::size_t> sizes_of_blocks() {
  if (sanitized()) return {1, 3, 5};
  return {1, 2, 3, 15, 16, 32};
}

TEST_P(RightKernels, ReduceInBlocksOfAnySize) {
  for (const std::size_t warps : sizes_of_blocks()) {
    // In each block another warp has the least number; every warp has a bit of its own.
    const std::size_t threads = warps * 32,
                      deciding[kBlocks] = {0, 1 % warps, warps / 2, warps - 1};
    std::vector<std::uint64_t> numbers(kBlocks * threads);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::size_t block = i / threads, warp = i % threads / 32, lane = i % 32;
      const std::uint64_t high = warp == deciding[block] && lane == 7 * warp % 32 ? 1 : i + 2;
      numbers[i] = high << 33U | (lane == 5 * block ? std::uint64_t{1} << warp : 0);
    }
    const auto of = array_of(numbers);
    const cuda::DeviceBuffer<BlockReductions> first(numbers.size()), second(numbers.size());
    cuda::launch_cooperative(reduce_blocks, kBlocks, static_cast<int>(threads), 0, stream_,
                             of.data(), first.data(), second.data());
    stream_.synchronize("reducing");
    const std::vector<BlockReductions> results[] = {values_of(first), values_of(second)};
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (const std::uint64_t more : {0, 1})
        ASSERT_EQ(results[more][i], reductions_of(&numbers[i / threads * threads], threads, more))
            << "thread " << i << " of blocks of " << warps << " warps, time " << more;
  }
}

TEST_P(RightKernels, MeetInPartsOfAWarp) {
  const cuda::DeviceBuffer<std::uint32_t> out(kBlocks * kThreads);
  run(meet_in_halves, kBlocks, out.data());
  const std::vector<std::uint32_t> result = values_of(out);
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_EQ(result[i], i % 32 < 16 ? 0x0000aaaaU : 0xaaaa0000U) << i;
  }
}

TEST_P(RightKernels, ShareMemory) {
  const cuda::DeviceBuffer<std::uint32_t> out(kBlocks * kThreads);
  run(turn_round, kBlocks, out.data());
  const std::vector<std::uint32_t> result = values_of(out);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], kThreads - 1 - i % kThreads);
}

std::string name_of(const testing::TestParamInfo<Order>& info) {
  return info.param == Order::sequential ? "sequential"
         : info.param == Order::reverse  ? "reverse"
                                         : "random";
}

INSTANTIATE_TEST_SUITE_P(Orders, RightKernels,
                         testing::Values(Order::sequential, Order::reverse, Order::random),
                         name_of);

}  // namespace
}  // namespace weft::test::right_kernels_test
