// The cost of instructions, tasks, ramps and links, to the cycle.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::timing_test {
namespace {

constexpr Reg r0{0}, r1{1}, r2{2}, r3{3}, kZero{15};

/// Cycles between the instructions around `code`.
std::uint32_t cycles_of(const std::function<void(ProgramBuilder&)>& code,
                        const Machine& machine = test_machine()) {
  const auto stamps = run_alone(
      2,
      [&](ProgramBuilder& b) {
        b.tsc(r1);
        code(b);
        b.tsc(r2);
        b.sw(r1, kZero, 0);
        b.sw(r2, kZero, 4);
      },
      machine);
  return stamps[1] - stamps[0] - static_cast<std::uint32_t>(machine.scalar_cycles);
}

TEST(Timing, TheFirstTaskIssuesAfterItsStart) {
  EXPECT_EQ(run_alone(1,
                      [](ProgramBuilder& b) {
                        b.tsc(r1);
                        b.sw(r1, kZero);
                      })
                .front(),
            11U);
}

TEST(Timing, TheNextTaskIsPickedTheCycleAfterAnEnd) {
  ProgramBuilder b("two-tasks");
  b.reserve("result", 8);
  const Task second{TaskKind::local, 1};
  b.start(b.local_task(0));
  b.activate(second);
  b.tsc(r1);
  b.sw(r1, kZero, 0);
  b.end();
  b.local_task(1);
  b.tsc(r1);
  b.sw(r1, kZero, 4);
  b.end();
  Fabric fabric(alone(b.build()), test_machine(), test_options());
  fabric.run_until_idle(1000);
  std::uint32_t stamps[2];
  fabric.read({0, 0, 1, 1}, 0, stamps);
  EXPECT_EQ(stamps[1] - stamps[0], 2U * 3 + 1 + 11);  // tsc, sw, end picked next cycle, task start
}

TEST(Timing, ScalarInstructionsTakeScalarCycles) {
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) { b.add(r3, r3, r3); }), 3U);
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) {
              b.lw(r3, kZero);
              b.sw(r3, kZero);
              b.dlen(Dsr{0}, 4);
              b.xcoord(r3);
              b.sari(r3, r3, 1);
              b.flth(r3, r3, r3);
              b.dstrider(Dsr{0}, kZero, 1);
            }),
            21U);
}

TEST(Timing, ScalarFloatsTakeTheirOwnCycles) {
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) { b.fadds(r3, r3, r3); }), 6U);
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) { b.fmacs(r3, r3, r3); }), 6U);
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) {
              b.fmins(r3, r3, r3);
              b.flts(r3, r3, r3);
              b.fi2s(r3, r3);
              b.fs2u(r3, r3);
            }),
            24U);
}

TEST(Timing, ABranchCostsMoreWhenTaken) {
  const auto taken = [](ProgramBuilder& b) {
    const Label next = b.label();
    b.beq(kZero, kZero, next);
    b.place(next);
  };
  const auto not_taken = [](ProgramBuilder& b) {
    const Label next = b.label();
    b.bne(kZero, kZero, next);
    b.place(next);
  };
  EXPECT_EQ(cycles_of(taken), 5U);
  EXPECT_EQ(cycles_of(not_taken), 3U);
}

TEST(Timing, JumpCallAndReturnCostABranch) {
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) {
              const Label over = b.label();
              b.jump(over);
              b.place(over);
            }),
            5U);
  EXPECT_EQ(cycles_of([](ProgramBuilder& b) {
              const Label sub = b.label(), over = b.label();
              b.call(r3, sub);  // 5
              b.jump(over);     // 5
              b.place(sub);
              b.ret(r3);  // 5
              b.place(over);
            }),
            15U);
}

using Vector = std::function<void(ProgramBuilder&, Dsr d, Dsr a)>;

/// Cycles of a vector instruction on descriptors of `n` elements with this stride.
std::uint32_t vector_cycles(int n, const Vector& vector, int stride = 1) {
  const auto with_descriptors = [&](bool run) {
    return cycles_of([&](ProgramBuilder& b) {
      for (const Dsr d : {Dsr{0}, Dsr{1}}) {
        b.dbase(d, 4096 + 20480 * d.index);
        b.dlen(d, n);
        b.dstride(d, stride);
      }
      if (run) vector(b, Dsr{0}, Dsr{1});
    });
  };
  return with_descriptors(true) - with_descriptors(false);
}

const Vector kAdd = [](ProgramBuilder& b, Dsr d, Dsr a) { b.vfaddsr(d, a, r3); };
const Vector kMultiply = [](ProgramBuilder& b, Dsr d, Dsr a) { b.vfmulsr(d, a, r3); };

TEST(Timing, AVectorTakesItsStartAndItsRate) {
  EXPECT_EQ(vector_cycles(0, kAdd), 7U);
  EXPECT_EQ(vector_cycles(1, kAdd), 7U + 1);
  EXPECT_EQ(vector_cycles(16, kAdd), 7U + 4);
  EXPECT_EQ(vector_cycles(17, kAdd), 7U + 5);
  EXPECT_EQ(vector_cycles(17, kMultiply), 7U + 9);
  EXPECT_EQ(vector_cycles(17, [](ProgramBuilder& b, Dsr d, Dsr a) { b.vmov32(d, a); }), 7U + 3);
  EXPECT_EQ(vector_cycles(17, [](ProgramBuilder& b, Dsr d, Dsr) { b.vmov32r(d, r3); }), 7U + 3);
}

TEST(Timing, TwoVectorsToReadHalveTheRate) {
  EXPECT_EQ(vector_cycles(17, [](ProgramBuilder& b, Dsr d, Dsr a) { b.vfadds(d, a, a); }), 7U + 9);
  EXPECT_EQ(vector_cycles(17, [](ProgramBuilder& b, Dsr d, Dsr a) { b.vfmuls(d, a, a); }), 7U + 17);
  EXPECT_EQ(vector_cycles(17, [](ProgramBuilder& b, Dsr d, Dsr a) { b.vfmacsr(d, a, r3); }),
            7U + 17)
      << "the destination is read too";
}

TEST(Timing, AStrideMayLowerTheRate) {
  const std::pair<int, unsigned> cases[] = {{0, 4}, {1, 4},  {2, 4}, {3, 4},
                                            {7, 8}, {8, 16}, {9, 8}, {16, 16}};
  for (const auto& [stride, cycles] : cases)
    EXPECT_EQ(vector_cycles(16, kAdd, stride), 7U + cycles) << stride;
}

TEST(Timing, ARouterWriteTakesItsCycles) {
  Mesh mesh(1);
  Route loop{Port::ramp, Port::ramp};
  loop.input_queue = 0;
  mesh.route({0, 0, 1, 1}, 5, loop).filter({0, 0, 1, 1}, 5, {0, 9, 9});
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.tsc(r1);
    b.flimit(5, r0);
    b.tsc(r2);
    b.setpos(5, r0);
    b.tsc(r3);
    for (const Reg r : {r1, r2, r3}) b.sw(r, kZero, 4 * r.index);
  });
  mesh.run();
  EXPECT_EQ(mesh.word(0, 0, 8) - mesh.word(0, 0, 4), 3U + 13);
  EXPECT_EQ(mesh.word(0, 0, 12) - mesh.word(0, 0, 8), 3U + 13);
}

TEST(Timing, AWaveletTakesACycleAtEachRouterAndTheRampTwice) {
  Mesh mesh(6);
  mesh.line(7);
  mesh.pe(0).send(0, 7, {42});
  for (int x = 1; x < 6; ++x) mesh.pe(x).catch_data(7);
  mesh.run();
  const std::uint64_t start = mesh.issued(0, 0, 0) + first_element(mesh.machine());
  for (int x = 1; x < 6; ++x)
    EXPECT_EQ(mesh.caught(x),
              (std::vector<Caught>{{42, start + 2 + 1 + static_cast<unsigned>(x) + 2}}));
}

TEST(Timing, EveryRampCounts) {
  for (const int ramp : {1, 2, 3, 7}) {
    Machine m = test_machine();
    m.ramp_cycles = ramp;
    Mesh mesh(1, 1, m);
    Route loop{Port::ramp, Port::ramp};
    loop.input_queue = 3;
    mesh.route({0, 0, 1, 1}, 0, loop);
    mesh.pe(0).send(4, 0, {9}, Pe::Mode::async).catch_data(0);
    mesh.run();
    const std::uint64_t start = mesh.issued(0, 0, 0) + first_element(m);
    EXPECT_EQ(mesh.caught(0),
              (std::vector<Caught>{{9, start + 2 * static_cast<unsigned>(ramp) + 1}}))
        << "ramp " << ramp;
  }
}

TEST(Timing, NotBeforeItsCycle) {
  Mesh mesh(3);
  mesh.line(1);
  mesh.pe(0).send(0, 1, {5});
  mesh.pe(2).receive(0, 1);
  mesh.start();
  // Task start, li, five instructions before the send; then the send, the ramps and the links.
  const std::uint64_t arrival = 11 + 6 * 3 + 4 + travel(mesh.machine(), 2);
  mesh.fabric().run(arrival);  // cycles 0 to arrival - 1
  EXPECT_TRUE(mesh.received(2, 0, 0).empty());
  mesh.fabric().run(1);
  EXPECT_EQ(mesh.received(2, 0, 0), (std::vector<std::uint32_t>{5}));
}

TEST(Timing, ASynchronousSendHoldsTheCoreUntilItsLastElement) {
  Mesh mesh(2);
  mesh.line(1);
  mesh.pe(0).send(0, 1, counting(10)).run([](ProgramBuilder& b) {
    b.tsc(r1);
    b.sw(r1, kZero, 0);
  });
  mesh.pe(1).receive(0, 10);
  mesh.run();
  // Ten elements, one a cycle; a scalar's cycles later the store of the stamp, then the next tsc.
  const std::uint64_t last = mesh.issued(0, 0, 0) + first_element(mesh.machine()) + 9;
  EXPECT_EQ(mesh.word(0, 0, 0), last + 3 + 3);
}

TEST(Timing, AnAsynchronousSendLetsTheCoreGoOn) {
  Mesh mesh(2);
  mesh.line(1);
  mesh.pe(0).send(0, 1, counting(10), Pe::Mode::async).run([](ProgramBuilder& b) {
    b.tsc(r1);
    b.sw(r1, kZero, 0);
  });
  mesh.pe(1).receive(0, 10);
  mesh.run();
  EXPECT_EQ(mesh.word(0, 0, 0), mesh.issued(0, 0, 0) + 3 + 3);
}

TEST(Timing, AMicrothreadWithoutStartUpBeginsTheCycleAfterItsIssue) {
  Machine m = test_machine();
  m.microthread_start_cycles = 0;
  for (const bool by_cycles : {false, true}) {
    Mesh mesh(2, 1, m);
    mesh.line(1);
    mesh.pe(0).send(0, 1, {3});
    mesh.pe(1).catch_data(1);
    by_cycles ? mesh.trace(100) : mesh.run();
    ASSERT_EQ(mesh.caught(1).size(), 1U);
    EXPECT_EQ(mesh.caught(1).front().cycle, mesh.issued(0, 0, 0) + 1 + travel(m, 1));
  }
}

}  // namespace
}  // namespace weft::test::timing_test
