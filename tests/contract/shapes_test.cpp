// Descriptors of memory with up to four dimensions: which elements, in which order, at which rate.
#include <gtest/gtest.h>

#include <numeric>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::shapes_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Dimensions = std::vector<Dimension>;

constexpr Reg r1{1}, r2{2}, r3{3}, kZero{15};
constexpr Dsr kTo{0}, kFrom{1}, kFabric{2};

// Memory of most tests: words that hold their own number, then room for results.
constexpr int kImageWords = 512;
constexpr int kResults = 4 * kImageWords;

ShapeId shape_of(ProgramBuilder& b, const Dimensions& d) {
  switch (d.size()) {
    case 1:
      return b.shape({d[0]});
    case 2:
      return b.shape({d[0], d[1]});
    case 3:
      return b.shape({d[0], d[1], d[2]});
    default:
      return b.shape({d[0], d[1], d[2], d[3]});
  }
}

/// A descriptor of this shape, its element 0 at byte `base`; `n` elements, if given.
void shaped(ProgramBuilder& b, Dsr dsr, int base, const Dimensions& dimensions, int n = -1) {
  b.dbase(dsr, base);
  b.dshape(dsr, shape_of(b, dimensions));
  if (n >= 0) b.dlen(dsr, n);
}

void flat(ProgramBuilder& b, Dsr dsr, int base, int n, int stride = 1) {
  b.dbase(dsr, base);
  b.dlen(dsr, n);
  b.dstride(dsr, stride);
}

/// Runs `code` on one PE whose words hold their own number; its first `count` words from `address`.
Words run_on_image(const std::function<void(ProgramBuilder&)>& code, int address, int count) {
  ProgramBuilder b("shapes");
  b.reserve("image", 8 * kImageWords);
  b.start(b.local_task(0));
  code(b);
  b.end();
  Fabric fabric(alone(b.build()), test_machine(), test_options());
  Words image(kImageWords);
  std::iota(image.begin(), image.end(), 0U);
  fabric.write({0, 0, 1, 1}, 0, image);
  fabric.run_until_idle(100000);
  Words words(static_cast<std::size_t>(count));
  fabric.read({0, 0, 1, 1}, static_cast<std::uint32_t>(address), words);
  return words;
}

/// Numbers of the words that a source of this shape reads, in order, from word `first`.
Words order(const Dimensions& dimensions, int first, int n) {
  return run_on_image(
      [&](ProgramBuilder& b) {
        shaped(b, kFrom, 4 * first, dimensions, n);
        flat(b, kTo, kResults, n);
        b.vmov32(kTo, kFrom);
      },
      kResults, n);
}

TEST(Shape, TheLastDimensionRunsFastest) {
  EXPECT_EQ(order({{4, 3}}, 100, 4), (Words{100, 103, 106, 109}));
  EXPECT_EQ(order({{2, 50}, {3, 1}}, 100, 6), (Words{100, 101, 102, 150, 151, 152}));
  EXPECT_EQ(order({{2, 1}, {3, 50}}, 100, 6), (Words{100, 150, 200, 101, 151, 201}));
  EXPECT_EQ(order({{2, 100}, {2, 10}, {2, 1}}, 0, 8), (Words{0, 1, 10, 11, 100, 101, 110, 111}));
}

TEST(Shape, StridesMayBeNegativeOrZero) {
  EXPECT_EQ(order({{3, -1}}, 100, 3), (Words{100, 99, 98}));
  EXPECT_EQ(order({{2, -50}, {3, 2}}, 100, 6), (Words{100, 102, 104, 50, 52, 54}));
  EXPECT_EQ(order({{2, 50}, {3, -2}}, 100, 6), (Words{100, 98, 96, 150, 148, 146}));
  EXPECT_EQ(order({{3, 1}, {2, 0}}, 100, 6), (Words{100, 100, 101, 101, 102, 102}));
  EXPECT_EQ(order({{2, 0}, {3, 1}}, 100, 6), (Words{100, 101, 102, 100, 101, 102}));
}

TEST(Shape, FourDimensionsNest) {
  Words expected;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 5; ++l)
          expected.push_back(static_cast<std::uint32_t>(200 + 130 * i - 40 * j + 7 * k - l));
  EXPECT_EQ(order({{2, 130}, {3, -40}, {4, 7}, {5, -1}}, 200, 120), expected);
}

TEST(Shape, ItsLengthIsTheProductOfItsExtents) {
  // No dlen: 24 elements are copied, and no more.
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        shaped(b, kFrom, 0, {{2, 100}, {3, 10}, {4, 1}});
        flat(b, kTo, kResults, 0);
        b.vmov32(kTo, kFrom);
      },
      kResults, 25);
  EXPECT_EQ(got[11], 23U);
  EXPECT_EQ(got[23], 123U);
  EXPECT_EQ(got[24], 0U);
}

TEST(Shape, PastItsEndTheOutermostIndexGoesOn) {
  EXPECT_EQ(order({{2, 5}}, 100, 5), (Words{100, 105, 110, 115, 120}));
  EXPECT_EQ(order({{2, 10}, {2, 1}}, 0, 7), (Words{0, 1, 10, 11, 20, 21, 30}));
  EXPECT_EQ(order({{1, 10}, {2, 1}}, 0, 5), (Words{0, 1, 10, 11, 20}));
  EXPECT_EQ(order({{1, -50}, {2, 10}, {2, 1}}, 100, 10),
            (Words{100, 101, 110, 111, 50, 51, 60, 61, 0, 1}));
  EXPECT_EQ(order({{1, 100}, {1, 20}, {2, 10}, {2, 1}}, 0, 9),
            (Words{0, 1, 10, 11, 100, 101, 110, 111, 200}));
}

TEST(Shape, AShorterInstructionStopsWithinIt) {
  EXPECT_EQ(order({{2, 10}, {3, 1}}, 0, 4), (Words{0, 1, 2, 10}));
}

TEST(Shape, ADestinationScatters) {
  // Longer than its shape too: the source counts.
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        flat(b, kFrom, 4, 7);
        shaped(b, kTo, kResults, {{2, 4}, {2, 2}});
        b.vmov32(kTo, kFrom);
      },
      kResults, 16);
  EXPECT_EQ(got, (Words{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0, 0}));
}

TEST(Shape, EveryOperandHasItsOwn) {
  // A 2 x 3 matrix, transposed, plus two words that repeat.
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        shaped(b, kFrom, 4 * 100, {{3, 1}, {2, 10}});
        shaped(b, kFabric, 4 * 7, {{3, 0}, {2, 1}});
        shaped(b, kTo, kResults + 20, {{3, 2}, {2, -1}});
        b.vadd32(kTo, kFrom, kFabric);
      },
      kResults, 11);
  // Elements: 100 + 7, 110 + 8, 101 + 7, 111 + 8, 102 + 7, 112 + 8; to 5, 4, 7, 6, 9, 8.
  EXPECT_EQ(got, (Words{0, 0, 0, 0, 118, 107, 119, 108, 120, 109, 0}));
}

TEST(Shape, ASourceMayOverlapTheDestination) {
  // Element by element: what an element wrote is what a later one reads.
  const auto moved = [](const Dimensions& dimensions, int from, int to) {
    return run_on_image(
        [&](ProgramBuilder& b) {
          shaped(b, kFrom, 4 * from, dimensions);
          shaped(b, kTo, 4 * to, dimensions);
          b.vmov32(kTo, kFrom);
        },
        0, 8);
  };
  EXPECT_EQ(moved({{2, 4}, {3, 1}}, 0, 1), (Words{0, 0, 0, 0, 4, 4, 4, 4}));
  EXPECT_EQ(moved({{2, 4}, {3, 1}}, 1, 0), (Words{1, 2, 3, 3, 5, 6, 7, 7}));
  EXPECT_EQ(moved({{2, 3}, {3, 1}}, 0, 2), (Words{0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(Shape, HalvesStandTwoBytesApart) {
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        for (int k = 0; k < 6; ++k) {
          b.li(r1, k);
          b.sh(r1, kZero, kResults + 2 * k);
        }
        shaped(b, kFrom, kResults, {{2, 1}, {3, 2}});
        shaped(b, kTo, kResults + 32 + 10, {{6, -1}});
        b.vmov16(kTo, kFrom);
      },
      kResults + 32, 3);
  // 0 2 4 1 3 5, from the last half to the first.
  EXPECT_EQ(got, (Words{5 | 3 << 16, 1 | 4 << 16, 2 | 0 << 16}));
}

TEST(Shape, OperandsOfTwoSizes) {
  // FP16 1.0 and 2.0 in the halves of a word, to FP32 words 8 bytes apart, the second one first.
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        b.li(r1, 0x40003c00);
        b.sw(r1, kZero, kResults);
        shaped(b, kFrom, kResults + 2, {{2, -1}});
        shaped(b, kTo, kResults + 4, {{2, 2}});
        b.vfh2s(kTo, kFrom);
      },
      kResults + 4, 3);
  EXPECT_EQ(got, (Words{0x40000000, 0, 0x3f800000}));
}

TEST(Shape, DaddMovesItAndDbaseEndsIt) {
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        b.li(r1, 8);
        shaped(b, kFrom, 0, {{2, 100}, {2, 10}});
        b.dstride(kFrom, 3);  // of a shape nothing
        b.dadd(kFrom, r1, 4);
        flat(b, kTo, kResults, 4);
        b.vmov32(kTo, kFrom);
        b.dbase(kFrom, 0);  // memory with this stride again
        b.dbase(kTo, kResults + 16);
        b.vmov32(kTo, kFrom);
      },
      kResults, 8);
  EXPECT_EQ(got, (Words{3, 13, 103, 113, 0, 3, 6, 9}));
}

TEST(Shape, AProgramMayHaveMany) {
  const Words got = run_on_image(
      [](ProgramBuilder& b) {
        b.dbase(kFrom, 0);
        flat(b, kTo, kResults, 0);
        b.li(r1, 8);
        for (int k = 0; k < 256; ++k) {
          const auto stride = static_cast<std::int16_t>(k);
          b.dshape(kFrom, b.shape({{2, stride}}));
          b.vmov32(kTo, kFrom);
          b.dadd(kTo, r1);
        }
      },
      kResults, 512);
  for (std::uint32_t k = 0; k < 256; ++k) {
    EXPECT_EQ(got[2 * k], 0U);
    EXPECT_EQ(got[2 * k + 1], k);
  }
}

/// Cycles of a copy between these shapes.
std::uint32_t copy_cycles(const Dimensions& to, const Dimensions& from, int n) {
  const Words stamps = run_on_image(
      [&](ProgramBuilder& b) {
        shaped(b, kTo, 20000, to, n);
        shaped(b, kFrom, 30000, from, n);
        b.tsc(r1);
        b.vmov32(kTo, kFrom);
        b.tsc(r2);
        b.sub(r3, r2, r1);
        b.sw(r3, kZero, 0);
      },
      0, 1);
  return stamps[0] - 3;
}

TEST(Shape, TheStrideOfTheLastDimensionIsTheRates) {
  // Start 7; move 8 elements a cycle, 4 with stride 4, 2 with stride 7 or -1, 1 with stride 8.
  EXPECT_EQ(copy_cycles({{4, 8}, {8, 1}}, {{4, 8}, {8, 1}}, 32), 7U + 4);
  EXPECT_EQ(copy_cycles({{8, 1}, {4, 8}}, {{4, 8}, {8, 1}}, 32), 7U + 32);
  EXPECT_EQ(copy_cycles({{4, 8}, {8, 1}}, {{8, 1}, {4, 8}}, 32), 7U + 32);
  EXPECT_EQ(copy_cycles({{4, 1}, {8, 4}}, {{32, 1}}, 32), 7U + 8);
  EXPECT_EQ(copy_cycles({{32, 7}}, {{4, 8}, {8, 3}}, 32), 7U + 16);
  EXPECT_EQ(copy_cycles({{32, 1}}, {{2, 8}, {2, 8}, {2, 8}, {4, -1}}, 32), 7U + 16);
  EXPECT_EQ(copy_cycles({{4, 8}, {8, 0}}, {{32, 2}}, 33), 7U + 5);
  EXPECT_EQ(copy_cycles({{4, 8}, {1, 8}}, {{4, 1}}, 4), 7U + 4) << "of one element too";
}

/// All PEs copy 8 words from word 64 on to word 256 on, odd ones by another shape.
TEST(Shape, ThoseOfDifferentPesMayDiffer) {
  ProgramBuilder b("two-shapes");
  b.reserve("image", 8 * kImageWords);
  const ShapeId rows = b.shape({{2, 10}, {4, 1}}), columns = b.shape({{4, -1}, {2, 3}});
  const Label odd = b.label(), both = b.label();
  b.start(b.local_task(0));
  b.dbase(kFrom, 4 * 64);
  flat(b, kTo, 4 * 256, 0);
  b.xcoord(r1);
  b.li(r2, 1);
  b.band(r1, r1, r2);
  b.beq(r1, r2, odd);  // either way takes 11 cycles
  b.dshape(kFrom, rows);
  b.jump(both);
  b.place(odd);
  b.dshape(kFrom, columns);
  b.mov(r3, r3);
  b.place(both);
  b.vmov32(kTo, kFrom);
  b.end();
  Layout layout(20, 5);
  layout.place({0, 0, 20, 5}, b.build());
  Fabric fabric(layout, test_machine(), test_options());
  Words image(kImageWords);
  std::iota(image.begin(), image.end(), 0U);
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 5; ++y) fabric.write({x, y, 1, 1}, 0, image);
  fabric.run_until_idle(1000);
  for (int n = 0; n < 100; ++n) {
    const int x = n % 20, y = n / 20;
    Words got(8);
    fabric.read({x, y, 1, 1}, 4 * 256, got);
    const Words even = {64, 65, 66, 67, 74, 75, 76, 77}, uneven = {64, 67, 63, 66, 62, 65, 61, 64};
    EXPECT_EQ(got, x % 2 == 0 ? even : uneven) << x << ", " << y;
  }
}

TEST(Shape, TheBuilderRefusesWhatCannotBe) {
  const auto refused = [](std::initializer_list<Dimension> dimensions, const std::string& part) {
    ProgramBuilder b("sample");
    expect_error(
        ErrorCategory::program, [&] { b.shape(dimensions); }, "program sample", part);
  };
  refused({}, "0 dimensions");
  refused({{2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}}, "5 dimensions");
  refused({{2, 1}, {0, 1}}, "elements");
  refused({{256, 256}, {256, 1}}, "65535");
  refused({{65535, 1}, {65535, 1}, {65535, 1}, {65535, 1}}, "65535");
  ProgramBuilder b("sample");
  EXPECT_NO_THROW(b.shape({{65535, 1}}));
  EXPECT_NO_THROW(b.shape({{255, 257}, {257, -1}}));
  expect_error(
      ErrorCategory::program,
      [&] {
        b.local_task(0);
        b.dshape(kFrom, ShapeId{2});
        b.end();
        b.build();
      },
      "program sample", "shape 2, which does not exist");
}

}  // namespace
}  // namespace weft::test::shapes_test
