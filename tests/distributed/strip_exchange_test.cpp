// Strips go over to the processes that have their columns, and come back: nothing of them changes,
// and nothing is in two processes.
#include "fabric/stepper/strip_exchange.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "differential/case.hpp"
#include "differential/compare.hpp"
#include "differential/valid_case.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/thread_processes.hpp"
#include "engine/engine.hpp"
#include "engine/totals.hpp"
#include "fabric/build/strips.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/strip_bytes.hpp"
#include "support/effort.hpp"

namespace weft::test::strip_exchange_test {
namespace {

using fabric::State;

void copy_strip(const State& from, std::size_t strip, State& to) {
  const std::size_t words = fabric::words_of_programs(from);
  base::Packer pack;
  fabric::add_strip(from, strip, pack);
  fabric::add_memory(from, strip, words, pack);
  const std::vector<std::byte> bytes = std::move(pack).bytes();
  base::Unpacker unpack(bytes);
  fabric::set_strip(to, strip, unpack);
  fabric::set_memory(to, strip, words, unpack);
}

/// f(strip) for those that a process has.
template <class F>
void for_strips(const State& s, const fabric::OwnStrips& own, F f) {
  fabric::for_strips(s, own, {0, 0, s.width, s.height},
                     [&](std::size_t strip, model::Mask) { f(strip); });
}

/// The first difference from the whole fabric in the strips of a process, where the first `cleared`
/// words of programs are 0 since; in the others nothing is left to be summed.
std::string difference(const State& whole, const State& part, const fabric::OwnStrips& own,
                       const Case& c, std::uint64_t cycle, std::size_t cleared) {
  State seen = state_of(c);
  engine::Totals expected, all;
  for_strips(whole, own, [&](std::size_t strip) {
    copy_strip(part, strip, seen);
    expected.add(whole.strip[strip]);
  });
  for (std::size_t strip = 0; strip < part.strip_count(); ++strip) all.add(part.strip[strip]);
  if (all != expected) return fmt::format("{} hops are {}", expected.hops, all.hops);
  const auto programs = fabric::facts_of_programs(whole.code, whole.programs);
  const std::size_t words = fabric::words_of_programs(whole);
  std::string found;
  for (int y = 0; y < whole.height; ++y)
    for (int x = 0; x < whole.width && found.empty(); ++x) {
      if (!own.has(y / model::kStripHeight, x / model::kStripWidth)) continue;
      const auto differs =
          compare_pes(fabric::pe_state(whole, programs, x, y, cycle),
                      fabric::pe_state(seen, programs, x, y, cycle), cycle, Scope::all);
      if (differs) found = fmt::format("PE ({}, {}): {}", x, y, describe(*differs));
      const auto strip = static_cast<std::size_t>(whole.address_of(x, y).strip);
      for (std::size_t word = 0; word < words && whole.strip[strip].programmed; ++word)
        if (seen.memory_of(x, y)[word * model::kLanes] !=
            (word < cleared ? 0 : whole.memory_of(x, y)[word * model::kLanes]))
          found = fmt::format("PE ({}, {}): word {}", x, y, word);
    }
  return found;
}

void clear(State& s, std::size_t strip, std::size_t word) {
  if (s.strip[strip].programmed)
    std::fill_n(s.memory.data() + (strip * s.memory_words + word) * model::kLanes, model::kLanes,
                0U);
}

/// A fabric as it is after some cycles, and has all at once that a strip can have.
State after(const Case& c, std::uint64_t cycles) {
  State whole = state_of(c);
  engine::run_on_host(whole.view(), 0, {.limit = cycles});
  return whole;
}

void expect_back_and_forth(const Case& c, std::uint64_t cycles, Team& team) {
  State whole = after(c, cycles);
  const Layout layout = layout_of(c);
  for (const std::string& told : team.run([&](const std::shared_ptr<Processes>& processes) {
         const fabric::OwnStrips own =
             fabric::strips_by_line(*processes, processes->rank(), whole.rows, whole.strips);
         State part = fabric::build(layout, c.machine, {}, own);
         fabric::StripExchange exchange(part, *processes);
         exchange.set_threads(1 + processes->rank());
         by_line::PeTimes times = by_line::PeTimes::at(part.view(), 7);
         for_strips(whole, {.rows = own.rows},
                    [&](std::size_t strip) { copy_strip(whole, strip, part); });
         for (int y = exchange.lines(true).first; y < exchange.lines(true).last; ++y)
           for (int x = 0; x < whole.width; ++x)
             times.stopped[by_line::number_of_pe(true, whole.width, y, x)] =
                 static_cast<std::uint64_t>(1000 * y + x);
         std::size_t cleared = 0;
         fabric::OwnStrips now{.rows = own.rows};
         for (const bool rows_next : {false, true, false, true}) {
           if (++cleared <= fabric::words_of_programs(part))
             for_strips(part, now, [&](std::size_t strip) { clear(part, strip, cleared - 1); });
           exchange.exchange(rows_next, times);
           exchange.agree({});
           now = rows_next ? fabric::OwnStrips{.rows = own.rows}
                           : fabric::OwnStrips{.columns = own.columns};
           if (std::string found = difference(whole, part, now, c, cycles, cleared); !found.empty())
             return found;
           for (int y = 0; y < whole.height; ++y)
             for (int x = 0; x < whole.width; ++x)
               if (now.has(y / model::kStripHeight, x / model::kStripWidth) &&
                   times.stopped[by_line::number_of_pe(true, whole.width, y, x)] !=
                       static_cast<std::uint64_t>(1000 * y + x))
                 return fmt::format("the time of PE ({}, {})", x, y);
         }
         return std::string();
       }))
    EXPECT_EQ(told, "") << team.size << " processes\n" << print(c);
}

TEST(StripExchange, MovesAllOfAStripAndNothingElse) {
  const auto cases = by_effort<std::uint64_t>(4, 12, 40);
  std::uint64_t tall = 0;
  for (std::uint64_t seed = seed_from(37'000'000); tall < cases && !HasFailure(); ++seed) {
    const Case c = valid_straight_case(seed);
    if (c.height <= model::kStripHeight) continue;
    ++tall;
    Team team{.size = 2 + static_cast<int>(seed % 3), .delays = seed};
    team.size = std::min(team.size, model::strips_down(c.height));
    for (const std::uint64_t cycles : {std::uint64_t{0}, 40 + seed % 50})
      expect_back_and_forth(c, cycles, team);
  }
}

/// Takes its time before it receives.
class Slow : public Failing {
 public:
  explicit Slow(std::shared_ptr<Processes> all) : Failing(std::move(all), {}) {}
  void receive(int from, std::vector<std::byte>& message) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Failing::receive(from, message);
  }
};

/// Strips go over and come back, of a mesh with two strips of columns for four processes. Returns
/// how that fails.
std::string moved_by(Processes& processes, int threads) try {
  const Layout layout(2 * model::kStripWidth, 16 * model::kStripHeight);
  State part =
      fabric::build(layout, {}, {}, fabric::strips_by_line(processes, processes.rank(), 16, 2));
  fabric::StripExchange exchange(part, processes);
  exchange.set_threads(threads);
  by_line::PeTimes times = by_line::PeTimes::at(part.view(), 0);
  for (const bool rows_next : {false, true}) {
    exchange.exchange(rows_next, times);
    exchange.agree({});
  }
  return "";
} catch (const std::exception& error) {
  return error.what();
}

TEST(StripExchange, AProcessThatReceivesNothingSendsNoMoreThanIsTaken) {
  for (const int threads : {1, 3}) {
    Team team{.size = 4};
    for (const std::string& told : team.run([&](const std::shared_ptr<Processes>& processes) {
           Slow slow(processes);
           return moved_by(slow, threads);
         }))
      EXPECT_EQ(told, "");
    EXPECT_LE(team.traffic.most_waiting, static_cast<std::uint64_t>(threads) + 1);
  }
}

TEST(StripExchange, AFailureIsToldAndLeavesNoMessage) {
  Team team{.size = 4};
  for (int rank = 0; rank < team.size; ++rank) {
    std::uint64_t calls = 0;
    team.run([&](const std::shared_ptr<Processes>& processes) {
      Failing counted(processes, {});
      std::string told = moved_by(counted, 1);
      if (processes->rank() == rank) calls = counted.calls();
      return told;
    });
    ASSERT_GE(calls, 16U);
    for (std::uint64_t call = 1; call <= calls; ++call)
      for (const std::string& told : team.run([&](const std::shared_ptr<Processes>& processes) {
             Failing failing(processes,
                             processes->rank() == rank ? Failure{.call = call} : Failure{});
             const std::string first = moved_by(failing, 1);
             return first + "; " + moved_by(*processes, 2);
           }))
        EXPECT_EQ(told,
                  fmt::format("process {} of 4 failed in a run (the wire is cut); mend that, and "
                              "start all again; ",
                              rank))
            << "in call " << call << " of " << calls;
  }
}

}  // namespace
}  // namespace weft::test::strip_exchange_test
