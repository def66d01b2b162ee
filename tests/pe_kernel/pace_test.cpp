// How long launches become: as long as the host may wait for progress, or for Ctrl-C.
#include "cuda/pe/pace.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace weft::test::pace_test {
namespace {

using namespace std::chrono_literals;
using pe_kernel::Pace;
using Time = std::chrono::steady_clock::duration;

constexpr int kFirst = 8, kMost = 1 << 16;  // blocks of cycles

/// Of launches on a device that takes so long for each block of cycles, after so many.
Time launch_after(Pace& pace, Time block, int launches) {
  for (int n = 0; n < launches; ++n) pace.took(block * pace.blocks());
  return block * pace.blocks();
}

TEST(Pace, TheFirstLaunchIsShort) { EXPECT_EQ(Pace(0).blocks(), kFirst); }

TEST(Pace, LaunchesSoonTakeAboutATenthOfASecond) {
  for (Time block = 2us; block < 100ms; block = block * 3 / 2) {
    Pace pace(0);
    const Time launch = launch_after(pace, block, 20);
    EXPECT_GE(launch, 50ms) << block / 1us;
    EXPECT_LE(launch, 200ms) << block / 1us;
    EXPECT_EQ(launch_after(pace, block, 20), launch) << "then they stay as they are";
  }
}

TEST(Pace, FollowsADeviceThatBecomesSlowerOrQuicker) {
  Pace pace(0);
  for (const Time block : std::initializer_list<Time>{10us, 3ms, 50us, 90ms, 2us}) {
    const Time launch = launch_after(pace, block, 20);
    EXPECT_GE(launch, 50ms) << block / 1us;
    EXPECT_LE(launch, 200ms) << block / 1us;
  }
}

TEST(Pace, ALaunchHasOneBlockAtLeastAndABoundedNumberAtMost) {
  Pace slow(0), quick(0);
  launch_after(slow, 5s, 20);
  EXPECT_EQ(slow.blocks(), 1);
  launch_after(quick, 1ns, 40);
  EXPECT_EQ(quick.blocks(), kMost);
}

TEST(Pace, ANumberThatIsAskedForStays) {
  Pace pace(3);
  launch_after(pace, 5s, 10);
  launch_after(pace, 1ns, 10);
  EXPECT_EQ(pace.blocks(), 3);
}

}  // namespace
}  // namespace weft::test::pace_test
