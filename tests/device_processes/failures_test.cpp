// A process that fails in a run ends it in all processes and on all devices: none waits for ever,
// and all tell the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_on_host/cuda.hpp"
#include "device_processes/shared_devices.hpp"
#include "differential/dice.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/streams.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::test::failures_test {
namespace {

using Shared = std::shared_ptr<Processes>;

const FabricOptions kOnDevices{.engine = Engine::cuda};

TEST_F(SharedDevices, EndTheRunOfAllWhereAProcessFails) {
  const std::string right = said_of_streams({}, kOnDevices);
  ASSERT_NE(right.find("40 40 40 40"), std::string::npos) << right;
  Dice dice(mixed(seed_from(43'000'000)));
  for (int n = by_effort(3, 8, 24); n > 0; --n) {
    Team team{.size = dice.roll(2, 4), .delays = static_cast<std::uint64_t>(dice.roll(0, 9))};
    const int rank = dice.roll(0, team.size - 1);
    const auto calls = static_cast<int>(calls_of(team, kOnDevices, rank));
    ASSERT_GT(calls, 40);
    const Failure failure{.call = static_cast<std::uint64_t>(dice.roll(1, calls)),
                          .no_memory = dice.chance(30)};
    const std::string expected = expected_of_failure(team, rank, failure, right);
    for (const std::string& text : told_of_failure(team, kOnDevices, rank, failure))
      ASSERT_EQ(text, expected) << "process " << rank << " of " << team.size << " in call "
                                << failure.call << " of " << calls;
  }
}

// Before a launch, in it, and as it has ended.
TEST_F(SharedDevices, EndTheRunOfAllWhereOneFails) {
  for (const char* const function :
       {"cudaGetDevice", "cudaMemsetAsync", "cudaLaunchCooperativeKernel", "cudaStreamQuery",
        "cudaEventElapsedTime"}) {
    for (const std::string& text : Team{.size = 3}.run([&](const Shared& processes) {
           run_streams(processes, kOnDevices, [&] {
             if (processes->rank() != 1) return;
             cudaSetDevice(1);
             cuda_on_host::fail_next(function, cudaErrorLaunchFailure);
           });
           return std::string("it has an end");
         })) {
      EXPECT_NE(text.find("process 1 of 3 failed in a run"), std::string::npos)
          << function << ": " << text;
      EXPECT_NE(text.find("unspecified launch failure"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace weft::test::failures_test
