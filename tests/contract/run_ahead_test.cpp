// Cores that come to the same instruction one after the other are executed together. Nobody can
// tell: neither by the cycles, nor by what memory holds whenever the fabric stops.
#include <gtest/gtest.h>

#include "support/expect_fault.hpp"
#include "support/mesh.hpp"

namespace weft::test::run_ahead_test {
namespace {

constexpr int kColor = 5, kPes = 72;  // more than a strip
constexpr Reg r1{1}, r2{2}, r3{3}, kZero{15};
constexpr std::uint32_t kArray = 0, kBegun = 64, kDone = 68;
constexpr std::uint32_t kWords = 20;  // of memory that are compared

/// A wavelet passes a row of PEs. Each starts to compute when it comes by: a loop over an array,
/// all of it foreseen, then `last`.
Layout passing_by(const std::function<void(ProgramBuilder&)>& last) {
  ProgramBuilder b("passing by");
  b.reserve("array", 64);
  b.reserve("stamps", 16);
  b.data_task(kColor);
  b.tsc(r1);
  b.sw(r1, kZero, kBegun);
  b.dbase(Dsr{1}, kArray);
  b.dstride(Dsr{1}, 1);
  b.dlen(Dsr{1}, 16);
  b.li(r2, 5);
  b.li(r3, 3);
  const Label again = b.label();
  b.place(again);
  b.vmov32r(Dsr{1}, r1);
  b.vadd32(Dsr{1}, Dsr{1}, Dsr{1});
  b.addi(r1, r1, 1);
  b.addi(r2, r2, -1);
  b.bne(r2, kZero, again);
  last(b);
  b.tsc(r1);
  b.sw(r1, kZero, kDone);
  b.end();
  const Program computes = b.build();

  ProgramBuilder first("first");
  const MemorySpan word = first.reserve("word", 4);
  first.start(first.local_task(0));
  first.dbase(Dsr{1}, static_cast<std::int32_t>(word.address));
  first.dlen(Dsr{1}, 1);
  first.dfabout(Dsr{2}, 2, kColor);
  first.vmov32(Dsr{2}, Dsr{1});
  first.end();

  Layout layout(kPes, 1);
  layout.place({0, 0, 1, 1}, first.build());
  layout.place({1, 0, kPes - 1, 1}, computes);
  Route route;
  route.rx = Port::ramp;
  route.tx = Port::east;
  layout.route({0, 0, 1, 1}, kColor, route);
  route.rx = Port::west;
  route.tx = {Port::east, Port::ramp};
  route.input_queue = 2;
  layout.route({1, 0, kPes - 2, 1}, kColor, route);
  route.tx = Port::ramp;
  layout.route({kPes - 1, 0, 1, 1}, kColor, route);
  return layout;
}

std::vector<std::uint32_t> memory(const Fabric& fabric) {
  std::vector<std::uint32_t> words(kWords * kPes);
  fabric.read({0, 0, kPes, 1}, 0, words);
  return words;
}

TEST(RunAhead, EachCoreKeepsItsOwnTime) {
  Fabric fabric(passing_by([](ProgramBuilder&) {}), test_machine(), test_options());
  fabric.run_until_idle(100000);
  const std::vector<std::uint32_t> words = memory(fabric);
  const auto word = [&](int x, std::uint32_t address) {
    return words[static_cast<std::size_t>(x) * kWords + address / 4];
  };
  for (int x = 2; x < kPes; ++x) {
    EXPECT_EQ(word(x, kBegun), word(x - 1, kBegun) + 1) << x;
    EXPECT_EQ(word(x, kDone) - word(x, kBegun), word(1, kDone) - word(1, kBegun)) << x;
  }
}

TEST(RunAhead, MemoryIsWhatItIsAtEachCycle) {
  const Layout layout = passing_by([](ProgramBuilder&) {});
  Fabric step_by_step(layout, test_machine());
  for (std::uint64_t cycle = 1; cycle < 220; ++cycle) {
    step_by_step.run(1);
    if (cycle % 7 != 0) continue;
    Fabric at_once(layout, test_machine());
    at_once.run(cycle);
    ASSERT_EQ(memory(at_once), memory(step_by_step)) << "after " << cycle << " cycles";
  }
}

TEST(RunAhead, MemoryThatAMicrothreadReadsIsWrittenInItsCycle) {
  Mesh mesh(2);
  mesh.line(kColor, 4);
  MemorySpan array;
  mesh.pe(0).run([&](ProgramBuilder& b) {
    array = b.reserve("array", 80);
    b.dbase(Dsr{1}, static_cast<std::int32_t>(array.address));
    b.dstride(Dsr{1}, 1);
    b.dlen(Dsr{1}, 20);
    b.dfabout(Dsr{2}, 3, kColor);
    b.li(r1, 99);
    VectorOptions options;
    options.async = true;
    b.vmov32(Dsr{2}, Dsr{1}, options);
    b.block({TaskKind::local, 9});  // a place from which cores may wait for others
    b.sw(r1, kZero, static_cast<std::int32_t>(array.address) + 4 * 2);
    b.sw(r1, kZero, static_cast<std::int32_t>(array.address) + 4 * 6);
  });
  mesh.pe(1).receive(4, 20);
  mesh.start().write({0, 0, 1, 1}, array.address, counting(20));
  mesh.run();
  // Element k is sent 4 + k cycles after the instruction (microthread_start_cycles is 4), and of a
  // cycle before the core's store. The stores come 6 and 9 cycles after it (scalar_cycles is 3).
  std::vector<std::uint32_t> expected = counting(20);
  expected[6] = 99;
  EXPECT_EQ(mesh.received(1, 0, 4), expected);
}

TEST(RunAhead, TheFirstFaultIsStillTheFirst) {
  // Every core faults after its computation; the last is told of no sooner than the first.
  const auto fault = [](ProgramBuilder& b) {
    b.li(r3, 1);
    b.sw(r1, r3);
  };
  Fabric fabric(passing_by(fault), test_machine(), test_options());
  Fabric step_by_step(passing_by(fault), test_machine());
  const auto fault_of = [](const std::function<void()>& run) {
    try {
      run();
    } catch (const FaultError& error) {
      return error.fault();
    }
    ADD_FAILURE() << "no fault";
    return Fault{};
  };
  const Fault one = fault_of([&] { fabric.run_until_idle(100000); });
  const Fault other = fault_of([&] {
    for (int cycle = 0; cycle < 1000; ++cycle) step_by_step.run(1);
  });
  EXPECT_EQ(one.x, 1);
  EXPECT_EQ(one.x, other.x);
  EXPECT_EQ(one.cycle, other.cycle);
  EXPECT_EQ(one.kind, FaultKind::memory_misaligned);
}

}  // namespace
}  // namespace weft::test::run_ahead_test
