// Instructions that set descriptors, and the order of elements.
#include <gtest/gtest.h>

#include <bit>

#include "support/mesh.hpp"

namespace weft::test::descriptors_test {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

float f(Word w) { return std::bit_cast<float>(w); }
Word w(float x) { return std::bit_cast<Word>(x); }
std::int32_t i(Word x) { return static_cast<std::int32_t>(x); }

constexpr Reg kA{2}, kB{3}, kZero{15};

TEST(Instructions, DescriptorsOfDifferentPesMayDiffer) {
  // Each PE reverses as many words as its column says.
  ProgramBuilder b("reverse");
  b.reserve("words", 128);
  b.start(b.local_task(0));
  b.xcoord(kA);
  b.dbase(Dsr{0}, 64);
  b.dlenr(Dsr{0}, kA, 0);
  b.dstride(Dsr{0}, 1);
  b.shli(kB, kA, 2);
  b.dbaser(Dsr{1}, kB, -4);  // the last of its words
  b.dlenr(Dsr{1}, kA);
  b.dstride(Dsr{1}, -1);
  b.vmov32(Dsr{0}, Dsr{1});
  b.end();
  constexpr int width = 12;
  const Rect all{0, 0, width, 1};
  Layout layout(width, 1);
  layout.place(all, b.build());
  Fabric fabric(layout, test_machine(), test_options());
  Words words;
  for (int x = 0; x < width; ++x)
    for (Word k = 0; k < 32; ++k) words.push_back(k < 16 ? 100 + k : 0);
  fabric.write(all, 0, words);
  // Column 0 has a base of -4, but no element to access.
  fabric.run_until_idle(10000);
  fabric.read(all, 0, words);
  for (std::size_t x = 0; x < width; ++x)
    for (std::size_t k = 0; k < 16; ++k)
      EXPECT_EQ(words[32 * x + 16 + k], k < x ? 100 + x - 1 - k : 0) << "PE " << x << " word " << k;
}

TEST(Instructions, DaddMovesADescriptor) {
  const Words got = run_alone(8, [](ProgramBuilder& b) {
    b.li(kA, 8);
    b.li(kB, 5);
    b.dbase(Dsr{0}, 4);
    b.dlen(Dsr{0}, 1);
    b.dadd(Dsr{0}, kA, 4);
    b.vmov32r(Dsr{0}, kB);
  });
  EXPECT_EQ(got, (Words{0, 0, 0, 0, 5, 0, 0, 0}));
}

TEST(Instructions, AStrideMayComeFromARegister) {
  const Words got = run_alone(8, [](ProgramBuilder& b) {
    b.li(kA, 2);
    b.li(kB, 5);
    b.dbase(Dsr{0}, 4);
    b.dlen(Dsr{0}, 3);
    b.dstrider(Dsr{0}, kA, 1);
    b.vmov32r(Dsr{0}, kB);
  });
  EXPECT_EQ(got, (Words{0, 5, 0, 0, 5, 0, 0, 5}));
}

TEST(Instructions, AVectorSeesItsOwnEarlierElements) {
  // d[k + 1] = d[k] + d[k]: elements go in order.
  const Words got = run_alone(6, [](ProgramBuilder& b) {
    b.li(kA, i(w(1.0F)));
    b.sw(kA, kZero, 0);
    b.dbase(Dsr{0}, 4);
    b.dlen(Dsr{1}, 5);
    b.dstride(Dsr{0}, 1);
    b.dstride(Dsr{1}, 1);
    b.vfadds(Dsr{0}, Dsr{1}, Dsr{1});
  });
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(f(got[k]), static_cast<float>(1 << k));
}

TEST(Instructions, ADestinationOfStrideZeroCollects) {
  const Words got = run_alone(5, [](ProgramBuilder& b) {
    for (int n = 1; n < 5; ++n) {
      b.li(kA, i(w(static_cast<float>(n))));
      b.sw(kA, kZero, 4 * n);
    }
    b.dbase(Dsr{0}, 0);
    b.dlen(Dsr{0}, 4);
    b.dbase(Dsr{1}, 4);
    b.dlen(Dsr{1}, 4);
    b.dstride(Dsr{1}, 1);
    b.vfmacs(Dsr{0}, Dsr{1}, Dsr{1});  // 30
    b.vfadds(Dsr{0}, Dsr{0}, Dsr{1});  // and 10
    b.vfmaxs(Dsr{0}, Dsr{0}, Dsr{1});
  });
  EXPECT_EQ(f(got[0]), 40);
}

}  // namespace
}  // namespace weft::test::descriptors_test
