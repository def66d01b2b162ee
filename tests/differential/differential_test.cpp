// The emulator against the specification (src/spec/), on random fabrics.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "differential/case.hpp"
#include "differential/every_cycle.hpp"
#include "differential/on_demand.hpp"
#include "support/mesh.hpp"

namespace weft::test::differential_test {
namespace {

constexpr int kShards = 8;

/// Counts of events in the cases of a range: a test that reaches nothing finds nothing.
struct Reached {
  std::uint64_t cases = 0, quiet = 0, deadlock = 0, limit = 0, fault = 0, delivered = 0,
                filtered = 0, hops = 0, shapes = 0, fifos = 0, shared = 0;

  void add(const Outcome& o) {
    ++cases;
    if (o.stop == spec::Fabric::Stop::fault) ++fault;
    if (o.stop == spec::Fabric::Stop::limit) ++limit;
    if (o.stop == spec::Fabric::Stop::quiet) ++(o.deadlock ? deadlock : quiet);
    if (o.delivered != 0) ++delivered;
    if (o.filtered != 0) ++filtered;
    if (o.hops != 0) ++hops;
    if (o.shapes) ++shapes;
    if (o.fifos) ++fifos;
    if (o.shared) ++shared;
  }
};

bool differs(const Case& c) { return run(c).difference.has_value(); }
bool differs_awake(const Case& c) { return run_always_awake(c).has_value(); }
bool breaks(const Case& c) { return !broken_invariant_of(c, c.limit).empty(); }

/// Every so many-th case is looked into after each cycle, and run with nothing asleep.
constexpr std::uint64_t kLookInto = 4;

/// Returns whether all was well.
bool look_into(std::uint64_t seed, const Case& c, const Outcome& outcome) {
  if (const std::string broken = broken_invariant_of(c, outcome.cycles); !broken.empty()) {
    ADD_FAILURE() << "seed " << seed << " (" << engine::step_variant() << "): " << broken
                  << "\ncut down:\n\n"
                  << print(shrink(c, breaks));
    return false;
  }
  if (const auto difference = run_always_awake(c)) {
    ADD_FAILURE() << "seed " << seed << ", always awake: " << describe(*difference)
                  << "\ncut down:\n\n"
                  << print(shrink(c, differs_awake));
    return false;
  }
  return true;
}

/// Runs the cases of some seeds; the first that differs is cut down and shown.
Reached run_seeds(std::uint64_t first, std::uint64_t cases) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Case c = random_case(seed);
    const Outcome outcome = run(c);
    reached.add(outcome);
    if (!outcome.difference) {
      if (seed % kLookInto != 0 || look_into(seed, c, outcome)) continue;
      break;
    }
    const Case small = shrink(c, differs);
    ADD_FAILURE() << "seed " << seed << " (" << engine::step_variant()
                  << "): " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run(small).difference) << "\n\n"
                  << print(small);
    break;
  }
  std::cout << reached.cases << " cases, seeds " << first << " to " << first + cases - 1
            << ", step variant " << engine::step_variant() << ": " << reached.quiet << " ended, "
            << reached.deadlock << " stuck, " << reached.fault << " faults, " << reached.limit
            << " at their limit; wavelets crossed links in " << reached.hops
            << ", reached cores in " << reached.delivered << ", were filtered in "
            << reached.filtered << "; shapes in " << reached.shapes << ", FIFOs in "
            << reached.fifos << ", queues of several colors in " << reached.shared << "\n";
  return reached;
}

/// The same with host streams, by what they have done.
TEST(HostedFabrics, AgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(60, 250, 1000);
  std::uint64_t came = 0, entered = 0, ended = 0, stuck = 0;
  for (std::uint64_t seed = seed_from(77'000'000), last = seed + cases; seed < last; ++seed) {
    const Case c = hosted_case(seed);
    const Outcome outcome = run(c);
    if (outcome.host_words != 0) ++came;
    if (outcome.host_sent != 0) ++entered;
    if (outcome.stop == spec::Fabric::Stop::quiet) ++(outcome.deadlock ? stuck : ended);
    if (!outcome.difference) continue;
    const Case small = shrink(c, differs);
    ADD_FAILURE() << "seed " << seed << " (" << engine::step_variant()
                  << "): " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run(small).difference) << "\n\n"
                  << print(small);
    return;
  }
  std::cout << cases << " cases with host streams: words entered in " << entered
            << ", came to the host in " << came << "; " << ended << " ended, " << stuck
            << " stuck\n";
  if (!many_cases()) return;
  EXPECT_GT(entered, cases / 4);
  EXPECT_GT(came, cases / 10);
  EXPECT_GT(ended, 0U);
  EXPECT_GT(stuck, cases / 10);
}

class RandomFabrics : public testing::TestWithParam<int> {};

TEST_P(RandomFabrics, AgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(60, 250, 1000);
  const std::uint64_t first = 1 + static_cast<std::uint64_t>(GetParam()) * 1000000;
  const Reached reached = run_seeds(seed_from(first), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 50);
  EXPECT_GT(reached.deadlock, cases / 10);
  EXPECT_GT(reached.fault, cases / 10);
  EXPECT_GT(reached.limit, cases / 30);
  EXPECT_GT(reached.hops, cases / 10);
  EXPECT_GT(reached.delivered, cases / 4);
  EXPECT_GT(reached.filtered, cases / 30);
  EXPECT_GT(reached.shapes, cases / 4);
  EXPECT_GT(reached.fifos, cases / 20);
  EXPECT_GT(reached.shared, cases / 60);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomFabrics, testing::Range(0, kShards));

TEST(RandomFabricsOnDemand, AgreeWithTheReference) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) { run_seeds(first, cases); });
}

}  // namespace
}  // namespace weft::test::differential_test
