// The kernel that counts, on the host's CUDA, against the specification: each PE, color,
// instruction, phase and window of time, in one launch or many, and in interrupted runs.
#include <gtest/gtest.h>

#include "differential/counted_case.hpp"
#include "differential/valid_case.hpp"
#include "pe_kernel/manner.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_kernel_counting_test {
namespace {

/// Returns the links that wavelets crossed.
std::uint64_t run_seeds(const std::function<Case(std::uint64_t)>& draw, std::uint64_t first,
                        std::uint64_t cases) {
  std::uint64_t hops = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = counted_case(seed, draw);
    const PeOutcome outcome = run_kernel(c, manner_of(c, seed));
    hops += outcome.hops;
    if (!outcome.difference) continue;
    const auto differs = [&](const Case& less) {
      return run_kernel(less, manner_of(less, seed)).difference.has_value();
    };
    const Case small = shrink(c, differs);
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference) << "\ncut down: "
                  << describe(*run_kernel(small, manner_of(small, seed)).difference)
                  << "\nc.observe = {true, " << small.observe.windows << "};\n\n"
                  << print(small);
    break;
  }
  return hops;
}

TEST(PeKernelCounting, RandomFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 40, 300);
  EXPECT_GT(run_seeds([](std::uint64_t seed) { return random_case(seed); }, 65'000'000, cases), 0U);
}

TEST(PeKernelCounting, HostedFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 30, 200);
  EXPECT_GT(run_seeds(hosted_case, 66'000'000, cases), 0U);
}

TEST(PeKernelCounting, TrafficCountsAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(5, 15, 100);
  EXPECT_GT(run_seeds(traffic_case, 67'000'000, cases), cases * 30);
}

TEST(PeKernelCounting, ValidProgramsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(1, 4, 20);
  EXPECT_GT(run_seeds(small_valid_case, 68'000'000, cases), 0U);
}

}  // namespace
}  // namespace weft::test::pe_kernel_counting_test
