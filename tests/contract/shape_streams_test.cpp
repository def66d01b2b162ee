// Shapes as ends of microthreads, and shapes that leave the PE's memory.
#include <gtest/gtest.h>

#include "support/expect_fault.hpp"

namespace weft::test::shape_streams_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kColor = 5;
constexpr Reg r1{1}, kZero{15};
constexpr Dsr d0{0}, d1{1}, d2{2};

/// The first instruction of a PE's own, after its helper's.
constexpr std::uint64_t kFirst = 11 + 3;

/// Words 1, 2, ... from this byte address on.
void store_counting(ProgramBuilder& b, int address, int count) {
  for (int k = 0; k < count; ++k) {
    b.li(r1, k + 1);
    b.sw(r1, kZero, address + 4 * k);
  }
}

Words words(const Mesh& mesh, int x, std::uint32_t address, std::uint32_t count) {
  Words all;
  for (std::uint32_t k = 0; k < count; ++k) all.push_back(mesh.word(x, 0, address + 4 * k));
  return all;
}

TEST(ShapeStream, ASourceSendsInItsOrderOneElementACycle) {
  // A 2 x 3 matrix by columns, once and a half: the outermost index goes on past its extent.
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).run([](ProgramBuilder& b) {
    store_counting(b, 4000, 10);
    b.dbase(d0, 4000);
    b.dshape(d0, b.shape({{3, 1}, {2, 3}}));
    b.dlen(d0, 9);
    b.dfabout(d1, 0, kColor);
    b.vmov32(d1, d0);
  });
  mesh.pe(1).receive(0, 9);
  mesh.trace(300);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 4, 2, 5, 3, 6, 4, 7, 5}));
  const std::uint64_t first = kFirst + 24 * 3 + first_element(mesh.machine());
  const auto arrivals = mesh.arrivals(1, 0, 0);
  ASSERT_EQ(arrivals.size(), 9U);
  for (std::uint64_t k = 0; k < 9; ++k)
    EXPECT_EQ(arrivals[k], first + k + travel(mesh.machine(), 1));
}

TEST(ShapeStream, ADestinationScattersWhatComes) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, counting(14));
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 0);
    b.dlen(d0, 14);
    b.dbase(d1, 4000 + 4 * 5);
    b.dshape(d1, b.shape({{1, 8}, {2, 4}, {3, -1}}));
    b.vmov32(d1, d0);
  });
  mesh.run();
  // Words 5 4 3, 9 8 7, then 8 further: 13 12 11, 17 16 15, then 21 20.
  EXPECT_EQ(words(mesh, 1, 4000, 23),
            (Words{0, 0, 0, 3, 2, 1, 0, 6, 5, 4, 0, 9, 8, 7, 0, 12, 11, 10, 0, 0, 14, 13, 0}));
}

TEST(ShapeStream, AReadDestinationIsReadWhereItIsWritten) {
  // memory + fabric into the same shape: what comes first adds to element 0.
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {100, 200, 300, 400});
  mesh.pe(1).run([](ProgramBuilder& b) {
    store_counting(b, 4000, 4);
    b.dbase(d0, 4000);
    b.dshape(d0, b.shape({{2, 1}, {2, 2}}));
    b.dfabin(d1, 0);
    b.dlen(d1, 4);
    b.vadd32(d0, d1, d0);
  });
  mesh.run();
  EXPECT_EQ(words(mesh, 1, 4000, 4), (Words{101, 302, 203, 404}));
}

TEST(ShapeStream, KeepsTheShapeOfItsStart) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).run([](ProgramBuilder& b) {
    store_counting(b, 4000, 8);
    b.dbase(d0, 4000);
    b.dshape(d0, b.shape({{4, 1}, {2, 4}}));
    b.dfabout(d1, 0, kColor);
    b.vmov32(d1, d0, {true});
    b.dshape(d0, b.shape({{2, 0}}));
    b.dbase(d0, 0);
  });
  mesh.pe(1).receive(0, 8);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 5, 2, 6, 3, 7, 4, 8}));
}

TEST(ShapeStream, AnElementPastTheMemoryIsAFaultWhenItsTurnComes) {
  // The third of four is outside; the two before it are written.
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, counting(4));
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 0);
    b.dlen(d0, 4);
    b.dbase(d1, 49152 - 4);
    b.dshape(d1, b.shape({{2, 1}, {2, -2}}));
    b.vmov32(d1, d0);
  });
  const std::uint64_t first = kFirst + 5 * 3 + 4 + travel(mesh.machine(), 1);
  expect_fault(mesh, {FaultKind::memory_out_of_range, first + 2, 1, 0, -1, 49152},
               {"49152", "pe_memory_bytes"});
  EXPECT_EQ(mesh.word(1, 0, 49152 - 4), 1U);
  EXPECT_EQ(mesh.word(1, 0, 49152 - 12), 2U);
}

/// PE (1, 1) of 3 x 3 puts 77 into every element of this shape at `base`.
Mesh fills(int base, std::initializer_list<Dimension> dimensions) {
  Mesh mesh(3, 3);
  const std::vector<Dimension> d = dimensions;
  mesh.pe(1, 1).run([=](ProgramBuilder& b) {
    b.li(r1, 77);
    b.dbase(d0, base);
    b.dshape(d0, d.size() == 1   ? b.shape({d[0]})
                 : d.size() == 2 ? b.shape({d[0], d[1]})
                                 : b.shape({d[0], d[1], d[2]}));
    b.vmov32r(d0, r1);
  });
  return mesh;
}
constexpr std::uint64_t kFills = kFirst + 3 * 3;

TEST(ShapeRange, AnElementInTheMiddleIsChecked) {
  // First and last element are inside; the second is not. Nothing is written.
  Mesh mesh = fills(49152 - 4, {{2, -2}, {2, 1}});
  expect_fault(mesh, {FaultKind::memory_out_of_range, kFills, 1, 1, -1, 49152},
               {"49152", "PE (1, 1)", "base, stride and length"});
  EXPECT_EQ(mesh.word(1, 1, 49152 - 4), 0U);
  EXPECT_EQ(mesh.word(1, 1, 49152 - 12), 0U);
}

TEST(ShapeRange, BelowTheMemory) {
  // 0, -1, 3, 2.
  Mesh mesh = fills(0, {{2, 3}, {2, -1}});
  expect_fault(mesh, {FaultKind::memory_out_of_range, kFills, 1, 1, -1}, {"pe_memory_bytes"});
  EXPECT_EQ(mesh.word(1, 1, 0), 0U);
  EXPECT_EQ(mesh.word(1, 1, 12), 0U);
}

TEST(ShapeRange, AFarStrideDoesNotComeAround) {
  // 4 bytes x 32767 x 65534 is past what 32 bits hold; every address in between is outside too.
  Mesh mesh = fills(0, {{65535, 32767}});
  expect_fault(mesh, {FaultKind::memory_out_of_range, kFills, 1, 1, -1}, {});
  EXPECT_EQ(mesh.word(1, 1, 0), 0U);
}

TEST(ShapeRange, UpToBothEndsIsFine) {
  Mesh high = fills(49152 - 4, {{2, -8}, {2, -1}, {3, -2}});
  EXPECT_NO_THROW(high.run());
  EXPECT_EQ(high.word(1, 1, 49152 - 4), 77U);
  Mesh low = fills(8, {{2, 2}, {2, -2}, {2, 1}});  // words 2 3 0 1, 4 5 2 3
  EXPECT_NO_THROW(low.run());
  for (const std::uint32_t word : {0U, 1U, 2U, 3U, 4U, 5U})
    EXPECT_EQ(low.word(1, 1, 4 * word), 77U) << word;
  EXPECT_EQ(low.word(1, 1, 24), 0U);
}

TEST(ShapeRange, AnAddressThatIsNoMultipleOfTheSize) {
  Mesh mesh = fills(4002, {{2, 8}, {2, 1}});
  expect_fault(mesh, {FaultKind::memory_misaligned, kFills, 1, 1, -1, 4002}, {"4002", "align"});
}

/// An addition on PE (1, 1) whose operands lie where these tell, of two elements, 64 words apart.
Mesh adds(int d, int a, int b_) {
  Mesh mesh(3, 3);
  mesh.pe(1, 1).run([=](ProgramBuilder& b) {
    const ShapeId shape = b.shape({{2, 64}, {1, 1}});
    b.dbase(d0, d);
    b.dshape(d0, shape);
    b.dbase(d1, a);
    b.dshape(d1, shape);
    b.dbase(d2, b_);
    b.dshape(d2, shape);
    b.vadd32(d0, d1, d2);
  });
  return mesh;
}

TEST(ShapeRange, TheDestinationIsCheckedFirstThenTheSourcesInOrder) {
  // The second element of an operand at 49152 - 256 + 4 k is at 49152 + 4 k.
  constexpr int kBad = 49152 - 256;
  const std::uint64_t issue = kFirst + 6 * 3;
  Mesh all = adds(kBad, kBad + 4, kBad + 8), sources = adds(4000, kBad + 4, kBad + 8);
  Mesh second = adds(4000, 5000, kBad + 8);
  const auto expect = [&](Mesh& mesh, std::int64_t address) {
    expect_fault(mesh, {FaultKind::memory_out_of_range, issue, 1, 1, -1, address}, {});
  };
  expect(all, 49152);
  expect(sources, 49152 + 4);
  expect(second, 49152 + 8);
  // A fault of a later operand does not hide behind another kind of an earlier one.
  Mesh mixed = adds(4000, 5002, kBad);
  expect_fault(mixed, {FaultKind::memory_misaligned, issue, 1, 1, -1, 5002}, {});
}

}  // namespace
}  // namespace weft::test::shape_streams_test
