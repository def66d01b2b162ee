// Lanes of a microthread's form share their work (src/model/core/work.hpp): each has the work with
// which it came, less the elements that it has done, in whatever order lanes come, go on and end.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>

#include "model/core/work.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::test::formed_work_test {
namespace {

using model::kLanes;
using model::Microthread;
using model::Operand;
using model::Work;

constexpr std::uint32_t kStep = 4;

/// Receives `left` words to an address.
Work receiving(std::uint32_t address, std::uint32_t left, std::uint32_t step = kStep) {
  return {.where = {Operand::memory, Operand::pack(Operand::fabric_in, 3), Operand::absent},
          .at = {address, 0, 0},
          .step = {step, 0, 0},
          .pc = 7,
          .left = left};
}

/// A microthread beside what its lanes' works should be.
class Lanes {
 public:
  void come(int lane, const Work& w) {
    model::keep_work(*t_, lane, w);
    share_work(*t_, model::lane_bit(lane), w);
    works_[static_cast<std::size_t>(lane)] = w;
  }
  void go_on(int lane) {
    Work& w = works_[static_cast<std::size_t>(lane)];
    keep_progress(*t_, lane, w);
    w.at[0] += w.step[0];
    if (--w.left == 0) t_->formed &= ~model::lane_bit(lane);
  }
  bool has(int lane) const { return model::has(t_->formed, lane); }
  const Microthread& microthread() const { return *t_; }

  void expect_works() const {
    for (int lane = 0; lane < kLanes; ++lane)
      if (has(lane)) {
        EXPECT_TRUE(work_in(*t_, lane) == works_[static_cast<std::size_t>(lane)]) << lane;
      }
  }

 private:
  std::unique_ptr<Microthread> t_ = std::make_unique<Microthread>();
  std::array<Work, kLanes> works_{};
};

TEST(FormedWork, IsThatWithWhichEachLaneCame) {
  constexpr int kSteps = 20'000;
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Lanes lanes;
  for (int step = 0; step < kSteps; ++step) {
    const int lane = static_cast<int>(below(step < kSteps / 2 ? kLanes : 6));
    if (lanes.has(lane))
      lanes.go_on(lane);
    else
      lanes.come(lane, receiving(64 + 64 * below(2), below(8) == 0 ? 0xffff : 1 + below(4),
                                 below(16) == 0 ? 2 * kStep : kStep));
    if (step % 16 == 0) lanes.expect_works();
    if (testing::Test::HasFailure()) break;
  }
}

TEST(FormedWork, BeginsOrEndsWithThatOfTheFirstLaneAtTheSameWords) {
  Lanes lanes;
  lanes.come(4, receiving(64, 10));
  lanes.come(0, receiving(64, 1000));           // begins there
  lanes.come(1, receiving(64 + 8 * kStep, 2));  // ends there
  lanes.come(63, receiving(64, 5));
  EXPECT_TRUE(lanes.microthread().same_words);
  EXPECT_FALSE(lanes.microthread().same_ends);
  lanes.come(2, receiving(128, 10));
  EXPECT_FALSE(lanes.microthread().same_words);
  lanes.expect_works();
}

}  // namespace
}  // namespace weft::test::formed_work_test
