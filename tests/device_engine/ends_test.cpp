// How runs end, and what is reported on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
#include "support/mesh.hpp"
#include "support/same_state.hpp"

namespace weft::test::ends_test {
namespace {

constexpr std::uint64_t kLimit = 100000;

Machine small_machine() {
  Machine machine;
  machine.pe_memory_bytes = 1024;
  return machine;
}

/// One program in some places of a mesh.
std::function<fabric::State()> placed(int width, int height, std::vector<Rect> where,
                                      const std::function<void(ProgramBuilder&)>& code) {
  ProgramBuilder b("program");
  b.reserve("words", 8);
  b.start(b.local_task(0));
  code(b);
  b.end();
  Layout layout(width, height);
  const Program program = b.build();
  for (const Rect& rect : where) layout.place(rect, program);
  return [layout] { return fabric::build(layout, small_machine()); };
}

void write_out_of_line(ProgramBuilder& b) {
  b.addi(Reg{1}, Reg{1}, 1);
  b.sw(Reg{0}, Reg{0}, 2);
}

void start_again(ProgramBuilder& b) { b.activate({TaskKind::local, 0}); }

std::vector<Fault> faults(const fabric::State& state) {
  std::vector<Fault> found;
  for (const Fault& fault : state.faults)
    if (fault.kind != FaultKind::none) found.push_back(fault);
  return found;
}

class EndsOnADevice : public DeviceEngineTest {
 protected:
  void SetUp() override {
    DeviceEngineTest::SetUp();
    cuda_on_host::control().order = cuda_on_host::Order::reverse;
  }
};

TEST_F(EndsOnADevice, AFaultIsTheSame) {
  Twins twins(placed(80, 5, {{67, 4, 1, 1}}, write_out_of_line));
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::fault);
  const std::vector<Fault> found = faults(twins.on_device);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FaultKind::memory_misaligned);
  EXPECT_EQ(found[0].x, 67);
  EXPECT_EQ(found[0].y, 4);
}

TEST_F(EndsOnADevice, AFabricNamesItsFaultAgain) {
  ProgramBuilder b("program");
  b.start(b.local_task(0));
  write_out_of_line(b);
  b.end();
  Layout layout(2, 5);
  layout.place({1, 4, 1, 1}, b.build());
  FabricOptions options;
  options.engine = Engine::cuda;
  Fabric fabric(layout, small_machine(), options);
  std::vector<std::string> said;
  for (int i = 0; i < 2; ++i) {
    try {
      fabric.run_until_idle(kLimit);
    } catch (const FaultError& error) {
      said.emplace_back(error.what());
    }
  }
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], said[1]);
}

TEST_F(EndsOnADevice, TwoFaultsOfOneCycleInTwoTiles) {
  cuda_on_host::control().multiprocessors = 3;  // two rows of strips are two tiles
  Twins twins(placed(80, 5, {{67, 4, 1, 1}, {71, 2, 1, 1}}, write_out_of_line));
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::fault);
  const std::vector<Fault> found = faults(twins.on_device);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].cycle, found[1].cycle);
}

TEST_F(EndsOnADevice, ALaterFaultDoesNotKeepItFromTheFirst) {
  cuda_on_host::control().multiprocessors = 3;
  const auto build = [] {
    Layout layout(1, 5);
    for (const int y : {1, 4}) {
      ProgramBuilder b("program");
      b.start(b.local_task(0));
      for (int i = 0; i < 12 * y; ++i) b.addi(Reg{1}, Reg{1}, 1);
      b.sw(Reg{0}, Reg{0}, 2);
      b.end();
      layout.place({0, y, 1, 1}, b.build());
    }
    return fabric::build(layout, small_machine());
  };
  Twins twins(build);
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::fault);
  twins.run(kLimit);  // tiles had gone past it, and meet again
}

TEST_F(EndsOnADevice, TheLimit) {
  Twins twins(placed(35, 9, {{0, 0, 35, 9}}, start_again));
  for (const std::uint64_t limit : {1, 2, 31, 32, 33, 64, 97, 200}) {
    const engine::RunResult result = twins.run(limit, 1);
    EXPECT_EQ(result.stop, engine::Stop::limit);
    EXPECT_EQ(result.cycle, limit);
  }
}

TEST_F(EndsOnADevice, TheLimitAfterManyBlocksOfOneLaunch) {
  Twins twins(placed(1, 9, {{0, 0, 1, 9}}, start_again));
  EXPECT_EQ(twins.run(32 * 9, 100).stop, engine::Stop::limit);
  EXPECT_EQ(cuda_on_host::counters().launches, 2);  // one looks at memory
}

TEST_F(EndsOnADevice, NothingToDoTakesNoLaunch) {
  Twins twins(placed(3, 3, {}, start_again));
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  const int launches = cuda_on_host::counters().launches;
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  EXPECT_EQ(twins.run(twins.cycle).stop, engine::Stop::limit);
  EXPECT_EQ(cuda_on_host::counters().launches, launches);
}

TEST_F(EndsOnADevice, ARunMayBeCutAnywhere) {
  const Broadcast broadcast{5, 2, 3, Heading::south};
  const auto build = [&] { return fabric::build(broadcast.layout(), small_machine()); };
  Twins pieces(build);
  engine::Stop stop = engine::Stop::limit;
  while (stop == engine::Stop::limit && !HasFailure()) stop = pieces.run(pieces.cycle + 1).stop;
  Twins whole(build);
  EXPECT_EQ(whole.run(kLimit).stop, stop);
  EXPECT_EQ(pieces.cycle, whole.cycle);
  // When an instruction could have been executed at the latest depends on when it was.
  const model::View a = pieces.on_device.view(), b = whole.on_device.view();
  for (std::size_t i = 0; i < a.strip_count(); ++i) {
    std::ranges::copy(b.core[i].deadline, a.core[i].deadline);
    a.core[i].next_issue = b.core[i].next_issue;
  }
  EXPECT_EQ(difference(pieces.on_device, whole.on_device), "");
}

TEST_F(EndsOnADevice, ProgressIsToldBetweenLaunches) {
  Twins twins(placed(2, 5, {{0, 0, 2, 5}}, start_again));
  std::vector<std::uint64_t> reached;
  twins.run(300, 2, [&](std::uint64_t cycle) { reached.push_back(cycle); });
  EXPECT_EQ(cuda_on_host::counters().launches, static_cast<int>(reached.size()) + 2);
  ASSERT_GE(reached.size(), 2U);
  for (std::size_t i = 0; i < reached.size(); ++i) EXPECT_GE(reached[i], 2 * 32 * (i + 1));
  EXPECT_LT(reached.back(), 300U);
}

std::span<const std::uint32_t> memory_of(const fabric::State& state) {
  return {state.memory.data(), state.memory.size()};
}

/// Counts up in a word that nobody has written before.
void count_in_memory(ProgramBuilder& b) {
  b.lw(Reg{2}, Reg{0}, 512);
  b.addi(Reg{2}, Reg{2}, 1);
  b.sw(Reg{2}, Reg{0}, 512);
  b.activate({TaskKind::local, 0});
}

void enough(std::uint64_t) { throw std::runtime_error("enough"); }

TEST_F(EndsOnADevice, AnExceptionOfTheProgressFunctionEndsTheRunLikeALimit) {
  const auto build = placed(2, 5, {{0, 0, 2, 5}}, count_in_memory);
  for (const std::uint64_t last : {1, 2, 3}) {
    Twins stopped(build), limited(build);
    std::uint64_t reached = 0, calls = 0;
    const engine::RunResult end = stopped.run_device(kLimit, 2, [&](std::uint64_t cycle) {
      reached = cycle;
      if (++calls == last) enough(cycle);
    });
    EXPECT_THROW(std::rethrow_exception(end.thrown), std::runtime_error);
    EXPECT_EQ(calls, last);
    EXPECT_EQ(end.stop, engine::Stop::limit);
    EXPECT_GT(end.cycle, reached);
    EXPECT_TRUE(stopped.host_whole());
    limited.run(end.cycle);
    EXPECT_TRUE(std::ranges::equal(memory_of(stopped.on_device), memory_of(limited.on_device)));
    EXPECT_EQ(stopped.device_totals(), limited.device_totals());
    stopped.cycle = end.cycle;
    stopped.run_device(end.cycle + 77, 0);
    limited.run(end.cycle + 77);
    EXPECT_TRUE(std::ranges::equal(memory_of(stopped.on_device), memory_of(limited.on_device)));
  }
}

TEST_F(EndsOnADevice, ARunAfterAnInterruptedOneWaitsForNeighboursAgain) {
  cuda_on_host::control().multiprocessors = 12;
  for (const Heading heading : {Heading::south, Heading::north}) {
    const Broadcast broadcast{sanitized() ? 7 : 24, 1, 4, heading};
    const auto build = [&] { return fabric::build(broadcast.layout(), small_machine()); };
    Twins stopped(build), whole(build);
    stopped.cycle = stopped.run_device(kLimit, 1, enough).cycle;
    const engine::RunResult end = stopped.run_device(kLimit, 0);
    EXPECT_EQ(end.stop, engine::Stop::quiet);
    EXPECT_EQ(end.cycle, whole.run(kLimit).cycle);
    EXPECT_TRUE(std::ranges::equal(memory_of(stopped.on_device), memory_of(whole.on_device)));
    EXPECT_EQ(stopped.device_totals(), whole.device_totals());
  }
}

// The device is lost while a run that was interrupted goes on to where no core is ahead.
TEST_F(EndsOnADevice, AFailureAfterAnExceptionLeavesNoWholeFabric) {
  Twins twins(placed(2, 5, {{0, 0, 2, 5}}, count_in_memory));
  const auto fail_and_throw = [](std::uint64_t cycle) {
    cuda_on_host::fail_next("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure, 1);
    enough(cycle);
  };
  EXPECT_THROW(twins.run_device(kLimit, 1, fail_and_throw), Error);
  EXPECT_FALSE(twins.host_whole());
}

TEST_F(EndsOnADevice, WordsThatBecomeZeroAreCopiedBack) {
  const auto build =
      placed(2, 5, {{0, 0, 2, 5}}, [](ProgramBuilder& b) { b.sw(Reg{0}, Reg{0}, 512); });
  Twins twins([&] {
    fabric::State state = build();
    state.memory[128 * model::kLanes] = 7;
    state.touched_words = 129;
    return state;
  });
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  EXPECT_EQ(twins.on_device.memory[128 * model::kLanes], 0U);
}

}  // namespace
}  // namespace weft::test::ends_test
