// Faults of the machine: kind, cycle, PE, color, and a message that helps.
#include <gtest/gtest.h>

#include "support/expect_fault.hpp"

namespace weft::test::faults_test {
namespace {

constexpr int kColor = 5;
constexpr Reg r1{1}, r2{2}, kZero{15};
constexpr Dsr d0{0}, d1{1};

/// PE (1, 1) of 3 x 3 runs `code` from cycle 11 + 3 on (after the helper's first instruction).
Mesh middle(const std::function<void(ProgramBuilder&)>& code) {
  Mesh mesh(3, 3);
  mesh.pe(1, 1).run(code);
  return mesh;
}

constexpr std::uint64_t kFirst = 11 + 3;

TEST(Fault, MemoryOutOfRange) {
  Mesh store = middle([](ProgramBuilder& b) {
    b.li(r1, 49152);
    b.sw(r2, r1);
  });
  expect_fault(store, {FaultKind::memory_out_of_range, kFirst + 3, 1, 1, -1},
               {"49152", "cycle 17", "PE (1, 1)", "pe_memory_bytes"});
  Mesh load = middle([](ProgramBuilder& b) { b.lw(r2, kZero, -4); });
  expect_fault(load, {FaultKind::memory_out_of_range, kFirst, 1, 1, -1}, {"PE (1, 1)"});
  Mesh last = middle([](ProgramBuilder& b) { b.lw(r2, kZero, 49148); });
  EXPECT_NO_THROW(last.run());
}

TEST(Fault, VectorMemoryOutOfRange) {
  for (const int stride : {1, -1}) {
    Mesh mesh = middle([=](ProgramBuilder& b) {
      b.dbase(d0, stride > 0 ? 49152 - 8 : 4);
      b.dlen(d0, 3);
      b.dstride(d0, stride);
      b.vmov32r(d0, r1);
    });
    expect_fault(mesh, {FaultKind::memory_out_of_range, kFirst + 9, 1, 1, -1},
                 {"base, stride and length"});
  }
}

// Addresses have 32 bits: at a stride of 2^30 words all elements are the same word.
TEST(Fault, VectorAddressesWrapAround) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dbase(d0, 8);
    b.dlen(d0, 3);
    b.dstride(d0, 1 << 30);
    b.vmov32r(d0, r1);
  });
  EXPECT_NO_THROW(mesh.run());
}

TEST(Fault, VectorUpToTheLastWordIsFine) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dbase(d0, 49152 - 12);
    b.dlen(d0, 3);
    b.dstride(d0, 1);
    b.vmov32r(d0, r1);
    b.dbase(d0, 8);
    b.dstride(d0, -1);
    b.vmov32r(d0, r1);
  });
  EXPECT_NO_THROW(mesh.run());
}

TEST(Fault, MemoryMisaligned) {
  Mesh scalar = middle([](ProgramBuilder& b) { b.sw(r2, kZero, 6); });
  expect_fault(scalar, {FaultKind::memory_misaligned, kFirst, 1, 1, -1},
               {"address 6", "align words"});
  Mesh vector = middle([](ProgramBuilder& b) {
    b.dbase(d0, 10);
    b.dlen(d0, 1);
    b.vmov32r(d0, r1);
  });
  expect_fault(vector, {FaultKind::memory_misaligned, kFirst + 6, 1, 1, -1}, {"address 10"});
}

TEST(Fault, AMicrothreadPastTheMemory) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dbase(d0, 49152 - 4);
    b.dlen(d0, 2);
    b.dstride(d0, 1);
    b.dfabout(d1, 0, kColor);
    b.vmov32(d1, d0);
  });
  expect_fault(mesh, {FaultKind::memory_out_of_range, kFirst + 12 + 4 + 1, 1, 1, -1}, {"49152"});
}

TEST(Fault, AMicrothreadUsedTwice) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dfabin(d0, 2);
    b.dlen(d0, 8);
    b.dbase(d1, 0);
    b.vmov32(d1, d0, {true});
    b.vmov32(d1, d0, {true});
  });
  expect_fault(mesh, {FaultKind::microthread_in_use, kFirst + 12, 1, 1, -1},
               {"microthread 2", "another queue"});
}

TEST(Fault, AQueueUsedTwice) {
  // The second has another microthread (output queue 3), but reads the first one's input queue.
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dfabin(d0, 2);
    b.dlen(d0, 8);
    b.dbase(d1, 0);
    b.vmov32(d1, d0, {true});
    b.dfabout(d1, 3, kColor);
    b.vmov32(d1, d0, {true});
  });
  expect_fault(mesh, {FaultKind::microthread_in_use, kFirst + 15, 1, 1, -1}, {"queue"});
}

TEST(Fault, AnOutputQueueOfTwoColors) {
  // The first color has no route here, so its wavelet stays in the queue.
  Mesh mesh = middle([](ProgramBuilder& b) {
    b.dfabout(d0, 3, 6);
    b.dlen(d0, 1);
    b.vmov32r(d0, r1);
    b.dfabout(d0, 3, 7);
    b.vmov32r(d0, r1);
  });
  // First: issue at +6, element +4; core goes on 3 later, dfabout, issue, element.
  expect_fault(mesh, {FaultKind::queue_color_changed, kFirst + 6 + 4 + 3 + 3 + 4, 1, 1, 7},
               {"color 7", "queue 3", "one queue per color"});
}

TEST(Fault, BadOperands) {
  Mesh reads_output = middle([](ProgramBuilder& b) {
    b.dfabout(d0, 3, kColor);
    b.dlen(d0, 1);
    b.dbase(d1, 0);
    b.vmov32(d1, d0);
  });
  expect_fault(reads_output, {FaultKind::bad_operands, kFirst + 9, 1, 1, -1}, {"input queue"});
  Mesh writes_input = middle([](ProgramBuilder& b) {
    b.dfabin(d0, 3);
    b.dlen(d0, 1);
    b.vmov32r(d0, r1);
  });
  expect_fault(writes_input, {FaultKind::bad_operands, kFirst + 6, 1, 1, -1},
               {"destinations output queues"});
}

TEST(Fault, AnUnboundLocalTask) {
  Mesh mesh = middle([](ProgramBuilder& b) { b.activate({TaskKind::local, 17}); });
  // activate, end; picked the cycle after the end.
  expect_fault(mesh, {FaultKind::unbound_task, kFirst + 3 + 1, 1, 1, -1}, {"17", "local_task"});
}

TEST(Fault, AnUnboundDataTask) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).run([](ProgramBuilder& b) { b.unblock({TaskKind::data, kColor}); });
  const std::uint64_t issue = 11 + 6 * 3;
  expect_fault(mesh, {FaultKind::unbound_task, issue + 4 + travel(mesh.machine(), 1), 1, 0, kColor},
               {"color 5", "data_task"});
}

TEST(Fault, AnUnboundControlTask) {
  ControlWavelet wavelet;
  wavelet.slots[0].no_core = false;
  wavelet.entry = 40;
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send_control(0, kColor, {wavelet.payload()});
  mesh.pe(1).catch_data(kColor);
  const std::uint64_t issue = 11 + 6 * 3;
  expect_fault(mesh, {FaultKind::unbound_task, issue + 4 + travel(mesh.machine(), 1), 1, 0, kColor},
               {"40", "control_task"});
}

TEST(Fault, ABadFilterSetting) {
  Mesh none = middle([](ProgramBuilder& b) { b.fcount(kColor, r1); });
  expect_fault(none, {FaultKind::bad_filter, kFirst, 1, 1, kColor},
               {"color 5", "a filter on this color"});
  Mesh past(1);
  Route loop{Port::ramp, Port::ramp};
  loop.input_queue = 0;
  past.route({0, 0, 1, 1}, kColor, loop).filter({0, 0, 1, 1}, kColor, {0, 9, 0});
  past.pe(0).run([](ProgramBuilder& b) {
    b.li(r1, 9);
    b.fcount(kColor, r1);
    b.li(r1, 10);
    b.fcount(kColor, r1);
  });
  expect_fault(past, {FaultKind::bad_filter, kFirst + 3 + 13 + 3, 0, 0, kColor}, {"10", "limit1"});
}

TEST(Fault, ABadSwitchPosition) {
  Mesh mesh(2);
  Route route{Port::ramp, Port::east};
  route.positions = {SwitchPosition::receive(Port::east)};
  mesh.route({0, 0, 1, 1}, kColor, route);
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.li(r1, 1);
    b.setpos(kColor, r1);
    b.li(r1, 2);
    b.setpos(kColor, r1);
  });
  expect_fault(mesh, {FaultKind::bad_switch_position, kFirst + 3 + 13 + 3, 0, 0, kColor},
               {"position 2"});
}

TEST(Fault, ASwitchWithoutRoute) {
  Mesh alone = middle([](ProgramBuilder& b) { b.setpos(kColor, r1); });
  expect_fault(alone, {FaultKind::bad_switch_position, kFirst, 1, 1, kColor}, {"color 5"});
  // A neighbour's route changes nothing.
  Mesh beside = middle([](ProgramBuilder& b) { b.setpos(kColor, r1); });
  beside.route({0, 1, 1, 1}, kColor, {Port::ramp, Port::east});
  expect_fault(beside, {FaultKind::bad_switch_position, kFirst, 1, 1, kColor}, {"color 5"});
}

TEST(Fault, AReturnOutOfTheProgram) {
  for (const int target : {-1, 100}) {
    Mesh mesh = middle([=](ProgramBuilder& b) {
      b.li(r1, target);
      b.ret(r1);
    });
    expect_fault(mesh, {FaultKind::ran_off_program, kFirst + 3, 1, 1, -1}, {"link register"});
  }
}

TEST(Fault, TwoInputsCollide) {
  // PEs 0 and 2 send to PE 1 on one color; both wavelets stand at its inputs in the same cycle.
  Mesh mesh(3);
  Route both{{Port::west, Port::east}, Port::ramp};
  both.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, both);
  mesh.route({2, 0, 1, 1}, kColor, {Port::ramp, Port::west});
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).catch_data(kColor);
  mesh.pe(2).send(0, kColor, {2});
  expect_fault(mesh, {FaultKind::input_collision, 11 + 6 * 3 + 4 + 2 + 1 + 1, 1, 0, kColor},
               {"color 5", "PE (1, 0)", "one side at a time"});
}

TEST(Fault, InputsThatTakeTurnsDoNotCollide) {
  Mesh mesh(3);
  Route both{{Port::west, Port::east}, Port::ramp};
  both.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, both);
  mesh.route({2, 0, 1, 1}, kColor, {Port::ramp, Port::west});
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).catch_data(kColor);
  mesh.pe(2).wait(1).send(0, kColor, {2});
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Fault, TheFirstOneCounts) {
  // Same cycle: the northern row first, then the western column. An earlier cycle beats both.
  const auto fails = [](int wait) {
    return [=](ProgramBuilder& b) {
      for (int i = 0; i < wait; ++i) b.mov(r1, r1);
      b.sw(r2, kZero, 6);
    };
  };
  Mesh rows(3, 3);
  rows.pe(0, 2).run(fails(2));
  rows.pe(2, 1).run(fails(2));
  rows.pe(1, 1).run(fails(2));
  expect_fault(rows, {FaultKind::memory_misaligned, kFirst + 6, 1, 1, -1}, {});
  Mesh times(3, 3);
  times.pe(0, 0).run(fails(3));
  times.pe(2, 2).run(fails(2));
  expect_fault(times, {FaultKind::memory_misaligned, kFirst + 6, 2, 2, -1}, {});
}

TEST(Fault, ADeadlockNamesTheWaveletThatIsMissing) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, counting(3));
  mesh.pe(1).receive(0, 4);
  mesh.start();
  // The sender's last element, its store and end; in the next cycle it finds no other task.
  const std::uint64_t last = 11 + 6 * 3 + 4 + 2;
  expect_fault(mesh, {FaultKind::deadlock, last + 3 + 3 + 1, 1, 0, kColor},
               {"microthread 0 of PE (1, 0) waits for 1 more wavelet of color 5"});
}

TEST(Fault, ADeadlockNamesParkedWavelets) {
  Mesh mesh(2);
  Route route{Port::east, Port::ramp};
  route.positions = {SwitchPosition::receive(Port::west)};
  route.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, route);
  mesh.pe(0).send(0, kColor, {1});
  expect_fault(mesh, {FaultKind::deadlock, 11 + 6 * 3 + 4 + 3 + 3 + 1, 1, 0, kColor},
               {"1 wavelet of color 5 at the west input of PE (1, 0)", "closed"});
}

TEST(Fault, ADeadlockNamesWaveletsThatNobodyTakes) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1);
  try {
    mesh.run();
    FAIL() << "nothing was caught";
  } catch (const FaultError& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.fault().kind, FaultKind::deadlock);
    EXPECT_EQ(error.fault().x, 1);
    EXPECT_NE(message.find("in input queue 0 of PE (1, 0): the color is blocked"),
              std::string::npos)
        << message;
  }
}

TEST(Fault, ARunPastItsLimit) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    const Label again = b.label();
    b.place(again);
    b.jump(again);
  });
  expect_fault(mesh, {FaultKind::cycle_limit, 1234, 0, 0, -1}, {"1234", "higher limit"}, 1234);
}

TEST(Fault, TheLimitIsTheFirstCycleThatIsTooLate) {
  // Task start, the helper's first instruction, end in cycle 14; in cycle 15 the core finds no
  // task.
  Mesh done(1), late(1);
  done.pe(0);
  late.pe(0);
  EXPECT_NO_THROW(done.run(16));
  EXPECT_EQ(done.fabric().cycle(), 16U);
  EXPECT_THROW(late.run(15), FaultError);
}

}  // namespace
}  // namespace weft::test::faults_test
