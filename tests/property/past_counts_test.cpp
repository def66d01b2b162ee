// What was counted before is packed (src/by_line/past_counts.hpp): a profile cannot tell.
#include "by_line/past_counts.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "counting/windows.hpp"
#include "fabric/build/state.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/stepper/lane_profile.hpp"
#include "support/effort.hpp"

namespace weft::test::past_counts_test {
namespace {

constexpr int kWidth = 20, kHeight = 9, kWindows = 128;
constexpr std::uint32_t kBits = 4;  // of the cycles of a window

/// As a lane policy, of no step.
struct NoLanes {};

/// A fabric that counts, with numbers of its strips in all windows up to one.
struct Counted {
  Layout layout{kWidth, kHeight};
  fabric::State state;
  std::vector<ProgramCounts> programs;

  explicit Counted(std::uint64_t seed) : state(placed()) {
    programs = fabric::lines_of_programs(layout, state.programs.size());
    fabric::start_counting(state, layout, programs, {.counts = true, .windows = kWindows});
    std::mt19937_64 dice(seed);
    const model::View v = state.view();
    for (std::size_t row = 0; row < state.counts->lines.size(); ++row)
      for (std::uint32_t& cycles : v.counts->lines[row].at)
        cycles = static_cast<std::uint32_t>(dice() % 1000);
    for (int strip = 0; strip < static_cast<int>(v.strip_count()); ++strip) {
      v.counts->strip[strip].window_bits = kBits;
      for (int series = 0; series < model::kSeries; ++series) {
        const std::uint64_t first = dice() % kWindows;  // it begins late, or is silent
        if (dice() % 4 == 0) continue;
        for (std::uint64_t window = first; window < kWindows; ++window)
          counting::add_to_window(*v.counts, strip, series, window, static_cast<int>(dice() % 64),
                                  dice() % 10);
      }
    }
  }

  fabric::State placed() {
    ProgramBuilder b("idle");
    b.start(b.local_task(0));
    b.end();
    layout.place({0, 0, kWidth, kHeight}, b.build());
    return fabric::build(layout, {});
  }

  void pack(std::uint64_t known) {
    by_line::pack_lines_of_programs(state.view(), by_line::neighbours(true, 0, kHeight, 0, true));
    by_line::pack_past_windows(state.view(), std::vector<std::uint64_t>(kWidth * kHeight, known));
  }
  std::uint32_t packed() { return state.view().counts->strip[0].packed; }
  Profile profile(std::uint64_t cycle = std::uint64_t{kWindows} << kBits) {
    return fabric::profile_of(state, programs, cycle, 2);
  }
};

TEST(PastCounts, AreInTheProfileAsBefore) {
  const std::uint64_t seed = seed_from(1);
  const Profile before = Counted(seed).profile();
  for (const std::uint64_t known : {31U, 32U, 100U, 128U, 5000U}) {
    SCOPED_TRACE(known);
    Counted counted(seed);
    counted.pack(7 << kBits);
    EXPECT_EQ(counted.packed(), 4U);  // a multiple of 4
    counted.pack((known << kBits) + 1);
    EXPECT_EQ(counted.packed(), std::min<std::uint64_t>(known / 4 * 4, kWindows));
    EXPECT_EQ(counted.profile(), before);
    const Profile taken =
        fabric::take_profile(counted.state, counted.programs, std::uint64_t{kWindows} << kBits, 2);
    EXPECT_EQ(taken, before);
  }
}

TEST(PastCounts, ArePackedInTurn) {
  const std::uint64_t seed = seed_from(2);
  Counted counted(seed);
  for (const std::uint64_t known : {40U, 41U, 70U, 127U, 128U}) counted.pack(known << kBits);
  EXPECT_EQ(counted.packed(), static_cast<std::uint32_t>(kWindows));
  EXPECT_EQ(counted.profile(), Counted(seed).profile());
}

TEST(PastCounts, CanBeAddedTo) {
  const std::uint64_t seed = seed_from(3);
  Counted packed(seed), plain(seed);
  packed.pack(std::uint64_t{100} << kBits);
  for (Counted* const each : {&packed, &plain}) {
    model::Counts& counts = *each->state.view().counts;
    counts.lines[0].at[3] += 5000;
    for (const std::uint64_t window : {95U, 0U, 127U})
      counting::add_to_window(counts, 1, 2, window, 5, 7);
  }
  EXPECT_EQ(packed.profile(), plain.profile());
}

TEST(PastCounts, BecomeLonger) {
  const std::uint64_t seed = seed_from(4);
  Counted packed(seed), plain(seed);
  packed.pack(std::uint64_t{101} << kBits);
  const std::uint64_t later = std::uint64_t{5 * kWindows} << kBits;
  for (Counted* const each : {&packed, &plain})
    for (int strip = 0; strip < 2; ++strip)  // others are silent from now on
      counting::add_to_windows<NoLanes>(*each->state.view().counts, strip, 1, 9, later - 10, later);
  EXPECT_EQ(packed.profile(later), plain.profile(later));
}

}  // namespace
}  // namespace weft::test::past_counts_test
