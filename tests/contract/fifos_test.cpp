// FIFOs between instructions without a fabric operand: order, ends, costs and tasks.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/expect_fault.hpp"

namespace weft::test::fifos_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Code = std::function<void(ProgramBuilder&)>;

constexpr Reg r1{1}, r2{2}, r3{3}, r4{4}, kZero{15};
constexpr Dsr kMemory{0}, kFifo{1}, kOther{2};
constexpr int kWords = 8192;  // 1, 2, ... stand here

/// Words 1, 2, ... from kWords on.
void store_counting(ProgramBuilder& b, int count) {
  for (int k = 0; k < count; ++k) {
    b.li(r1, k + 1);
    b.sw(r1, kZero, kWords + 4 * k);
  }
}

void memory(ProgramBuilder& b, Dsr d, int address, int n, int stride = 1) {
  b.dbase(d, address);
  b.dlen(d, n);
  b.dstride(d, stride);
}

void fifo(ProgramBuilder& b, Dsr d, FifoId of, int n) {
  b.dfifo(d, of);
  b.dlen(d, n);
}

/// Pushes `n` words from an address, pops `n` words to one: four and five instructions before it.
void push(ProgramBuilder& b, FifoId to, int n, int address = kWords) {
  memory(b, kMemory, address, n);
  b.dfifo(kFifo, to);
  b.vmov32(kFifo, kMemory);
}
void pop(ProgramBuilder& b, FifoId from, int n, int address) {
  memory(b, kMemory, address, n);
  fifo(b, kFifo, from, n);
  b.vmov32(kMemory, kFifo);
}

/// Cycles of the one instruction that `code` is, to this address.
void time(ProgramBuilder& b, int address, const Code& code) {
  b.tsc(r2);
  code(b);
  b.tsc(r3);
  b.sub(r3, r3, r2);
  b.addi(r3, r3, -3);
  b.sw(r3, kZero, address);
}

void note_length(ProgramBuilder& b, FifoId of, int address) {
  b.fifolen(r1, of);
  b.sw(r1, kZero, address);
}

TEST(Fifo, GivesWhatItGotInOrder) {
  const Words got = run_alone(6, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 8);
    store_counting(b, 5);
    push(b, f, 5);
    pop(b, f, 2, 0);
    pop(b, f, 3, 8);
  });
  EXPECT_EQ(got, (Words{1, 2, 3, 4, 5, 0}));
}

TEST(Fifo, GoesRoundItsMemory) {
  const Words got = run_alone(9, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3);  // after the nine words
    store_counting(b, 5);
    push(b, f, 3);
    pop(b, f, 2, 0);
    push(b, f, 2, kWords + 12);
    for (int k = 0; k < 3; ++k) {
      b.lw(r1, kZero, 36 + 4 * k);
      b.sw(r1, kZero, 24 + 4 * k);
    }
    pop(b, f, 3, 8);
  });
  EXPECT_EQ(got, (Words{1, 2, 3, 4, 5, 0, 4, 5, 3}));
}

TEST(Fifo, AnInstructionEndsEarlyAndCostsWhatItDid) {
  // Start 7, a move of 8 elements a cycle, and a FIFO of 20.
  const Words got = run_alone(12, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 20);
    store_counting(b, 30);
    int at = 0;
    const auto timed = [&](bool pushes, int n) {
      memory(b, kMemory, pushes ? kWords : 2 * kWords, n);
      fifo(b, kFifo, f, n);
      time(b, 4 * at++,
           [&](ProgramBuilder&) { pushes ? b.vmov32(kFifo, kMemory) : b.vmov32(kMemory, kFifo); });
      note_length(b, f, 4 * at++);
    };
    timed(true, 17);
    timed(true, 30);  // only 3
    timed(true, 30);  // nothing
    timed(false, 9);
    timed(false, 30);  // only 11
    timed(false, 30);  // nothing
  });
  EXPECT_EQ(got, (Words{7 + 3, 17, 7 + 1, 20, 7, 20, 7 + 2, 11, 7 + 2, 0, 7, 0}));
}

TEST(Fifo, WhatIsLeftComesWithTheNextInstruction) {
  const Words got = run_alone(8, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3);
    store_counting(b, 8);
    push(b, f, 8);               // 1 2 3
    pop(b, f, 2, 0);             // 1 2
    push(b, f, 5, kWords + 12);  // 4 5
    pop(b, f, 8, 8);             // 3 4 5
    push(b, f, 3, kWords + 20);  // 6 7 8
    pop(b, f, 3, 20);
  });
  EXPECT_EQ(got, (Words{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Fifo, CountsAsMemoryOfStrideOneForTheRate) {
  const Words got = run_alone(6, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 64), g = b.fifo("other", 64);
    fifo(b, kFifo, f, 9);
    b.dfifo(kOther, g);
    memory(b, kMemory, kWords, 40);
    b.vmov32(kFifo, kMemory);
    memory(b, kMemory, kWords, 9);
    time(b, 0, [](ProgramBuilder& p) { p.vfadds(kMemory, kMemory, kFifo); });
    time(b, 4, [](ProgramBuilder& p) { p.vfaddsr(kMemory, kFifo, r4); });
    time(b, 8, [](ProgramBuilder& p) { p.vfmacsr(kMemory, kFifo, r4); });
    time(b, 12, [](ProgramBuilder& p) { p.vmov32(kOther, kFifo); });
    b.dstride(kMemory, 8);
    b.dlen(kFifo, 3);
    time(b, 16, [](ProgramBuilder& p) { p.vmov32(kMemory, kFifo); });
    b.dstride(kOther, 8);  // of a FIFO nothing
    b.dlen(kOther, 9);
    time(b, 20, [](ProgramBuilder& p) { p.vmov32r(kOther, r4); });
  });
  // Adds 4 a cycle, two sources half of it; multiply-adds 2, read twice 1; moves 8; stride 8: 1.
  EXPECT_EQ(got, (Words{7 + 5, 7 + 3, 7 + 9, 7 + 2, 7 + 3, 7 + 2}));
}

TEST(Fifo, FifolenIsAScalarInstruction) {
  const Words got = run_alone(1, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3);
    time(b, 0, [&](ProgramBuilder& p) { p.fifolen(r1, f); });
  });
  EXPECT_EQ(got.front(), 3U);
}

TEST(Fifo, MovesToAnotherAndIntoItself) {
  const Words got = run_alone(8, [](ProgramBuilder& b) {
    const FifoId from = b.fifo("from", 5), to = b.fifo("to", 3);
    store_counting(b, 5);
    push(b, from, 5);
    fifo(b, kFifo, from, 9);
    b.dfifo(kOther, to);
    b.vmov32(kOther, kFifo);  // 1 2 3, then it is full
    note_length(b, from, 0);
    b.dlen(kFifo, 3);
    b.vmov32(kFifo, kFifo);  // 4 5 -> 5 4 -> 4 5 -> 5 4
    b.dlen(kOther, 3);
    b.vmov32(kOther, kOther);  // full: an element needs room first
    pop(b, from, 5, 4);
    pop(b, to, 5, 12);
  });
  EXPECT_EQ(got, (Words{2, 5, 4, 1, 2, 3, 0, 0}));
}

TEST(Fifo, SumsWithMemoryAndAScalar) {
  const Words got = run_alone(5, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 8);
    store_counting(b, 6);
    memory(b, kMemory, kWords, 4);
    memory(b, kOther, kWords + 8, 4);
    b.dfifo(kFifo, f);
    b.vadd32(kFifo, kMemory, kOther);  // 4 6 8 10
    b.dlen(kFifo, 9);
    memory(b, kOther, 0, 9);
    b.vsub32(kOther, kOther, kFifo);  // ends when the second source is empty
  });
  EXPECT_EQ(got, (Words{~0U - 3, ~0U - 5, ~0U - 7, ~0U - 9, 0}));
}

TEST(Fifo, OfHalves) {
  const Words got = run_alone(6, [](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 3, 2);  // after the six words
    b.li(r1, 0x00020001);
    b.sw(r1, kZero, kWords);
    b.li(r1, 0x00040003);
    b.sw(r1, kZero, kWords + 4);
    memory(b, kMemory, kWords, 4);
    b.dfifo(kFifo, f);
    b.vmov16(kFifo, kMemory);  // 1 2 3
    memory(b, kMemory, 2, 2);
    b.dlen(kFifo, 2);
    b.vmov16(kMemory, kFifo);  // 1 2
    b.li(r1, 0x50009);
    memory(b, kMemory, kWords, 1);
    b.dlen(kFifo, 1);
    b.vmov16r(kFifo, r1);  // 9, in place of 1
    note_length(b, f, 8);
    b.lw(r1, kZero, 24);
    b.sw(r1, kZero, 12);
    b.lh(r1, kZero, 28);
    b.sw(r1, kZero, 16);
    memory(b, kMemory, 20, 2);
    b.dlen(kFifo, 2);
    b.vmov16(kMemory, kFifo);
  });
  EXPECT_EQ(got, (Words{1 << 16, 2, 2, 2 << 16 | 9, 3, 9 << 16 | 3}));
}

TEST(Fifo, ConversionsChangeTheSize) {
  const Words got = run_alone(2, [](ProgramBuilder& b) {
    const FifoId narrow = b.fifo("narrow", 2, 2), wide = b.fifo("wide", 2, 4);
    b.li(r1, 0x3f800000);  // 1.0, FP32
    b.sw(r1, kZero, kWords);
    b.li(r1, 0x40000000);  // 2.0
    b.sw(r1, kZero, kWords + 4);
    memory(b, kMemory, kWords, 2);
    b.dfifo(kFifo, narrow);
    b.vfs2h(kFifo, kMemory);
    b.dlen(kFifo, 1);
    b.dfifo(kOther, wide);
    b.vfh2s(kOther, kFifo);
    pop(b, wide, 2, 0);
    fifo(b, kFifo, narrow, 1);
    memory(b, kMemory, 4, 1);
    b.vmov16(kMemory, kFifo);
  });
  EXPECT_EQ(got, (Words{0x3f800000, 0x4000}));
}

/// PE (1, 1) of 3 x 3 runs this.
Mesh middle(const Code& code) {
  Mesh mesh(3, 3);
  mesh.pe(1, 1).run(code);
  return mesh;
}
constexpr std::uint64_t kFirst = 11 + 3;

TEST(Fifo, AddressesAreCheckedElementByElement) {
  // Two words up to the end of memory: a FIFO of two takes no third. Pushed before the fault: two.
  const auto pushes = [](std::uint32_t capacity) {
    return middle([=](ProgramBuilder& b) { push(b, b.fifo("fifo", capacity), 4, 49152 - 8); });
  };
  Mesh small = pushes(2), large = pushes(3);
  EXPECT_NO_THROW(small.run());
  expect_fault(large, {FaultKind::memory_out_of_range, kFirst + 4 * 3, 1, 1, -1, 49152}, {});

  Mesh pops = middle([](ProgramBuilder& b) {
    const FifoId f = b.fifo("fifo", 2);
    b.li(r1, 5);
    b.sw(r1, kZero, kWords);
    push(b, f, 2);
    pop(b, f, 2, 49152 - 4);
  });
  expect_fault(pops, {FaultKind::memory_out_of_range, kFirst + 6 * 3 + 8 + 5 * 3, 1, 1, -1, 49152},
               {"49152"});
  EXPECT_EQ(pops.word(1, 1, 49152 - 4), 5U) << "the first was done";
}

TEST(Fifo, DescriptorsThatDoNotFit) {
  struct Case {
    const char* what;
    Code code;
  };
  static constexpr Dsr kHalves{3};
  const VectorOptions async{true};
  const auto with_descriptors = [&](const Code& code) {
    return middle([=](ProgramBuilder& b) {
      const FifoId f = b.fifo("fifo", 8), h = b.fifo("halves", 8, 2);
      memory(b, kMemory, kWords, 4);
      fifo(b, kFifo, f, 4);
      fifo(b, kHalves, h, 4);
      code(b);
    });
  };
  const Case bad[] = {
      {"first of two", [](auto& b) { b.vfadds(kMemory, kFifo, kMemory); }},
      {"both of two", [](auto& b) { b.vfadds(kMemory, kFifo, kFifo); }},
      {"first of two, 16 bits", [](auto& b) { b.vadd16(kMemory, kHalves, kMemory); }},
      {"read destination", [](auto& b) { b.vfmacs(kFifo, kMemory, kMemory); }},
      {"read destination, scalar", [](auto& b) { b.vfmacsr(kFifo, kMemory, r1); }},
      {"read destination, 16 bits", [](auto& b) { b.vfmach(kHalves, kMemory, kMemory); }},
      {"read destination, 16 bits, scalar", [](auto& b) { b.vfmachr(kHalves, kMemory, r1); }},
      {"read destination, mixed", [](auto& b) { b.vfmachs(kFifo, kMemory, kMemory); }},
      {"pushes words to halves", [](auto& b) { b.vmov32(kHalves, kMemory); }},
      {"pops words from halves", [](auto& b) { b.vmov32(kMemory, kHalves); }},
      {"pushes halves to words", [](auto& b) { b.vmov16(kFifo, kMemory); }},
      {"pops halves from words", [](auto& b) { b.vmov16(kMemory, kFifo); }},
      {"pushes FP32 to halves", [](auto& b) { b.vfh2s(kHalves, kMemory); }},
      {"pops FP16 from words", [](auto& b) { b.vfh2s(kMemory, kFifo); }},
      {"asynchronous push", [=](auto& b) { b.vmov32(kFifo, kMemory, async); }},
      {"asynchronous pop", [=](auto& b) { b.vmov32(kMemory, kFifo, async); }},
  };
  for (const Case& one : bad) {
    SCOPED_TRACE(one.what);
    Mesh mesh = with_descriptors(one.code);
    expect_fault(mesh, {FaultKind::bad_operands, kFirst + 7 * 3, 1, 1, -1}, {"FIFO"});
  }
  const Case good[] = {
      {"second of two", [](auto& b) { b.vfadds(kMemory, kMemory, kFifo); }},
      {"only source", [](auto& b) { b.vfaddsr(kMemory, kFifo, r1); }},
      {"beside a read destination", [](auto& b) { b.vfmacsr(kMemory, kFifo, r1); }},
      {"second beside a read destination", [](auto& b) { b.vfmacs(kMemory, kMemory, kFifo); }},
      {"destination of two", [](auto& b) { b.vfadds(kFifo, kMemory, kMemory); }},
      {"halves as halves", [](auto& b) { b.vfaddhs(kMemory, kMemory, kHalves); }},
  };
  for (const Case& one : good) {
    SCOPED_TRACE(one.what);
    Mesh mesh = with_descriptors(one.code);
    EXPECT_NO_THROW(mesh.run());
  }
}

TEST(Fifo, AVectorLongerThanADescriptorsLength) {
  Mesh mesh = middle([](ProgramBuilder& b) {
    fifo(b, kFifo, b.fifo("fifo", 2), 65536);
    b.vmov32r(kFifo, r1);
  });
  expect_fault(mesh, {FaultKind::bad_length, kFirst + 2 * 3, 1, 1, -1, 65536}, {"65536"});
}

TEST(Fifo, TheBuilderRefusesWhatCannotBe) {
  const auto refused = [](const Code& misuse, const std::string& part) {
    ProgramBuilder b("sample");
    expect_error(
        ErrorCategory::program, [&] { misuse(b); }, "program sample", part);
  };
  for (const std::uint32_t bytes : {0U, 1U, 3U, 8U})
    refused([=](auto& b) { b.fifo("mine", 4, bytes); }, "mine");
  refused([](auto& b) { b.fifo("mine", 0); }, "mine");
  refused([](auto& b) { b.fifo("mine", 262145); }, "mine");
  refused([](auto& b) { b.fifo("mine", ~0U); }, "mine");
  refused([](auto& b) { b.fifo("mine", 1U << 30); }, "mine");  // 2^32 bytes
  refused([](auto& b) { b.fifo("mine", 4, 4, Task{TaskKind::data, 3}); }, "mine");
  refused([](auto& b) { b.fifo("mine", 4, 4, {}, Task{TaskKind::control, 3}); }, "mine");
  refused([](auto& b) { b.fifo("mine", 4, 4, Task{TaskKind::local, 31}); }, "mine");
  refused(
      [](auto& b) {
        b.reserve("mine", 4);
        b.fifo("mine", 4);
      },
      "mine");
  refused(
      [](auto& b) {
        for (int n = 0; n < kFifos; ++n) b.fifo("fifo" + std::to_string(n), 4);
        b.fifo("mine", 4);
      },
      "at most 8");
  refused(
      [](auto& b) {
        b.fifo("mine", 4);
        b.local_task(0);
        b.dfifo(kFifo, FifoId{1});
        b.end();
        b.build();
      },
      "FIFO 1, which does not exist");
  ProgramBuilder b("sample");
  EXPECT_NO_THROW(b.fifo("large", 10000));
}

}  // namespace
}  // namespace weft::test::fifos_test
