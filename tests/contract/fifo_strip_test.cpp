// Every PE has its own FIFOs: side by side, PEs do what each does alone.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::fifo_strip_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kColor = 3, kCount = 24, kPopTask = 6;
constexpr int kResults = 4, kNotes = 112, kWords = 128;  // byte addresses
constexpr int kMemoryWords = 64;
constexpr Reg r1{1}, kDelay{3}, kLength{4}, kTotal{5}, kAll{6}, kZero{15};
constexpr Dsr kFrom{0}, kFifo{1}, kTo{2}, kMemory{3}, kPopped{4};

/// Sends itself words 1 to 24, which a microthread pushes; waits as word 0 tells, then pops as many
/// as there are until it has all. Notes when that was, how often the FIFO was found full and
/// popped, and how many elements the pops found.
Program program(std::uint32_t capacity) {
  ProgramBuilder b("pops-" + std::to_string(capacity));
  b.reserve("memory", 4 * kMemoryWords);
  const FifoId fifo = b.fifo("fifo", capacity, 4, {}, Task{TaskKind::local, kPopTask});
  b.start(b.local_task(0));
  b.dfabin(kFrom, 1);
  b.dlen(kFrom, kCount);
  b.dfifo(kFifo, fifo);
  b.vmov32(kFifo, kFrom, {true});
  b.dbase(kMemory, kWords);
  b.dlen(kMemory, kCount);
  b.dstride(kMemory, 1);
  b.dfabout(kTo, 2, kColor);
  b.dbase(kPopped, kResults);
  b.dstride(kPopped, 1);
  b.li(kAll, kCount);
  b.lw(kDelay, kZero);
  b.vmov32(kTo, kMemory, {true});
  const Label waiting = b.label(), popping = b.label();
  b.place(waiting);
  b.addi(kDelay, kDelay, -1);
  b.bge(kDelay, kZero, waiting);
  b.place(popping);
  b.fifolen(kLength, fifo);
  b.dlenr(kFifo, kLength);
  b.vmov32(kPopped, kFifo);
  b.add(kTotal, kTotal, kLength);
  b.lw(r1, kZero, kNotes + 4);
  b.shli(r1, r1, 5);
  b.add(r1, r1, kLength);
  b.sw(r1, kZero, kNotes + 4);
  b.shli(kLength, kLength, 2);
  b.dadd(kPopped, kLength);
  b.blt(kTotal, kAll, popping);
  b.tsc(r1);
  b.sw(r1, kZero, kNotes);
  b.end();
  b.local_task(kPopTask);
  b.tsc(r1);
  b.sw(r1, kZero, kNotes + 8);
  b.end();
  return b.build();
}

/// PE (x, y) waits as long as its column tells; its FIFO holds 3 words, or 20 in odd columns.
constexpr std::uint32_t capacity_at(int x) { return x % 2 == 0 ? 3 : 20; }

/// The words that each PE of this width ends with; column `first` comes first.
std::vector<Words> outcomes(int first, int width) {
  Layout layout(width, 1);
  Route loop{Port::ramp, Port::ramp};
  loop.input_queue = 1;
  layout.route({0, 0, width, 1}, kColor, loop);
  const Program programs[] = {program(3), program(20)};
  for (int x = 0; x < width; ++x)
    layout.place({x, 0, 1, 1}, programs[capacity_at(first + x) == 20 ? 1 : 0]);
  Fabric fabric(layout, test_machine(), test_options());
  for (int x = 0; x < width; ++x) {
    const std::uint32_t delay = static_cast<std::uint32_t>(first + x) / 2;
    fabric.write({x, 0, 1, 1}, 0, {&delay, 1});
    fabric.write({x, 0, 1, 1}, kWords, counting(kCount));
  }
  fabric.run_until_idle(100000);
  std::vector<Words> all;
  for (int x = 0; x < width; ++x) {
    Words words(kMemoryWords);
    fabric.read({x, 0, 1, 1}, 0, words);
    all.push_back(words);
  }
  return all;
}

TEST(FifoStrip, PesSideBySideDoWhatEachDoesAlone) {
  constexpr int kWidth = 72;  // more than one strip
  const std::vector<Words> together = outcomes(0, kWidth);
  for (int x = 0; x < kWidth; ++x) {
    const Words& words = together[static_cast<std::size_t>(x)];
    EXPECT_EQ(Words(words.begin() + 1, words.begin() + 1 + kCount), counting(kCount)) << x;
    EXPECT_EQ(words, outcomes(x, 1).front()) << x;
  }
  EXPECT_NE(together[1][kNotes / 4 + 1], together[7][kNotes / 4 + 1]) << "delays matter";
  EXPECT_NE(together[70][kNotes / 4 + 1], together[71][kNotes / 4 + 1]) << "capacities matter";
}

TEST(FifoStrip, PesWithoutFifosStandBeside) {
  // A program without FIFOs, and PEs without program, in the same row.
  ProgramBuilder b("none");
  b.reserve("result", 4);
  b.start(b.local_task(0));
  b.li(r1, 7);
  b.sw(r1, kZero);
  b.end();
  Layout layout(6, 1);
  Route loop{Port::ramp, Port::ramp};
  loop.input_queue = 1;
  layout.route({0, 0, 6, 1}, kColor, loop);
  layout.place({0, 0, 2, 1}, b.build());
  layout.place({4, 0, 1, 1}, program(3));
  Fabric fabric(layout, test_machine(), test_options());
  fabric.write({4, 0, 1, 1}, kWords, counting(kCount));
  fabric.run_until_idle(100000);
  Words words(kMemoryWords);
  fabric.read({4, 0, 1, 1}, 0, words);
  EXPECT_EQ(Words(words.begin() + 1, words.begin() + 1 + kCount), counting(kCount));
  fabric.read({1, 0, 1, 1}, 0, {words.data(), 1});
  EXPECT_EQ(words[0], 7U);
}

}  // namespace
}  // namespace weft::test::fifo_strip_test
