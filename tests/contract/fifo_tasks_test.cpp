// The tasks of FIFOs: a push activates one only after its FIFO was found empty, a pop only after it
// was found full.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::fifo_tasks_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr Reg r1{1}, r2{2}, kZero{15};
constexpr Dsr kMemory{0}, kFifo{1}, kOther{2};
constexpr int kPushTask = 6, kPopTask = 7, kSecond = 20, kWords = 8192;

void count_run(ProgramBuilder& b, int id, int address) {
  b.local_task(id);
  b.lw(r1, kZero, address);
  b.addi(r1, r1, 1);
  b.sw(r1, kZero, address);
}

/// The work of a program with its FIFO of four words.
struct Ops {
  ProgramBuilder& b;
  FifoId fifo;

  void push(int n) const {
    b.dbase(kMemory, kWords);
    b.dlen(kMemory, n);
    b.dfifo(kFifo, fifo);
    b.vmov32(kFifo, kMemory);
  }
  void pop(int n) const {
    b.dbase(kMemory, kWords);
    b.dfifo(kFifo, fifo);
    b.dlen(kFifo, n);
    b.vmov32(kMemory, kFifo);
  }
};
using Code = std::function<void(const Ops&)>;

/// How often the push task and the pop task ran: after `first`, and once more after `second`.
Words runs(
    const Code& first, const Code& second = [](const Ops&) {}) {
  return run_alone(2, [&](ProgramBuilder& b) {
    const FifoId f =
        b.fifo("fifo", 4, 4, Task{TaskKind::local, kPushTask}, Task{TaskKind::local, kPopTask});
    first({b, f});
    b.activate({TaskKind::local, kSecond});
    b.end();
    count_run(b, kPushTask, 0);
    b.end();
    count_run(b, kPopTask, 4);
    b.end();
    b.local_task(kSecond);  // the last of those that are active
    second({b, f});
  });
}

TEST(FifoTask, APushIntoAFifoThatIsMerelyEmptyActivatesNothing) {
  EXPECT_EQ(runs([](const Ops& o) { o.push(2); }), (Words{0, 0})) << "at launch";
  EXPECT_EQ(runs([](const Ops& o) {
              o.push(3);
              o.pop(3);  // finds all it wants
              o.push(1);
            }),
            (Words{0, 0}));
}

TEST(FifoTask, TheFirstPushAfterItWasFoundEmptyActivates) {
  EXPECT_EQ(runs([](const Ops& o) {
              o.pop(1);
              o.push(1);
            }),
            (Words{1, 0}));
  EXPECT_EQ(runs([](const Ops& o) {
              o.push(3);
              o.pop(4);  // the fourth finds it empty
              o.push(2);
            }),
            (Words{1, 0}));
}

TEST(FifoTask, TheSecondPushDoesNot) {
  EXPECT_EQ(runs(
                [](const Ops& o) {
                  o.pop(1);
                  o.push(1);
                },
                [](const Ops& o) { o.push(1); }),
            (Words{1, 0}));
}

TEST(FifoTask, FoundEmptyAgainThePushActivatesAgain) {
  EXPECT_EQ(runs(
                [](const Ops& o) {
                  o.pop(1);
                  o.push(2);
                },
                [](const Ops& o) {
                  o.pop(3);
                  o.push(1);
                }),
            (Words{2, 0}));
}

TEST(FifoTask, APopFromAFifoThatIsMerelyFullActivatesNothing) {
  EXPECT_EQ(runs([](const Ops& o) {
              o.push(4);
              o.pop(1);
            }),
            (Words{0, 0}));
}

TEST(FifoTask, TheFirstPopAfterItWasFoundFullActivates) {
  EXPECT_EQ(runs(
                [](const Ops& o) {
                  o.push(5);
                  o.pop(1);
                },
                [](const Ops& o) { o.pop(1); }),
            (Words{0, 1}));
  EXPECT_EQ(runs(
                [](const Ops& o) {
                  o.push(5);
                  o.pop(1);
                },
                [](const Ops& o) {
                  o.push(2);
                  o.pop(1);
                }),
            (Words{0, 2}));
}

TEST(FifoTask, BothMayBecomeActiveAtOnce) {
  EXPECT_EQ(runs([](const Ops& o) {
              o.pop(1);
              o.push(5);
              o.pop(2);
            }),
            (Words{1, 1}));
}

TEST(FifoTask, AnInstructionOfNoElementsFindsNothing) {
  EXPECT_EQ(runs([](const Ops& o) {
              o.pop(0);
              o.push(4);
              o.push(0);
              o.pop(1);
            }),
            (Words{0, 0}));
}

TEST(FifoTask, AFoundEmptyFifoWaitsForItsPushHoweverLong) {
  // Neither fifolen nor an instruction of no elements makes it forget.
  EXPECT_EQ(runs(
                [](const Ops& o) {
                  o.pop(1);
                  o.push(0);
                  o.b.fifolen(r2, o.fifo);
                },
                [](const Ops& o) { o.push(1); }),
            (Words{1, 0}));
}

/// One FIFO full, of one word, and one empty, of one word; moved from the empty to the full one.
Words after_a_move(const std::function<void(ProgramBuilder&, FifoId empty, FifoId full)>& then) {
  return run_alone(2, [&](ProgramBuilder& b) {
    const FifoId empty = b.fifo("empty", 1, 4, Task{TaskKind::local, kPushTask});
    const FifoId full = b.fifo("full", 1, 4, {}, Task{TaskKind::local, kPopTask});
    Ops{b, full}.push(1);
    b.dfifo(kFifo, empty);
    b.dlen(kFifo, 1);
    b.dfifo(kOther, full);
    b.vmov32(kOther, kFifo);
    then(b, empty, full);
    b.end();
    count_run(b, kPushTask, 0);
    b.end();
    count_run(b, kPopTask, 4);
  });
}

TEST(FifoTask, EachFifoThatAnElementLacksRemembersIt) {
  EXPECT_EQ(after_a_move([](ProgramBuilder& b, FifoId empty, FifoId) {
              Ops{b, empty}.push(1);
            }),
            (Words{1, 0}));
  EXPECT_EQ(after_a_move([](ProgramBuilder& b, FifoId, FifoId full) {
              Ops{b, full}.pop(1);
            }),
            (Words{0, 1}));
  EXPECT_EQ(after_a_move([](ProgramBuilder&, FifoId, FifoId) {}), (Words{0, 0}));
}

TEST(FifoTask, StartsWhenTheCoreIsFree) {
  // Push, li, end; the task is picked in the next cycle, eleven later it begins.
  const Words got = run_alone(2, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 4, 4, Task{TaskKind::local, kPushTask});
    const Ops o{b, f};
    o.pop(1);
    b.tsc(r2);
    b.sw(r2, kZero, 0);
    o.push(1);
    b.li(r2, 0);
    b.end();
    b.local_task(kPushTask);
    b.tsc(r1);
    b.sw(r1, kZero, 4);
  });
  // tsc, sw, three instructions, the push (7 + 1), li, then end.
  EXPECT_EQ(got[1] - got[0], 5U * 3 + 8 + 3 + 1 + 11);
}

TEST(FifoTask, MayPushAndPopItself) {
  // A producer of 20 words in batches: the push task takes what is there, activated each time.
  const Words got = run_alone(24, [](ProgramBuilder& b) {
    const Task producer{TaskKind::local, 3};
    const FifoId f = b.fifo("fifo", 4, 4, Task{TaskKind::local, kPushTask});
    constexpr Reg kTotal{5}, kEnd{6}, kCount{7};
    b.dbase(kMemory, kWords);  // where the producer reads
    b.dstride(kMemory, 1);
    b.dlen(kMemory, 4);
    for (int k = 0; k < 20; ++k) {
      b.li(r1, 100 + k);
      b.sw(r1, kZero, kWords + 4 * k);
    }
    b.dbase(kOther, 0);  // where the push task writes
    b.dstride(kOther, 1);
    b.dfifo(kFifo, f);
    b.dlen(kFifo, 9);
    b.li(kEnd, 5);
    b.vmov32(kOther, kFifo);  // finds it empty
    b.activate(producer);
    b.end();

    b.local_task(producer.id);
    b.vmov32(kFifo, kMemory);
    b.li(r1, 16);
    b.dadd(kMemory, r1);
    b.end();

    b.local_task(kPushTask);
    b.vmov32(kOther, kFifo);  // four, and finds it empty
    b.li(r1, 16);
    b.dadd(kOther, r1);
    b.addi(kCount, kCount, 1);
    const Label done = b.label();
    b.beq(kCount, kEnd, done);
    b.activate(producer);
    b.place(done);
    b.sw(kCount, kZero, 80);
    b.add(kTotal, kTotal, kCount);
    b.sw(kTotal, kZero, 84);
  });
  for (std::uint32_t k = 0; k < 20; ++k) EXPECT_EQ(got[k], 100 + k);
  EXPECT_EQ(got[20], 5U);
  EXPECT_EQ(got[21], 15U);
}

}  // namespace
}  // namespace weft::test::fifo_tasks_test
