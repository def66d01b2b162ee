// How runs end, and what is reported on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"

namespace weft::test::ends_test {
namespace {

constexpr std::uint64_t kLimit = 100000;

Machine small_machine() {
  Machine machine;
  machine.pe_memory_bytes = 1024;
  return machine;
}

/// One program in some places of a mesh.
Beginning placed(int width, int height, std::vector<Rect> where,
                 const std::function<void(ProgramBuilder&)>& code) {
  ProgramBuilder b("program");
  b.reserve("words", 8);
  b.start(b.local_task(0));
  code(b);
  b.end();
  Layout layout(width, height);
  const Program program = b.build();
  for (const Rect& rect : where) layout.place(rect, program);
  return {layout, small_machine()};
}

void write_out_of_line(ProgramBuilder& b) {
  b.addi(Reg{1}, Reg{1}, 1);
  b.sw(Reg{0}, Reg{0}, 2);
}

void start_again(ProgramBuilder& b) { b.activate({TaskKind::local, 0}); }

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
  const Fault found = twins.on_device->first_fault();
  EXPECT_EQ(found.kind, FaultKind::memory_misaligned);
  EXPECT_EQ(found.x, 67);
  EXPECT_EQ(found.y, 4);
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

TEST_F(EndsOnADevice, OfTwoFaultsInOneCycleTheOneInTheFirstRowCounts) {
  cuda_on_host::control().multiprocessors = 4;  // two tiles or more
  Twins twins(placed(80, 5, {{67, 4, 1, 1}, {11, 2, 1, 1}}, write_out_of_line));
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::fault);
  EXPECT_EQ(twins.on_device->first_fault().x, 11);
}

/// Instructions before a fault: it is in the first cycles of a block of cycles, or in the last.
TEST_F(EndsOnADevice, AFaultInAnyCycleOfABlock) {
  for (int before = first_of(7); before < 34; before += one_of(7)) {
    Twins twins(placed(9, 1, {{8, 0, 1, 1}}, [&](ProgramBuilder& b) {
      for (int i = 0; i < before; ++i) b.addi(Reg{1}, Reg{1}, 1);
      b.sw(Reg{0}, Reg{0}, 2);
    }));
    EXPECT_EQ(twins.run(kLimit, 1).stop, engine::Stop::fault) << before;
  }
}

/// A word that is sent after so many instructions, and nobody takes.
TEST_F(EndsOnADevice, ADeadlockInAnyCycleOfABlock) {
  for (int before = first_of(7); before < 34; before += one_of(7)) {
    Beginning stuck = placed(2, 1, {{0, 0, 1, 1}}, [&](ProgramBuilder& b) {
      for (int i = 0; i < before; ++i) b.addi(Reg{1}, Reg{1}, 1);
      b.dbase(Dsr{0}, 0);
      b.dlen(Dsr{0}, 8);
      b.dfabout(Dsr{1}, 0, 5);
      b.vmov32(Dsr{1}, Dsr{0});
    });
    stuck.layout.route({0, 0, 1, 1}, 5, {.rx = Port::ramp, .tx = Port::east});
    Twins twins(stuck);
    EXPECT_EQ(twins.run(kLimit, 1).stop, engine::Stop::quiet) << before;
    EXPECT_TRUE(twins.on_device->anything_left());
  }
}

TEST_F(EndsOnADevice, ALaterFaultDoesNotKeepItFromTheFirst) {
  cuda_on_host::control().multiprocessors = 3;
  Layout layout(1, 200);
  for (const int y : {1, 4, 199}) {
    ProgramBuilder b("program");
    b.start(b.local_task(0));
    for (int i = 0; i < 12 * y; ++i) b.addi(Reg{1}, Reg{1}, 1);
    b.sw(Reg{0}, Reg{0}, 2);
    b.end();
    layout.place({0, y, 1, 1}, b.build());
  }
  Twins twins({layout, Machine{}});
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::fault);
  EXPECT_EQ(twins.on_device->first_fault().y, 1);
  twins.run_device(kLimit, 0);  // tiles had gone past it, and meet again
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
  EXPECT_EQ(cuda_on_host::counters().launches, 1);
}

TEST_F(EndsOnADevice, WhatIsAtRestStaysSo) {
  Twins twins(placed(3, 3, {}, start_again));
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  const int launches = cuda_on_host::counters().launches;
  EXPECT_EQ(twins.run(twins.cycle()).stop, engine::Stop::limit);
  EXPECT_EQ(cuda_on_host::counters().launches, launches);
}

TEST_F(EndsOnADevice, AFabricWithoutPrograms) {
  Twins twins({Layout(3, 200), small_machine()});
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
}

TEST_F(EndsOnADevice, ARunMayBeCutAnywhere) {
  const Broadcast broadcast{5, 2, 3, Heading::south};
  const Beginning beginning{broadcast.layout(), small_machine()};
  Twins pieces(beginning);
  engine::Stop stop = engine::Stop::limit;
  while (stop == engine::Stop::limit && !HasFailure()) stop = pieces.run(pieces.cycle() + 1).stop;
  Twins whole(beginning);
  EXPECT_EQ(whole.run(kLimit).stop, stop);
  EXPECT_EQ(pieces.cycle(), whole.cycle());
  EXPECT_EQ(pieces.difference(*pieces.on_device, *whole.on_device), "");
}

TEST_F(EndsOnADevice, ProgressIsReportedBetweenLaunches) {
  Twins twins(placed(2, 5, {{0, 0, 2, 5}}, start_again));
  std::vector<std::uint64_t> reached;
  twins.run(300, 2, [&](std::uint64_t cycle) { reached.push_back(cycle); });
  EXPECT_EQ(cuda_on_host::counters().launches, static_cast<int>(reached.size()) + 1);
  ASSERT_GE(reached.size(), 2U);
  for (std::size_t i = 0; i < reached.size(); ++i) EXPECT_GE(reached[i], 2 * 32 * (i + 1));
  EXPECT_LT(reached.back(), 300U);
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
  const Beginning beginning = placed(2, 5, {{0, 0, 2, 5}}, count_in_memory);
  for (const std::uint64_t last : {1, 2, 3}) {
    Twins stopped(beginning), limited(beginning);
    std::uint64_t reached = 0, calls = 0;
    const engine::RunResult end = stopped.run_device(kLimit, 2, [&](std::uint64_t cycle) {
      reached = cycle;
      if (++calls == last) enough(cycle);
    });
    EXPECT_THROW(std::rethrow_exception(end.thrown), std::runtime_error);
    EXPECT_EQ(calls, last);
    EXPECT_EQ(end.stop, engine::Stop::limit);
    EXPECT_GT(end.cycle, reached);
    EXPECT_FALSE(stopped.device_is_lost());
    limited.run(end.cycle);
    EXPECT_EQ(limited.difference(*limited.on_host, *stopped.on_device), "");
    stopped.run_device(end.cycle + 77, 0);
    limited.run(end.cycle + 77);
    EXPECT_EQ(limited.difference(*limited.on_host, *stopped.on_device), "");
  }
}

// Launches are as long as the engine likes: each run begins with 8 blocks of 32 cycles.
TEST_F(EndsOnADevice, ARunMayBeInterruptedAfterItsFirstLaunch) {
  const Beginning beginning = placed(2, 5, {{0, 0, 2, 5}}, count_in_memory);
  Twins stopped(beginning), limited(beginning);
  std::uint64_t begin = 0;
  for (int run = 0; run < 3; ++run) {
    std::uint64_t reached = 0;
    const engine::RunResult end = stopped.run_device(kLimit, 0, [&](std::uint64_t cycle) {
      reached = cycle;
      enough(cycle);
    });
    EXPECT_TRUE(end.thrown);
    EXPECT_GE(reached, begin + 8 * 32);
    EXPECT_LT(reached, begin + 9 * 32);
    begin = end.cycle;
    limited.run(end.cycle);
    EXPECT_EQ(limited.difference(*limited.on_host, *stopped.on_device), "");
  }
}

TEST_F(EndsOnADevice, ARunAfterAnInterruptedOneWaitsForNeighboursAgain) {
  cuda_on_host::control().multiprocessors = 12;
  constexpr Heading kHeadings[] = {Heading::south, Heading::north};
  for (int i = first_of(2); i < 2; i += one_of(2)) {
    const Heading heading = kHeadings[i];
    const Broadcast broadcast{sanitized() ? 150 : 300, 1, 4, heading};
    const Beginning beginning{broadcast.layout(), small_machine()};
    Twins stopped(beginning), whole(beginning);
    EXPECT_TRUE(stopped.run_device(kLimit, 1, enough).thrown);
    const engine::RunResult end = stopped.run_device(kLimit, 0);
    EXPECT_EQ(end.stop, engine::Stop::quiet);
    EXPECT_EQ(end.cycle, whole.run(kLimit).cycle);
    EXPECT_EQ(whole.difference(*whole.on_host, *stopped.on_device), "");
  }
}

// The device is lost while a run that was interrupted goes on to where no core is ahead.
TEST_F(EndsOnADevice, AFailureAfterAnExceptionLeavesNoWholeFabric) {
  Twins twins(placed(2, 5, {{0, 0, 2, 5}}, count_in_memory));
  const auto fail_and_throw = [](std::uint64_t cycle) {
    cuda_on_host::fail_next("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure);
    enough(cycle);
  };
  EXPECT_THROW(twins.run_device(kLimit, 1, fail_and_throw), Error);
  EXPECT_TRUE(twins.device_is_lost());
}

TEST_F(EndsOnADevice, WordsThatBecomeZeroAreCopiedBack) {
  Beginning beginning =
      placed(2, 5, {{0, 0, 2, 5}}, [](ProgramBuilder& b) { b.sw(Reg{0}, Reg{0}, 512); });
  beginning.write = [](fabric::Stepper& fabric) {
    fabric.write({0, 0, 1, 1}, 128, std::vector<std::uint32_t>{7});
  };
  Twins twins(beginning);
  EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
  std::vector<std::uint32_t> word(1, 1);
  twins.on_device->read({0, 0, 1, 1}, 128, word);
  EXPECT_EQ(word[0], 0U);
}

}  // namespace
}  // namespace weft::test::ends_test
