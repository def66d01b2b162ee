// The faults of the kernels of wrong_kernels.cu are seen, and said.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "cuda_on_host/device_test.hpp"

namespace weft::test::faults_test {
namespace {

using cuda_on_host::Order;

class Faults : public DeviceTest {
 protected:
  void expect_misuse(const std::function<void()>& action, const std::vector<std::string>& parts) {
    try {
      action();
    } catch (const cuda_on_host::Misuse& misuse) {
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(misuse.what()).find(part), std::string::npos)
            << "'" << part << "' not in: " << misuse.what();
      }
      return;
    }
    ADD_FAILURE() << "no misuse was reported";
  }

  cuda::DeviceBuffer<std::uint32_t> out_ = array_of(std::vector<std::uint32_t>(4 * kThreads));
};

#if defined(__SANITIZE_THREAD__)
TEST_F(Faults, RacesAreReportedAtTheirLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr int kExitCodeOfThreadSanitizer = 66;
  EXPECT_EXIT(
      {
        run(turn_round_without_barrier, 1, out_.data());
        std::exit(0);
      },
      testing::ExitedWithCode(kExitCodeOfThreadSanitizer),
      "data race .*wrong_kernels.cu:1[01] in .*turn_round_without_barrier");
  const auto words = array_of(std::vector<std::uint64_t>(2));
  const auto flags = array_of(std::vector<std::uint64_t>(1));
  EXPECT_EXIT(
      {
        run(pass_along_without_release, 2, words.data(), flags.data());
        std::exit(0);
      },
      testing::ExitedWithCode(kExitCodeOfThreadSanitizer),
      "data race .*wrong_kernels.cu:(17|21) in .*pass_along_without_release");
}
#else
TEST_F(Faults, AMissingBarrierShowsInOtherOrders) {
  const auto result_in = [&](Order order) {
    cuda_on_host::control().order = order;
    run(turn_round_without_barrier, 1, out_.data());
    return values_of(out_);
  };
  const std::vector<std::uint32_t> sequential = result_in(Order::sequential);
  for (std::uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(sequential[i], i / 2);  // hidden
  EXPECT_NE(result_in(Order::reverse), sequential);
  EXPECT_NE(result_in(Order::random), sequential);
}
#endif

TEST_F(Faults, ThreadsAtDifferentBarriers) {
  expect_misuse([&] { run(wait_at_different_barriers, 1, out_.data()); },
                {"block 0: threads wait at different barriers", "thread 0-39: waiting at __sync",
                 "wrong_kernels.cu:28", "thread 40-63", "wrong_kernels.cu:31"});
}

TEST_F(Faults, AThreadThatLeaves) {
  expect_misuse([&] { run(leave_before_barrier, 1, out_.data()); },
                {"a thread has left while others wait", "thread 0-2, 4-63: waiting at __syncthr",
                 "thread 3: left"});
}

TEST_F(Faults, ABlockThatLeaves) {
  expect_misuse([&] { run(leave_before_grid_barrier, 3); },
                {"a block has left while others wait", "block 0, 2: waiting at the grid barrier",
                 "block 1: left"});
}

TEST_F(Faults, ALaneThatNeverComes) {
  expect_misuse([&] { run(keep_a_lane_away, 1, out_.data()); },
                {"lanes of a warp operation never come",
                 "thread 32-38, 40-63: waiting in __ballot_sync for lanes 0xffffffff",
                 "thread 0-31, 39: waiting at __syncthreads"});
}

TEST_F(Faults, ACallerOutsideItsMask) {
  expect_misuse([&] { run(call_for_others, 1, out_.data()); },
                {"thread 5 is not in the mask that it names", "0x0000ff00", "wrong_kernels.cu:"});
}

TEST_F(Faults, AFlagThatNobodySets) {
  cuda_on_host::control().patience_s = 0.2;
  const auto flag = array_of(std::vector<std::uint64_t>(1));
  expect_misuse([&] { run(wait_for_nobody, 2, flag.data()); },
                {"no thread of the grid gets on",
                 "thread 0: spinning (wrong_kernels.cu:", "thread 1-63: waiting at __syncthreads"});
}

TEST_F(Faults, TheDeviceWorksOnAfterAFault) {
  expect_misuse([&] { run(leave_before_barrier, 4, out_.data()); }, {});
  run(turn_round, 1, out_.data());
  EXPECT_EQ(values_of(out_)[0], kThreads - 1u);
}

TEST_F(Faults, FreshMemoryIsPoisoned) {
  const cuda::DeviceBuffer<std::uint32_t> fresh(kThreads);
  for (int run_number = 0; run_number < 2; ++run_number) {
    run(read_what_nobody_wrote, 1, fresh.data(), out_.data());
    const std::vector<std::uint32_t> out = values_of(out_);
    EXPECT_EQ(std::count(out.begin(), out.end(), 0xa7a7a7a7U), 3 * kThreads);
  }
}

}  // namespace
}  // namespace weft::test::faults_test
