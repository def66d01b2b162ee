// Programs that a ProgramBuilder builds, and programs that it refuses.
#include <gtest/gtest.h>

#include <limits>

#include "support/expect_error.hpp"
#include "weft/program.hpp"

namespace weft::test::program_builder_test {
namespace {

constexpr Reg r0{0}, r1{1};
constexpr Dsr d0{0}, d1{1};

void expect_refused(const std::function<void(ProgramBuilder&)>& misuse,
                    const std::vector<std::string>& parts) {
  std::vector<std::string> all = parts;
  all.push_back("program sample");
  expect_error_with(
      ErrorCategory::program,
      [&] {
        ProgramBuilder b("sample");
        b.local_task(0);
        misuse(b);
        b.end();
        b.build();
      },
      all);
}

TEST(ProgramBuilder, ReservesWordAlignedMemory) {
  ProgramBuilder b("sample");
  const MemorySpan one = b.reserve("one", 5), two = b.reserve("two", 8);
  b.local_task(0);
  b.end();
  EXPECT_EQ(one.address, 0U);
  EXPECT_EQ(two.address, 8U);
  const Program program = b.build();
  EXPECT_EQ(program.symbols.at("two").address, 8U);
  EXPECT_EQ(program.symbols.at("one").bytes, 5U);
  EXPECT_EQ(program.memory_bytes, 16U + 8U) << "code counts too";
}

TEST(ProgramBuilder, RefusesMemoryThatNoPeHas) {
  expect_refused([](ProgramBuilder& b) { b.reserve("big", 1048577); }, {"big", "1048577"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.reserve("half", 600000);
        b.reserve("rest", 500000);
      },
      {"rest", "600000 bytes are taken"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.reserve("half", 30000);
        b.reserve("huge", std::numeric_limits<std::uint32_t>::max());
      },
      {"huge"});
}

TEST(ProgramBuilder, RefusesANameTwice) {
  expect_refused(
      [](ProgramBuilder& b) {
        b.reserve("same", 4);
        b.reserve("same", 4);
      },
      {"same", "twice"});
}

TEST(ProgramBuilder, JumpsGoToLabelsBeforeAndAfter) {
  ProgramBuilder b("sample");
  const Label back = b.label(), ahead = b.label();
  b.local_task(0);
  b.place(back);
  b.jump(ahead);
  b.beq(r0, r1, back);
  b.place(ahead);
  b.end();
  const Program program = b.build();
  EXPECT_EQ(program.code[0].imm, 2);
  EXPECT_EQ(program.code[1].imm, 0);
}

TEST(ProgramBuilder, RefusesLabelsThatLeadNowhere) {
  expect_refused([](ProgramBuilder& b) { b.jump(b.label()); }, {"jump", "label 0"});
  expect_refused([](ProgramBuilder& b) { b.beq(r0, r1, Label{7}); }, {"beq", "label 7"});
  expect_refused([](ProgramBuilder& b) { b.call(r0, Label{}); }, {"call"});
  expect_error(
      ErrorCategory::program,
      [] {
        ProgramBuilder b("sample");
        const Label end = b.label();
        b.local_task(0);
        b.jump(end);
        b.end();
        b.place(end);  // after the last instruction
        b.build();
      },
      "label 0");
}

TEST(ProgramBuilder, RefusesToPlaceALabelTwiceOrAnUnknownOne) {
  expect_refused(
      [](ProgramBuilder& b) {
        const Label label = b.label();
        b.place(label);
        b.place(label);
      },
      {"invalid label: 0", "once"});
  expect_refused([](ProgramBuilder& b) { b.place(Label{3}); }, {"invalid label: 3"});
}

TEST(ProgramBuilder, RefusesOperandsOutOfRange) {
  expect_refused([](ProgramBuilder& b) { b.add(Reg{16}, r0, r1); }, {"instruction 0", "add"});
  expect_refused([](ProgramBuilder& b) { b.add(r0, Reg{16}, r1); }, {"add"});
  expect_refused([](ProgramBuilder& b) { b.add(r0, r1, Reg{16}); }, {"add"});
  expect_refused([](ProgramBuilder& b) { b.dlen(Dsr{16}, 1); }, {"dlen"});
  expect_refused([](ProgramBuilder& b) { b.dfabin(d0, 8); }, {"dfabin", "input queues to 7"});
  expect_refused([](ProgramBuilder& b) { b.dfabin(d0, -1); }, {"dfabin"});
  expect_refused([](ProgramBuilder& b) { b.dfabout(d0, 6, 1); }, {"dfabout", "output queues to 5"});
  expect_refused([](ProgramBuilder& b) { b.dfabout(d0, 0, 24); }, {"dfabout", "colors to 23"});
  expect_refused([](ProgramBuilder& b) { b.fcount(24, r0); }, {"fcount"});
  expect_refused([](ProgramBuilder& b) { b.setpos(-1, r0); }, {"setpos"});
  expect_refused([](ProgramBuilder& b) { b.vmov32r(d0, Reg{16}); }, {"vmov32r"});
}

TEST(ProgramBuilder, RefusesTaskIdsThatDoNotExist) {
  expect_refused([](ProgramBuilder& b) { b.local_task(31); }, {"local task 31", "0 to 30"});
  expect_refused([](ProgramBuilder& b) { b.data_task(24); }, {"data task 24", "0 to 23"});
  expect_refused([](ProgramBuilder& b) { b.control_task(64); }, {"control task 64", "0 to 63"});
  expect_refused([](ProgramBuilder& b) { b.local_task(-1); }, {"local task -1"});
  expect_refused([](ProgramBuilder& b) { b.control_task(31); }, {"control task: 31", "no task"});
}

TEST(ProgramBuilder, RefusesATaskTwice) {
  expect_refused([](ProgramBuilder& b) { b.local_task(0); }, {"local task 0", "twice"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.data_task(3);
        b.data_task(3);
      },
      {"data task 3", "twice"});
}

TEST(ProgramBuilder, ActivatesLocalTasksOnly) {
  expect_refused(
      [](ProgramBuilder& b) {
        b.activate({TaskKind::data, 3});
      },
      {"activate", "local task"});
  expect_refused([](ProgramBuilder& b) { b.activate({TaskKind::control, 3}); }, {"activate"});
}

TEST(ProgramBuilder, RefusesInstructionsOnTasksThatCannotExist) {
  expect_refused([](ProgramBuilder& b) { b.activate({TaskKind::local, 31}); }, {"31"});
  expect_refused([](ProgramBuilder& b) { b.block({TaskKind::local, 40}); }, {"40"});
  expect_refused([](ProgramBuilder& b) { b.unblock({TaskKind::data, 24}); }, {"24"});
}

TEST(ProgramBuilder, RefusesEndsOfMicrothreadsThatCannotBe) {
  using AtEnd = VectorOptions::AtEnd;
  expect_refused(
      [](ProgramBuilder& b) {
        b.vmov32(d0, d1, {true, AtEnd::activate, TaskKind::local, 31});
      },
      {"31"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.vmov32(d0, d1, {true, AtEnd::activate, TaskKind::data, 3});
      },
      {"activate"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.vmov32(d0, d1, {true, AtEnd::unblock, TaskKind::local, 63});
      },
      {"63"});
  expect_refused(
      [](ProgramBuilder& b) {
        b.vmov32(d0, d1, {false, AtEnd::activate, TaskKind::local, 1});
      },
      {"async"});
}

TEST(ProgramBuilder, StartsLocalTasksOnly) {
  expect_refused([](ProgramBuilder& b) { b.start(b.data_task(3)); }, {"data"});
  expect_refused([](ProgramBuilder& b) { b.start_blocked(b.control_task(3)); }, {"control"});
  expect_refused([](ProgramBuilder& b) { b.start_unblocked(24); }, {"24"});
}

TEST(ProgramBuilder, RefusesCodeThatRunsOffItsEnd) {
  expect_error(
      ErrorCategory::program,
      [] {
        ProgramBuilder b("sample");
        b.local_task(0);
        b.li(r0, 1);
        b.build();
      },
      "runs off its end", "end()");
  expect_error(
      ErrorCategory::program, [] { ProgramBuilder("sample").build(); }, "runs off its end");
}

TEST(ProgramBuilder, RefusesATaskThatRunsIntoTheNext) {
  expect_refused(
      [](ProgramBuilder& b) {
        b.li(r0, 1);
        b.local_task(1);
      },
      {"task 0"});
}

TEST(VectorOptions, ComeBackFromAnInstruction) {
  for (const bool async : {false, true})
    for (const auto at_end : {VectorOptions::AtEnd::nothing, VectorOptions::AtEnd::activate,
                              VectorOptions::AtEnd::unblock})
      for (const TaskKind kind : {TaskKind::data, TaskKind::local, TaskKind::control})
        for (const int id : {0, 30, 63}) {
          const VectorOptions o = VectorOptions::unpack(
              VectorOptions{async, at_end, kind, static_cast<std::uint8_t>(id)}.pack());
          EXPECT_EQ(o.async, async);
          EXPECT_EQ(o.at_end, at_end);
          EXPECT_EQ(o.task_kind, kind);
          EXPECT_EQ(o.task_id, id);
        }
}

}  // namespace
}  // namespace weft::test::program_builder_test
