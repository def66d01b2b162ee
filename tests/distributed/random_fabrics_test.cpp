// Fabrics that processes share do the same as those of one process: random ones, and random
// programs that are right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "differential/stepper_of.hpp"
#include "differential/valid_case.hpp"
#include "distributed/thread_processes.hpp"
#include "fabric/stepper/stepper.hpp"
#include "model/lanes/lanes.hpp"
#include "support/effort.hpp"
#include "weft/fabric.hpp"

namespace weft::test::random_fabrics_test {
namespace {

/// All that one stop of a run has come to.
struct Stand {
  std::string end;  ///< how, when, counts, first fault
  std::vector<fabric::PeState> pes;
  std::vector<std::uint32_t> memory;
};

FabricOptions options_of(const Case& c, std::shared_ptr<Processes> processes) {
  FabricOptions options;
  options.threads = c.threads;
  options.accelerate = c.fast;
  options.accelerate.by_line = false;
  options.processes = std::move(processes);
  return options;
}

Stand stand_of(const Case& c, const fabric::Stepper& stepper, const engine::RunResult& result) {
  Stand stand;
  const engine::Totals totals = stepper.totals();
  const bool left = stepper.anything_left();
  stand.end = fmt::format(
      "end {} at cycle {}, {} skipped; {} wavelets, {} hops, {} delivered, {} "
      "filtered; left: {}; {}",
      static_cast<int>(result.stop), result.cycle, result.skipped, totals.wavelets, totals.hops,
      totals.delivered, totals.filtered, left, describe(stepper.first_fault()));
  for (int y = 0; y < c.height; ++y)
    for (int x = 0; x < c.width; ++x) stand.pes.push_back(stepper.pe_state(x, y));
  stand.memory.resize(static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height) *
                      static_cast<std::size_t>(c.machine.pe_memory_bytes / 4));
  stepper.read({0, 0, c.width, c.height}, 0, stand.memory);
  return stand;
}

std::vector<std::uint64_t> stops_of(const Case& c) {
  std::vector<std::uint64_t> stops = c.stops.value_or(std::vector<std::uint64_t>{});
  std::erase_if(stops, [&](std::uint64_t stop) { return stop >= c.limit; });
  stops.push_back(c.limit);
  return stops;
}

/// f(stop's number, stand) after each stop, as long as it returns true.
template <class F>
void run_to_stops(const Case& c, fabric::Stepper& stepper, F f) {
  const std::vector<std::uint64_t> stops = stops_of(c);
  for (std::size_t n = 0; n < stops.size(); ++n) {
    const engine::RunResult result = stepper.run({stops[n], c.threads, {}, c.block});
    if (!f(n, stand_of(c, stepper, result)) || result.stop == engine::Stop::fault) return;
  }
}

std::string difference(const Stand& one, const Stand& shared, std::uint64_t cycle) {
  if (one.end != shared.end)
    return fmt::format("of one process: {}\nshared: {}", one.end, shared.end);
  for (std::size_t pe = 0; pe < one.pes.size(); ++pe)
    if (const auto found = compare_pes(one.pes[pe], shared.pes[pe], cycle, Scope::all))
      return describe(*found);
  return one.memory == shared.memory ? "" : fmt::format("memory differs at cycle {}", cycle);
}

/// The first difference between one process and a team; empty: there is none.
std::string difference(const Case& c, Team& team) {
  const Layout layout = layout_of(c);
  std::vector<Stand> stands;
  run_to_stops(c, *stepper_of(c, layout, options_of(c, {})), [&](std::size_t, Stand stand) {
    stands.push_back(std::move(stand));
    return true;
  });
  const std::vector<std::string> told = team.run([&](const std::shared_ptr<Processes>& processes) {
    std::string found;
    const auto stepper = stepper_of(c, layout, options_of(c, processes));
    run_to_stops(c, *stepper, [&](std::size_t n, const Stand& stand) {
      found = n < stands.size() ? difference(stands[n], stand, stepper->history().cycle)
                                : "goes on after its end";
      return found.empty();
    });
    return found;
  });
  for (int rank = 0; rank < team.size; ++rank)
    if (const std::string& text = told[static_cast<std::size_t>(rank)]; !text.empty())
      return fmt::format("process {} of {}: {}", rank, team.size, text);
  return "";
}

/// What Fabric tells of the whole run: its counters, and the text of its error.
std::string told_by_fabric(const Case& c, const Layout& layout,
                           std::shared_ptr<Processes> processes) {
  FabricOptions options = options_of(c, std::move(processes));
  std::string text;
  Fabric fabric(layout, c.machine, options);
  try {
    fabric.run_until_idle(c.limit);
  } catch (const Error& error) {
    text = error.what();
  }
  const FabricCounters all = fabric.counters();
  return fmt::format("{}, {} {} {} {}: {}", all.cycle, all.wavelets, all.hops, all.delivered,
                     all.filtered, text);
}

std::string difference_told(const Case& c, Team& team) {
  const Layout layout = layout_of(c);
  const std::string one = told_by_fabric(c, layout, {});
  for (const std::string& shared : team.run([&](const std::shared_ptr<Processes>& processes) {
         return told_by_fabric(c, layout, processes);
       }))
    if (shared != one) return fmt::format("of one process: {}\nshared: {}", one, shared);
  return "";
}

/// So many processes as strips allow, at most four; delays in every third case.
Team team_for(const Case& c, std::uint64_t seed) {
  const int most = std::min(4, model::strips_down(c.height));
  Team team;
  team.size = 2 + static_cast<int>(seed % static_cast<std::uint64_t>(most - 1));
  team.delays = seed % 3 == 0 ? seed + 1 : 0;
  return team;
}

Case tall_case(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x73686172U));
  Case c = random_case(seed, dice.roll(1, 20), dice.roll(5, 18));
  c.stops.emplace();
  if (dice.chance(70)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(1, 60)));
  if (dice.chance(50)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(60, 300)));
  c.block = dice.chance(50) ? dice.roll(1, 32) : 0;
  c.threads = dice.roll(1, 3);
  c.fast = accelerations(static_cast<unsigned>(dice.roll(0, static_cast<int>(kCombinations) - 1)));
  return c;
}

TEST(SharedFabrics, RandomOnesDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(20, 150, 1500);
  std::uint64_t messages = 0;
  for (std::uint64_t seed = seed_from(31'000'000), last = seed + cases; seed < last; ++seed) {
    const Case c = tall_case(seed);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(c, team), "") << "seed " << seed << "\n" << print(c);
    messages += team.traffic.messages;
    ASSERT_EQ(difference_told(c, team), "") << "seed " << seed << "\n" << print(c);
  }
  EXPECT_GT(messages, cases) << "nothing came over a cut";
}

TEST(SharedFabrics, RightProgramsDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(6, 24, 120);
  std::uint64_t bytes = 0, tall = 0;
  for (std::uint64_t seed = seed_from(32'000'000); tall < cases; ++seed) {
    Case c = valid_case(seed);
    if (c.height <= model::kStripHeight) continue;
    ++tall;
    c.threads = 1 + static_cast<int>(seed % 2);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(c, team), "") << "seed " << seed << "\n" << print(c);
    bytes += team.traffic.bytes;
    ASSERT_EQ(difference_told(c, team), "") << "seed " << seed << "\n" << print(c);
  }
  EXPECT_GT(bytes, cases) << "nothing came over a cut";
}

}  // namespace
}  // namespace weft::test::random_fabrics_test
