// FIFOs with a fabric operand: microthreads that wait for room and for elements, to the cycle.
#include <gtest/gtest.h>

#include "support/expect_fault.hpp"

namespace weft::test::fifo_relay_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Cycles = std::vector<std::uint64_t>;
using Code = std::function<void(ProgramBuilder&)>;

constexpr int kIn = 1, kOut = 2;  // colors: PE 0 to PE 1, PE 1 to PE 2
constexpr Reg r1{1}, r2{2}, kZero{15};
constexpr Dsr kFrom{0}, kFifo{1}, kTo{2}, kMemory{3};
constexpr int kNotes = 8192;  // where PE 1 writes what it sees

/// The first instruction of PE 1's own.
constexpr std::uint64_t kFirst = 11 + 3;
/// From a word's first cycle as an element of PE 0 or 1 until the next PE can take it.
constexpr std::uint64_t kTravel = 2 + 1 + 1 + 2;
/// PE 0 waits 40 instructions, then sends; the first element, and when PE 1 can take it.
constexpr std::uint64_t kSent = kFirst + (40 + 5) * 3 + 4, kCome = kSent + kTravel;

/// PE 0 sends `words` words to input queue `in` of PE 1, which runs `code`; PE 2 takes `out` words.
Mesh relay(int in, int words, int out, const Code& code) {
  const auto to_core = [](int queue) {
    Route route{Port::west, Port::ramp};
    route.input_queue = queue;
    return route;
  };
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, kIn, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kIn, to_core(in));
  mesh.route({1, 0, 1, 1}, kOut, {Port::ramp, Port::east}).route({2, 0, 1, 1}, kOut, to_core(0));
  if (words > 0) mesh.pe(0).wait(40).send(0, kIn, counting(words));
  mesh.pe(1).run(code);
  mesh.pe(2).receive(0, out);
  return mesh;
}

/// dfabin, dlen, dfifo, then the instruction: from an input queue into a FIFO.
void take_in(ProgramBuilder& b, int queue, FifoId fifo, int n, VectorOptions options = {true}) {
  b.dfabin(kFrom, queue);
  b.dlen(kFrom, n);
  b.dfifo(kFifo, fifo);
  b.vmov32(kFifo, kFrom, options);
}

/// dfifo, dlen, dfabout, then the instruction: from a FIFO to an output queue.
void put_out(ProgramBuilder& b, int queue, FifoId fifo, int n, VectorOptions options = {true}) {
  b.dfifo(kFifo, fifo);
  b.dlen(kFifo, n);
  b.dfabout(kTo, queue, kOut);
  b.vmov32(kTo, kFifo, options);
}

void wait(ProgramBuilder& b, int instructions) {
  for (int k = 0; k < instructions; ++k) b.mov(r2, r2);
}

void note_cycle(ProgramBuilder& b, int n) {
  b.tsc(r1);
  b.sw(r1, kZero, kNotes + 4 * n);
}
void note_length(ProgramBuilder& b, FifoId fifo, int n) {
  b.fifolen(r1, fifo);
  b.sw(r1, kZero, kNotes + 4 * n);
}
std::uint32_t note(const Mesh& mesh, std::uint32_t n) { return mesh.word(1, 0, kNotes + 4 * n); }

/// A local task that notes each cycle in which it begins; kNotes counts them.
void noting_task(ProgramBuilder& b, int id) {
  b.local_task(id);
  b.tsc(r1);
  b.lw(r2, kZero, kNotes);
  b.addi(r2, r2, 1);
  b.sw(r2, kZero, kNotes);
  b.shli(r2, r2, 2);
  b.sw(r1, r2, kNotes);
}

/// `n` cycles in a row.
Cycles in_a_row(std::uint64_t first, std::uint64_t n) {
  Cycles all;
  for (std::uint64_t k = 0; k < n; ++k) all.push_back(first + k);
  return all;
}

struct Queues {
  int in, out;            // their numbers are the microthreads'
  std::uint64_t through;  // cycles that an element stays in the FIFO if both sides are ready
};
// Microthreads go by number: if the input's is lower, its element leaves in the same cycle.
constexpr Queues kBothOrders[] = {{1, 3, 0}, {3, 1, 1}};

TEST(FifoRelay, ElementsPassInTheCycleTheyComeOrTheNext) {
  for (const Queues& q : kBothOrders)
    for (const std::uint32_t capacity : {1U, 2U, 5U}) {
      Mesh mesh = relay(q.in, 12, 12, [=](ProgramBuilder& b) {
        const FifoId f = b.fifo("fifo", capacity);
        take_in(b, q.in, f, 12);
        put_out(b, q.out, f, 12);
      });
      mesh.trace(400);
      EXPECT_EQ(mesh.received(2, 0, 0), counting(12));
      EXPECT_EQ(mesh.arrivals(2, 0, 0), in_a_row(kCome + q.through + kTravel, 12))
          << "capacity " << capacity << ", queues " << q.in << ", " << q.out;
    }
}

TEST(FifoRelay, TheSideThatComesInWaitsWhileItIsFull) {
  for (const Queues& q : kBothOrders) {
    Mesh mesh = relay(q.in, 12, 12, [=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 3);
      take_in(b, q.in, f, 12);
      wait(b, 60);
      note_length(b, f, 0);
      put_out(b, q.out, f, 12);
      wait(b, 2);
      note_length(b, f, 1);
    });
    mesh.trace(500);
    EXPECT_EQ(mesh.received(2, 0, 0), counting(12));
    const std::uint64_t leaves = kFirst + (4 + 60 + 2 + 3) * 3 + 4;
    EXPECT_EQ(mesh.arrivals(2, 0, 0), in_a_row(leaves + kTravel, 12)) << q.in;
    EXPECT_EQ(note(mesh, 0), 3U);
    // Five cycles after the first left: in comes one a cycle, from the next on or the same.
    EXPECT_EQ(note(mesh, 1), q.in < q.out ? 2U : 3U);
  }
}

TEST(FifoRelay, TheFirstPopAfterItWasFoundFullActivatesThePopTaskOnce) {
  for (const Queues& q : kBothOrders) {
    Mesh mesh = relay(q.in, 12, 12, [=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 3, 4, {}, Task{TaskKind::local, 6});
      take_in(b, q.in, f, 12);
      wait(b, 60);
      put_out(b, q.out, f, 12);
      b.end();
      noting_task(b, 6);
    });
    mesh.run();
    const std::uint64_t leaves = kFirst + (4 + 60 + 3) * 3 + 4;
    EXPECT_EQ(note(mesh, 0), 1U);
    EXPECT_EQ(note(mesh, 1), leaves + 11);
  }
}

TEST(FifoRelay, FilledToTheLastElementItIsNotFoundFull) {
  Mesh mesh = relay(1, 3, 3, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3, 4, {}, Task{TaskKind::local, 6});
    take_in(b, 1, f, 4);  // the fourth never comes
    wait(b, 60);
    put_out(b, 3, f, 3);
    b.end();
    noting_task(b, 6);
  });
  mesh.trace(400);
  EXPECT_EQ(mesh.received(2, 0, 0), counting(3));
  EXPECT_EQ(note(mesh, 0), 0U);
}

TEST(FifoRelay, ThePushTaskStartsWithEachFirstElementAfterAWait) {
  // Four words, and four more 26 cycles later: its tasks take 11 + 7 x 3 each.
  for (const Queues& q : kBothOrders) {
    Mesh mesh = relay(q.in, 2, 4, [=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 3, 4, Task{TaskKind::local, 6});
      put_out(b, q.out, f, 4);
      take_in(b, q.in, f, 4);
      b.end();
      noting_task(b, 6);
    });
    mesh.pe(0).wait(10).send(0, kIn, {3, 4});
    mesh.trace(400);
    const std::uint64_t second = kSent + 1 + (2 + 10 + 5) * 3 + 4;  // its element in PE 0
    EXPECT_EQ(mesh.received(2, 0, 0), counting(4));
    Cycles expected = in_a_row(kCome + q.through + kTravel, 2);
    for (const std::uint64_t cycle : in_a_row(second + 2 * kTravel + q.through, 2))
      expected.push_back(cycle);
    EXPECT_EQ(mesh.arrivals(2, 0, 0), expected);
    EXPECT_EQ(note(mesh, 0), 2U);
    EXPECT_EQ(note(mesh, 1), kCome + 11);
    EXPECT_EQ(note(mesh, 2), second + kTravel + 11);
  }
}

TEST(FifoRelay, ASynchronousOneEndsWhenItFindsTheFifoFull) {
  // Words 1 to 3 are pushed, word 4 finds it full and stays; the core goes on three cycles later.
  Mesh mesh = relay(1, 10, 3, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3, 4, {}, Task{TaskKind::local, 6});
    take_in(b, 1, f, 10, {});
    note_cycle(b, 8);
    note_length(b, f, 9);
    b.dfabin(kFrom, 1);
    b.dlen(kFrom, 7);
    b.dbase(kMemory, kNotes + 64);
    b.dstride(kMemory, 1);
    b.vmov32(kMemory, kFrom);
    put_out(b, 3, f, 3);
    b.end();
    noting_task(b, 6);
  });
  mesh.run();
  EXPECT_EQ(note(mesh, 8), kCome + 3 + 3);
  EXPECT_EQ(note(mesh, 9), 3U);
  for (std::uint32_t k = 0; k < 7; ++k) EXPECT_EQ(note(mesh, 16 + k), 4 + k);
  EXPECT_EQ(mesh.received(2, 0, 0), counting(3));
  EXPECT_EQ(note(mesh, 0), 1U) << "it was found full";
}

TEST(FifoRelay, ASynchronousOneEndsWhenItFindsTheFifoEmpty) {
  for (const int held : {0, 2}) {
    Mesh mesh = relay(1, 0, 4, [=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 3, 4, Task{TaskKind::local, 6});
      b.li(r1, 9);
      b.dfifo(kFifo, f);
      b.dlen(kFifo, held);
      b.vmov32r(kFifo, r1);
      put_out(b, 3, f, 5, {});
      note_cycle(b, 8);
      b.dlen(kFifo, 1);
      b.vmov32r(kFifo, r1);
      put_out(b, 2, f, 1, {});
      b.end();
      noting_task(b, 6);
    });
    mesh.start().run(400);
    const std::uint64_t pushed = kFirst + 3 * 3 + 7 + (held > 0 ? 1 : 0);
    const std::uint64_t first = pushed + 3 * 3 + 4;
    EXPECT_EQ(note(mesh, 8), first + static_cast<unsigned>(held) + 3) << held;
    EXPECT_EQ(mesh.received(2, 0, 0).size(), static_cast<std::size_t>(held + 1));
    EXPECT_EQ(note(mesh, 0), 1U) << "it was found empty";
  }
}

TEST(FifoRelay, WithoutItsWaveletAnElementDoesNotFindTheFifoEmpty) {
  // in + FIFO to out. The word comes in cycle kCome; a push before that finds nothing to tell, one
  // after it does, and lets the element go in the next cycle.
  for (const int waits : {20, 60}) {
    Mesh mesh = relay(1, 1, 1, [=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 3, 4, Task{TaskKind::local, 6});
      b.dfabin(kFrom, 1);
      b.dlen(kFrom, 1);
      b.dfifo(kFifo, f);
      b.dfabout(kTo, 3, kOut);
      b.vadd32(kTo, kFrom, kFifo, {true});
      b.li(r1, 500);
      b.dlen(kFifo, 1);
      wait(b, waits);
      b.vmov32r(kFifo, r1);
      b.end();
      noting_task(b, 6);
    });
    mesh.trace(400);
    const std::uint64_t pushed = kFirst + (7 + static_cast<unsigned>(waits)) * 3;
    EXPECT_EQ(pushed > kCome, waits == 60);
    EXPECT_EQ(mesh.received(2, 0, 0), (Words{501}));
    EXPECT_EQ(mesh.arrivals(2, 0, 0).front(), std::max(kCome, pushed + 1) + kTravel);
    EXPECT_EQ(note(mesh, 0), waits == 60 ? 1U : 0U);
  }
}

TEST(FifoRelay, TheCorePushesWhileAMicrothreadPops) {
  // 16 words at once; popped from the next cycle on, one a cycle. The second push is issued 7 + 2
  // cycles after the first, when 9 have gone: 9 fit, which takes 7 + 2 again.
  Mesh mesh = relay(1, 0, 25, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 16);
    put_out(b, 3, f, 25);
    b.li(r1, 77);
    b.dlen(kFifo, 16);
    b.vmov32r(kFifo, r1);
    b.vmov32r(kFifo, r1);
    note_length(b, f, 0);
    note_length(b, f, 1);
    note_cycle(b, 2);
  });
  mesh.trace(300);
  const std::uint64_t pushed = kFirst + 6 * 3;
  EXPECT_EQ(mesh.arrivals(2, 0, 0), in_a_row(pushed + 1 + kTravel, 25));
  EXPECT_EQ(note(mesh, 0), 25U - 18);
  EXPECT_EQ(note(mesh, 1), 25U - 18 - 6);
  EXPECT_EQ(note(mesh, 2), pushed + 9 + 9 + 12);
}

TEST(FifoRelay, FifolenSeesThisCyclesElements) {
  Mesh mesh = relay(1, 9, 0, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 16);
    take_in(b, 1, f, 9);
    wait(b, 45);  // the next is issued in cycle 14 + 49 x 3 = 161, with the third word
    for (int n = 0; n < 3; ++n) b.fifolen(Reg{static_cast<std::uint8_t>(3 + n)}, f);
    for (int n = 0; n < 3; ++n) b.sw(Reg{static_cast<std::uint8_t>(3 + n)}, kZero, kNotes + 4 * n);
  });
  static_assert(kCome + 2 == kFirst + 49 * 3);
  mesh.run();
  EXPECT_EQ((Words{note(mesh, 0), note(mesh, 1), note(mesh, 2)}), (Words{3, 6, 9}));
}

TEST(FifoRelay, HalvesLoseWhatIsAboveThem) {
  Mesh mesh = relay(1, 0, 3, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 2, 2);
    b.dfabin(kFrom, 1);
    b.dlen(kFrom, 3);
    b.dfifo(kFifo, f);
    b.vmov16(kFifo, kFrom, {true});
    b.dlen(kFifo, 3);
    b.dfabout(kTo, 3, kOut);
    b.vmov16(kTo, kFifo, {true});
  });
  mesh.pe(0).send(0, kIn, {0xabcd0001, 0x10002, 0xffffffff});
  mesh.run();
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1, 2, 0xffff}));
}

TEST(FifoRelay, AFullFifoDoesNotKeepAControlWavelet) {
  // The microthread takes it off its queue, whether the core found the FIFO full before or not.
  ControlWavelet control;
  control.slots[0].no_core = false;
  for (const bool pushes : {false, true}) {
    Mesh mesh = relay(1, 1, 0, [=](ProgramBuilder& b) {
      take_in(b, 1, b.fifo("fifo", 1), 2);
      wait(b, 50);
      b.dlen(kFifo, 1);
      if (pushes) b.vmov32r(kFifo, r1);
    });
    mesh.pe(0).wait(20).send_control(0, kIn, {control.payload()});
    try {
      mesh.run();
      ADD_FAILURE() << "nothing was caught";
    } catch (const FaultError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("microthread 1 of PE"), std::string::npos) << message;
      EXPECT_EQ(message.find("a wavelet"), std::string::npos) << pushes << ": " << message;
    }
  }
}

TEST(FifoRelay, AFifoIsNotTheFirstOfTwoSources) {
  Mesh mesh = relay(1, 1, 1, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 2);
    b.dfifo(kFifo, f);
    b.dlen(kFifo, 1);
    b.dfabin(kFrom, 1);
    b.dfabout(kTo, 3, kOut);
    b.vadd32(kTo, kFifo, kFrom);
  });
  expect_fault(mesh, {FaultKind::bad_operands, kFirst + 4 * 3, 1, 0, -1}, {"FIFO"});
}

TEST(FifoRelay, ADeadlockNamesTheFifo) {
  // Three instructions, the fourth, end; in the next cycle there is no task, and the FIFO is empty.
  Mesh mesh(2, 2);
  mesh.pe(1, 1).run([](ProgramBuilder& b) {
    b.fifo("other", 4);
    put_out(b, 3, b.fifo("fifo", 4), 7);
  });
  expect_fault(mesh, {FaultKind::deadlock, kFirst + 4 * 3 + 1, 1, 1, -1},
               {"microthread 3 of PE (1, 1)", "FIFO 1", "7 elements to go"});
}

}  // namespace
}  // namespace weft::test::fifo_relay_test
