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

/// Of many cases, wavelets cross more links than `least` a case.
void run_seeds(const std::function<Case(std::uint64_t)>& draw, std::uint64_t first,
               std::uint64_t cases, std::uint64_t least = 0) {
  std::uint64_t hops = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = for_pes(counted_case(seed, draw));
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
  EXPECT_TRUE(testing::Test::HasFailure() || hops > least * cases || !many_cases());
}

TEST(PeKernelCounting, RandomFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 40, 120);
  run_seeds([](std::uint64_t seed) { return random_case(seed); }, 65'000'000, cases);
}

TEST(PeKernelCounting, HostedFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 30, 80);
  run_seeds(hosted_case, 66'000'000, cases);
}

TEST(PeKernelCounting, TrafficCountsAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(5, 15, 40);
  run_seeds(traffic_case, 67'000'000, cases, 30);
}

TEST(PeKernelCounting, ValidProgramsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(1, 4, 8);
  run_seeds(small_valid_case, 68'000'000, cases);
}

// Where links rest in a crowd, a block of cycles ends with their period, and the clock may jump
// from there: a microthread that did an element in the block's last cycle waits in those after it.
TEST(PeKernelCounting, AStreamWaitsInCyclesThatAreJumpedOverAfterABlock) {
  Case c;
  c.width = c.height = 1;
  c.machine.link_busy_cycles = 1;
  c.machine.crowd_wavelets = 4;
  c.machine.ramp_cycles = 7;
  c.machine.output_queue_2_3_depth = 2;
  Program p = program_of({{Op::dfabout, 2, 2, 9, 0},
                          {Op::dlen, 2, 0, 0, 9},
                          {Op::vmov32r, 2, 0, 4, 0},
                          {Op::end, 0, 0, 0, 0}},
                         {});
  p.local_entry[0] = 0;
  p.started_local = 1;
  c.programs.emplace_back(Rect{0, 0, 1, 1}, p);
  c.routes.push_back({{0, 0, 1, 1}, 9, {.rx = {Port::ramp}, .tx = {Port::ramp}, .input_queue = 1}});
  c.observe = {true, 16};
  for (int start = 1; start < 5; ++start) {
    c.machine.task_start_cycles = start;
    Manner manner;
    manner.pes.every_cycle = false;
    manner.kernel.engine.tiles = pe_kernel::choose_tiles(manner.multiprocessors, 1, 1);
    const PeOutcome outcome = run_kernel(c, manner);
    EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_GT(outcome.counts.jumped, 0U);
  }
}

}  // namespace
}  // namespace weft::test::pe_kernel_counting_test
