// The emulator against the specification (src/spec/), on programs that are right: they run for
// long, and do what the quicker ways of the step are for.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "differential/every_cycle.hpp"
#include "differential/observed.hpp"
#include "differential/on_demand.hpp"
#include "differential/valid_case.hpp"
#include "support/mesh.hpp"
#include "support/same_state.hpp"

namespace weft::test::valid_test {
namespace {

constexpr int kShards = 4;

/// Counts of what the cases of a range reached.
struct Reached {
  std::uint64_t cases = 0, ended = 0, stuck = 0, fault = 0, limit = 0;
  std::uint64_t links = 0, filtered = 0, cycles = 0;
  std::uint64_t tried = 0, met = 0;  ///< by line
  std::uint64_t skipped = 0;         ///< cycles
  Observed seen{};

  void add(const Outcome& o) {
    ++cases;
    if (o.stop == spec::Fabric::Stop::fault) ++fault;
    if (o.stop == spec::Fabric::Stop::limit) ++limit;
    if (o.stop == spec::Fabric::Stop::quiet) ++(o.deadlock ? stuck : ended);
    if (o.hops != 0) ++links;
    if (o.filtered != 0) ++filtered;
    cycles += o.cycles;
  }
};

void show(const Reached& r, std::uint64_t first) {
  std::cout << r.cases << " cases from seed " << first << ", step variant "
            << engine::step_variant() << ": " << r.ended << " ended, " << r.stuck << " stuck, "
            << r.fault << " faults, " << r.limit << " at their limit; wavelets crossed links in "
            << r.links << ", were filtered in " << r.filtered << "; " << r.cycles << " cycles, ";
}

bool differs(const Case& c) { return run(c).difference.has_value(); }
bool differs_by_line(const Case& c) { return run_by_line(c).outcome.difference.has_value(); }
bool differs_awake(const Case& c) { return run_always_awake(c).has_value(); }

/// Shows a case that differs, cut down.
void report(std::uint64_t seed, const Case& c, const Difference& difference,
            bool (*still)(const Case&), const char* how) {
  const Case small = shrink(c, still);
  ADD_FAILURE() << "seed " << seed << " (" << engine::step_variant()
                << "): " << describe(difference) << "\ncut down, to be run by " << how << ":\n\n"
                << print(small);
}

/// Numbers of threads and blocks of cycles, which make no difference; nor that one thread does the
/// work of every other block.
struct Schedule {
  int threads, block;
  bool parts = false;
};
constexpr Schedule kSchedules[] = {{1, 1}, {2, 3}, {2, 32}, {2, 2, true}};

/// How a run ended, and what it left.
struct Ran {
  engine::RunResult result;
  fabric::State state;
};

/// Runs it at once to its end.
Ran run_at_once(const Case& c, const Schedule& schedule) {
  fabric::State state = state_of(c);
  engine::RunOptions options;
  options.limit = c.limit;
  options.threads = schedule.threads;
  options.block = schedule.block;
  if (schedule.parts) options.stretch = {};
  const engine::RunResult result = engine::run_on_host(state.view(), 0, options);
  return {result, std::move(state)};
}

/// Runs it as always and by one of these, in turn. Returns the cycles that were skipped.
std::uint64_t expect_same_by_another_schedule(const Case& c, std::uint64_t seed) {
  const Schedule& schedule = kSchedules[seed % std::size(kSchedules)];
  Ran usual = run_at_once(c, {1, 0}), other = run_at_once(c, schedule);
  EXPECT_EQ(other.result.cycle, usual.result.cycle) << "seed " << seed;
  EXPECT_EQ(difference(usual.state, other.state), "")
      << "seed " << seed << ", " << schedule.threads << " threads, blocks of " << schedule.block
      << (schedule.parts ? ", that part" : "");
  return usual.result.skipped;
}

/// Every so many-th case is looked into after each cycle, and run with nothing asleep.
constexpr std::uint64_t kLookInto = 4;

void look_into(std::uint64_t seed, const Case& c, std::uint64_t cycles) {
  EXPECT_EQ(broken_invariant_of(c, cycles), "") << "seed " << seed;
  if (const auto difference = run_always_awake(c))
    report(seed, c, *difference, differs_awake, "run_always_awake");
}

Reached run_seeds(std::uint64_t first, std::uint64_t cases) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases && !testing::Test::HasFailure(); ++seed) {
    const Case c = valid_case(seed);
    const Outcome outcome = run(c);
    reached.add(outcome);
    if (outcome.difference) {
      report(seed, c, *outcome.difference, differs, "run");
      break;
    }
    // Elsewhere states differ in when a strip that is stuck was last looked at.
    if (outcome.stop == spec::Fabric::Stop::quiet && !outcome.deadlock)
      reached.skipped += expect_same_by_another_schedule(c, seed);
    reached.seen += observe(c, outcome.cycles);
    if (seed % kLookInto == 0) look_into(seed, c, outcome.cycles);
  }
  show(reached, first);
  const Observed& seen = reached.seen;
  std::cout << reached.skipped << " skipped; strip-cycles: " << seen.straight << " by a shortcut, "
            << seen.woken << " woken, " << seen.ahead << " with a task's end ahead, " << seen.later
            << " with cores that wait for others, " << seen.formed
            << " with cores that stream alike\n";
  return reached;
}

Reached run_straight_seeds(std::uint64_t first, std::uint64_t cases, Case (*draw)(std::uint64_t)) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Case c = draw(seed);
    const ByLine one = run_by_line(c);
    if (one.tried) ++reached.tried;
    if (one.met) ++reached.met;
    if (!one.met) reached.add(one.outcome);
    if (one.outcome.difference) {
      report(seed, c, *one.outcome.difference, differs_by_line, "run_by_line");
      break;
    }
    reached.seen += observe_by_line(c);
  }
  show(reached, first);
  const Observed& seen = reached.seen;
  std::cout << reached.tried << " stepped by line, " << reached.met << " met; " << seen.delayed
            << " wavelets delayed, " << seen.let_through << " let through, stepped strips "
            << seen.stepping_begun << ", ended " << seen.stepping_ended
            << ", microthreads together " << seen.shared << "\n";
  return reached;
}

class ValidPrograms : public testing::TestWithParam<int> {};

std::uint64_t first_seed(int shard) {
  return seed_from(1 + static_cast<std::uint64_t>(shard) * 1000000);
}

// The floors are far below what cases reach, so that they hold for any seed; a case without the
// thing finds nothing wrong with it.
TEST_P(ValidPrograms, AgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(5, 10, 40);
  const Reached reached = run_seeds(first_seed(GetParam()), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.ended, cases * 3 / 4);
  EXPECT_EQ(reached.fault, 0U);
  EXPECT_GT(reached.links, cases / 2);
  EXPECT_GT(reached.filtered, cases / 10);
  EXPECT_GT(reached.skipped, cases * 20);
  EXPECT_GT(reached.seen.straight, 0U);  // of some 40 cases 60, of others 2,000
  EXPECT_GT(reached.seen.woken, cases * 10);
  EXPECT_GT(reached.seen.ahead, cases * 100);
  EXPECT_GT(reached.seen.later, cases * 100);
  EXPECT_GT(reached.seen.formed, cases * 50);
}

TEST_P(ValidPrograms, AgreeWithTheReferenceByLine) {
  const auto cases = by_effort<std::uint64_t>(6, 10, 50);
  const Reached reached = run_straight_seeds(first_seed(GetParam()), cases, valid_straight_case);
  if (HasFailure() || !many_cases()) return;
  EXPECT_EQ(reached.tried, cases);
  EXPECT_GT(reached.ended, cases / 2);
  EXPECT_EQ(reached.ended, reached.cases);
  EXPECT_GT(reached.links, cases * 2 / 5);
  EXPECT_GT(reached.filtered, cases / 10);
  EXPECT_GT(reached.seen.delayed, cases);
  EXPECT_GT(reached.seen.let_through, cases);
  EXPECT_GT(reached.seen.stepping_begun, 0U);
  EXPECT_GT(reached.seen.stepping_ended, 0U);
  EXPECT_GT(reached.seen.shared, cases * 50);
}

// Lines that meet are stepped again as always; those that nobody saw meet must agree.
TEST_P(ValidPrograms, AgreeWithTheReferenceWhereLinesMayMeet) {
  const auto cases = by_effort<std::uint64_t>(3, 20, 60);
  const Reached reached = run_straight_seeds(first_seed(GetParam()), cases, valid_meeting_case);
  if (HasFailure() || !many_cases()) return;
  EXPECT_EQ(reached.tried, cases);
  EXPECT_EQ(reached.ended, reached.cases);
  EXPECT_GT(reached.ended, cases / 20);
  EXPECT_GT(reached.met, cases / 4);
}

INSTANTIATE_TEST_SUITE_P(Shards, ValidPrograms, testing::Range(0, kShards));

TEST(ValidProgramsOnDemand, AgreeWithTheReference) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) { run_seeds(first, cases); });
}

TEST(ValidProgramsOnDemand, AgreeWithTheReferenceByLine) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) {
    run_straight_seeds(first, cases, valid_straight_case);
  });
}

TEST(ValidProgramsOnDemand, AgreeWithTheReferenceWhereLinesMayMeet) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) {
    run_straight_seeds(first, cases, valid_meeting_case);
  });
}

}  // namespace
}  // namespace weft::test::valid_test
