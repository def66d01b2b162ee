// Vector instructions of every class against plain expressions, on any bit patterns: subnormals,
// infinities and NaNs too, at odd halfwords, with overlaps, and with descriptors that differ per
// PE.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <type_traits>

#include "isa/info.hpp"
#include "support/half.hpp"
#include "support/mesh.hpp"

namespace weft::test::halves_test {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

constexpr Reg r1{1}, kScalar{2}, kSelect{3}, kZero{15};
constexpr Dsr kD{0}, kA{1}, kB{2};

float f(Word w) { return std::bit_cast<float>(w); }

/// The bits of an FP32 result: every NaN is the same.
Word w(float x) { return std::isnan(x) ? 0x7fc00000U : std::bit_cast<Word>(x); }

/// The value of an FP16 number as FP32; exact.
float h(Word word) { return static_cast<float>(value(word)); }

std::int32_t signed16(Word word) { return static_cast<std::int16_t>(word & 0xffffU); }

/// Toward 0; the nearest one beyond their range, and 0 of a NaN.
Word whole16(float x) {
  if (std::isnan(x)) return 0;
  return static_cast<Word>(static_cast<int>(std::clamp(x, -32768.0F, 32767.0F))) & 0xffffU;
}

Word larger(Word a, Word b) {
  return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fc00000U : f(a) < f(b) ? b : a;
}
Word smaller(Word a, Word b) {
  return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fc00000U : f(b) < f(a) ? b : a;
}
Word larger_half(Word a, Word b) {
  if (std::isnan(h(a)) || std::isnan(h(b))) return 0x7e00U;
  return (h(a) < h(b) ? b : a) & 0xffffU;
}
Word smaller_half(Word a, Word b) {
  if (std::isnan(h(a)) || std::isnan(h(b))) return 0x7e00U;
  return (h(b) < h(a) ? b : a) & 0xffffU;
}

struct Vector {
  const char* name;
  unsigned bytes[3];  ///< of an element of d, a and b
  std::function<void(ProgramBuilder&)> instruction;
  std::function<Word(Word, Word, Word)>
      expected;  ///< of d, a and b; b is the scalar where there is one
  bool scalar = false, one_source = false;
};

Vector vv(const char* name, std::array<unsigned, 3> bytes,
          void (ProgramBuilder::*method)(Dsr, Dsr, Dsr, VectorOptions, CallLine),
          std::function<Word(Word, Word, Word)> expected) {
  return {name,
          {bytes[0], bytes[1], bytes[2]},
          [=](ProgramBuilder& b) { (b.*method)(kD, kA, kB, {}, {}); },
          std::move(expected)};
}

Vector vr(const char* name, unsigned bytes,
          void (ProgramBuilder::*method)(Dsr, Dsr, Reg, VectorOptions, CallLine),
          std::function<Word(Word, Word, Word)> expected) {
  return {name,
          {bytes, bytes, bytes},
          [=](ProgramBuilder& b) { (b.*method)(kD, kA, kScalar, {}, {}); },
          std::move(expected),
          true};
}

Vector v(const char* name, unsigned d, unsigned a,
         void (ProgramBuilder::*method)(Dsr, Dsr, VectorOptions, CallLine),
         std::function<Word(Word, Word, Word)> expected) {
  return {name,
          {d, a, a},
          [=](ProgramBuilder& b) { (b.*method)(kD, kA, {}, {}); },
          std::move(expected),
          false,
          true};
}

Vector r(const char* name, unsigned bytes,
         void (ProgramBuilder::*method)(Dsr, Reg, VectorOptions, CallLine),
         std::function<Word(Word, Word, Word)> expected) {
  return {name,
          {bytes, bytes, bytes},
          [=](ProgramBuilder& b) { (b.*method)(kD, kScalar, {}, {}); },
          std::move(expected),
          true};
}

/// The larger, or the smaller, by a compare of numbers of the type T.
template <class T, class Compare>
Word chosen(Word, Word a, Word b) {
  return static_cast<Word>(static_cast<std::make_unsigned_t<T>>(
      Compare()(static_cast<T>(a), static_cast<T>(b)) ? a : b));
}

constexpr std::array<unsigned, 3> kHalves{2, 2, 2}, kWords{4, 4, 4};

const std::vector<Vector>& vectors() {
  using B = ProgramBuilder;
  static const std::vector<Vector> all = {
      vv("vfaddh", kHalves, &B::vfaddh,
         [](Word, Word a, Word b) { return half(value(a) + value(b)); }),
      vv("vfsubh", kHalves, &B::vfsubh,
         [](Word, Word a, Word b) { return half(value(a) - value(b)); }),
      vv("vfmulh", kHalves, &B::vfmulh,
         [](Word, Word a, Word b) { return half(value(a) * value(b)); }),
      vv("vfmach", kHalves, &B::vfmach,
         [](Word d, Word a, Word b) { return half(value(d) + value(a) * value(b)); }),
      vr("vfaddhr", 2, &B::vfaddhr, [](Word, Word a, Word b) { return half(value(a) + value(b)); }),
      vr("vfmulhr", 2, &B::vfmulhr, [](Word, Word a, Word b) { return half(value(a) * value(b)); }),
      vr("vfmachr", 2, &B::vfmachr,
         [](Word d, Word a, Word b) { return half(value(d) + value(a) * value(b)); }),
      vv("vfmaxh", kHalves, &B::vfmaxh, [](Word, Word a, Word b) { return larger_half(a, b); }),
      vv("vadd16", kHalves, &B::vadd16, [](Word, Word a, Word b) { return (a + b) & 0xffffU; }),
      vv("vsub16", kHalves, &B::vsub16, [](Word, Word a, Word b) { return (a - b) & 0xffffU; }),
      vv("vand16", kHalves, &B::vand16, [](Word, Word a, Word b) { return a & b & 0xffffU; }),
      vv("vor16", kHalves, &B::vor16, [](Word, Word a, Word b) { return (a | b) & 0xffffU; }),
      vv("vxor16", kHalves, &B::vxor16, [](Word, Word a, Word b) { return (a ^ b) & 0xffffU; }),
      v("vmov16", 2, 2, &B::vmov16, [](Word, Word a, Word) { return a & 0xffffU; }),
      r("vmov16r", 2, &B::vmov16r, [](Word, Word, Word b) { return b & 0xffffU; }),
      vr("vsll16r", 2, &B::vsll16r, [](Word, Word a, Word b) { return a << b % 16 & 0xffffU; }),
      vr("vslr16r", 2, &B::vslr16r, [](Word, Word a, Word b) { return (a & 0xffffU) >> b % 16; }),
      vr("vsar16r", 2, &B::vsar16r,
         [](Word, Word a, Word b) { return static_cast<Word>(signed16(a) >> b % 16) & 0xffffU; }),
      vv("vfaddhs", {4, 4, 2}, &B::vfaddhs, [](Word, Word a, Word b) { return w(f(a) + h(b)); }),
      vv("vfmachs", {4, 2, 2}, &B::vfmachs,
         [](Word d, Word a, Word b) { return w(std::fmaf(h(a), h(b), f(d))); }),
      v("vfh2s", 4, 2, &B::vfh2s, [](Word, Word a, Word) { return w(h(a)); }),
      v("vfs2h", 2, 4, &B::vfs2h, [](Word, Word a, Word) { return half(f(a)); }),
      vv("vfadds", kWords, &B::vfadds, [](Word, Word a, Word b) { return w(f(a) + f(b)); }),
      vv("vfsubs", kWords, &B::vfsubs, [](Word, Word a, Word b) { return w(f(a) - f(b)); }),
      vv("vfmuls", kWords, &B::vfmuls, [](Word, Word a, Word b) { return w(f(a) * f(b)); }),
      vv("vfmacs", kWords, &B::vfmacs,
         [](Word d, Word a, Word b) { return w(std::fmaf(f(a), f(b), f(d))); }),
      vr("vfaddsr", 4, &B::vfaddsr, [](Word, Word a, Word b) { return w(f(a) + f(b)); }),
      vr("vfmulsr", 4, &B::vfmulsr, [](Word, Word a, Word b) { return w(f(a) * f(b)); }),
      vr("vfmacsr", 4, &B::vfmacsr,
         [](Word d, Word a, Word b) { return w(std::fmaf(f(a), f(b), f(d))); }),
      vv("vfmaxs", kWords, &B::vfmaxs, [](Word, Word a, Word b) { return larger(a, b); }),
      v("vfnegs", 4, 4, &B::vfnegs, [](Word, Word a, Word) { return a ^ 0x80000000U; }),
      v("vfabss", 4, 4, &B::vfabss, [](Word, Word a, Word) { return a & 0x7fffffffU; }),
      v("vfnegh", 2, 2, &B::vfnegh, [](Word, Word a, Word) { return (a ^ 0x8000U) & 0xffffU; }),
      v("vfabsh", 2, 2, &B::vfabsh, [](Word, Word a, Word) { return a & 0x7fffU; }),
      vv("vadd32", kWords, &B::vadd32, [](Word, Word a, Word b) { return a + b; }),
      vv("vsub32", kWords, &B::vsub32, [](Word, Word a, Word b) { return a - b; }),
      vr("vfsubsr", 4, &B::vfsubsr, [](Word, Word a, Word b) { return w(f(a) - f(b)); }),
      vr("vfrsubsr", 4, &B::vfrsubsr, [](Word, Word a, Word b) { return w(f(b) - f(a)); }),
      vr("vfmaxsr", 4, &B::vfmaxsr, [](Word, Word a, Word b) { return larger(a, b); }),
      vr("vfminsr", 4, &B::vfminsr, [](Word, Word a, Word b) { return smaller(a, b); }),
      vv("vfmins", kWords, &B::vfmins, [](Word, Word a, Word b) { return smaller(a, b); }),
      vr("vadd32r", 4, &B::vadd32r, [](Word, Word a, Word b) { return a + b; }),
      vr("vsub32r", 4, &B::vsub32r, [](Word, Word a, Word b) { return a - b; }),
      vr("vrsub32r", 4, &B::vrsub32r, [](Word, Word a, Word b) { return b - a; }),
      vr("vrsub16r", 2, &B::vrsub16r, [](Word, Word a, Word b) { return (b - a) & 0xffffU; }),
      vv("vand32", kWords, &B::vand32, [](Word, Word a, Word b) { return a & b; }),
      vr("vand32r", 4, &B::vand32r, [](Word, Word a, Word b) { return a & b; }),
      vv("vor32", kWords, &B::vor32, [](Word, Word a, Word b) { return a | b; }),
      vr("vor32r", 4, &B::vor32r, [](Word, Word a, Word b) { return a | b; }),
      vv("vxor32", kWords, &B::vxor32, [](Word, Word a, Word b) { return a ^ b; }),
      vr("vxor32r", 4, &B::vxor32r, [](Word, Word a, Word b) { return a ^ b; }),
      vr("vsll32r", 4, &B::vsll32r, [](Word, Word a, Word b) { return a << b % 32; }),
      vr("vslr32r", 4, &B::vslr32r, [](Word, Word a, Word b) { return a >> b % 32; }),
      vr("vsar32r", 4, &B::vsar32r,
         [](Word, Word a, Word b) {
           return static_cast<Word>(static_cast<std::int32_t>(a) >> b % 32);
         }),
      vv("vmax32", kWords, &B::vmax32, chosen<std::int32_t, std::greater<>>),
      vr("vmax32r", 4, &B::vmax32r, chosen<std::int32_t, std::greater<>>),
      vv("vmaxu32", kWords, &B::vmaxu32, chosen<std::uint32_t, std::greater<>>),
      vr("vmaxu32r", 4, &B::vmaxu32r, chosen<std::uint32_t, std::greater<>>),
      vv("vmax16", kHalves, &B::vmax16, chosen<std::int16_t, std::greater<>>),
      vr("vmax16r", 2, &B::vmax16r, chosen<std::int16_t, std::greater<>>),
      vv("vmaxu16", kHalves, &B::vmaxu16, chosen<std::uint16_t, std::greater<>>),
      vr("vmaxu16r", 2, &B::vmaxu16r, chosen<std::uint16_t, std::greater<>>),
      vv("vmin32", kWords, &B::vmin32, chosen<std::int32_t, std::less<>>),
      vr("vmin32r", 4, &B::vmin32r, chosen<std::int32_t, std::less<>>),
      vv("vminu32", kWords, &B::vminu32, chosen<std::uint32_t, std::less<>>),
      vr("vminu32r", 4, &B::vminu32r, chosen<std::uint32_t, std::less<>>),
      vv("vmin16", kHalves, &B::vmin16, chosen<std::int16_t, std::less<>>),
      vr("vmin16r", 2, &B::vmin16r, chosen<std::int16_t, std::less<>>),
      vv("vminu16", kHalves, &B::vminu16, chosen<std::uint16_t, std::less<>>),
      vr("vminu16r", 2, &B::vminu16r, chosen<std::uint16_t, std::less<>>),
      vr("vfsubhr", 2, &B::vfsubhr, [](Word, Word a, Word b) { return half(value(a) - value(b)); }),
      vr("vfrsubhr", 2, &B::vfrsubhr,
         [](Word, Word a, Word b) { return half(value(b) - value(a)); }),
      vr("vfmaxhr", 2, &B::vfmaxhr, [](Word, Word a, Word b) { return larger_half(a, b); }),
      vr("vfminhr", 2, &B::vfminhr, [](Word, Word a, Word b) { return smaller_half(a, b); }),
      vv("vfminh", kHalves, &B::vfminh, [](Word, Word a, Word b) { return smaller_half(a, b); }),
      vr("vadd16r", 2, &B::vadd16r, [](Word, Word a, Word b) { return (a + b) & 0xffffU; }),
      vr("vsub16r", 2, &B::vsub16r, [](Word, Word a, Word b) { return (a - b) & 0xffffU; }),
      vr("vand16r", 2, &B::vand16r, [](Word, Word a, Word b) { return a & b & 0xffffU; }),
      vr("vor16r", 2, &B::vor16r, [](Word, Word a, Word b) { return (a | b) & 0xffffU; }),
      vr("vxor16r", 2, &B::vxor16r, [](Word, Word a, Word b) { return (a ^ b) & 0xffffU; }),
      v("vxp162fs", 4, 2, &B::vxp162fs,
        [](Word, Word a, Word) { return w(static_cast<float>(signed16(a))); }),
      v("vfs2xp16", 2, 4, &B::vfs2xp16, [](Word, Word a, Word) { return whole16(f(a)); }),
      v("vxp162fh", 2, 2, &B::vxp162fh, [](Word, Word a, Word) { return half(signed16(a)); }),
      v("vfh2xp16", 2, 2, &B::vfh2xp16, [](Word, Word a, Word) { return whole16(h(a)); }),
      v("vmov32", 4, 4, &B::vmov32, [](Word, Word a, Word) { return a; }),
      r("vmov32r", 4, &B::vmov32r, [](Word, Word, Word b) { return b; }),
  };
  return all;
}

TEST(Vectors, AllAreTested) {
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    if (!isa::is_vector(row.format)) continue;
    EXPECT_TRUE(std::ranges::any_of(vectors(), [&](const Vector& x) { return row.name == x.name; }))
        << row.name;
  }
}

/// Bits with many of the hard cases of both precisions.
class Patterns {
 public:
  explicit Patterns(unsigned seed) : random_(seed) {}

  Word word() {
    static constexpr Word kHalf[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x83ff, 0x400,
                                     0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                     0xfe01, 0x3c00, 0xbc00, 0x3c01, 0x1000, 0x9001};
    static constexpr Word kSingle[] = {
        0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
        0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3f800000, 0x477fe000, 0x477fefff,
        0x477ff000, 0x33000000, 0x33000001, 0xb3000000, 0x387fe000, 0x38800000, 0x387fffff};
    switch (below(4)) {
      case 0:
        return kHalf[below(std::size(kHalf))] | kHalf[below(std::size(kHalf))] << 16U;
      case 1:
        return kSingle[below(std::size(kSingle))];
      case 2: {  // near a tie of FP16
        static constexpr Word kOff[] = {0x1000, 0x0fff, 0x1001};
        return 0x38000000U + (below(0x0f000) << 13U) + kOff[below(3)];
      }
      default:
        return static_cast<Word>(random_());
    }
  }
  Word below(std::size_t n) { return static_cast<Word>(random_() % n); }

 private:
  std::mt19937 random_;
};

// Memory of a PE: what its descriptors are, then the data that they name.
enum Field : std::uint32_t {
  kBaseD,
  kBaseA,
  kBaseB,
  kStrideD,
  kStrideA,
  kStrideB,
  kLength,
  kValue
};
constexpr std::size_t kImage = 256, kData = 16;
constexpr int kStrides[] = {1, -1, 0, 2, 3, 4, 8, -5};
constexpr std::size_t kBases[] = {kBaseD, kBaseA, kBaseB},
                      kStrideFields[] = {kStrideD, kStrideA, kStrideB};

/// Loads the descriptors from memory and runs the instruction. Taken and not taken, the branches
/// cost the same on the default machine, so PEs with different descriptors stay together.
Program program(const Vector& vector) {
  ProgramBuilder b(vector.name);
  b.reserve("image", 4 * kImage);
  b.start(b.local_task(0));
  for (std::size_t k = 0; k < 3; ++k) {
    const Dsr dsr{static_cast<std::uint8_t>(k)};
    b.lw(r1, kZero, static_cast<std::int32_t>(4 * kBases[k]));
    b.dbaser(dsr, r1);
    b.lw(r1, kZero, 4 * kLength);
    b.dlenr(dsr, r1);
    b.lw(kSelect, kZero, static_cast<std::int32_t>(4 * kStrideFields[k]));
    for (const int stride : kStrides) {
      const Label skip = b.label();
      b.li(r1, stride);
      b.bne(kSelect, r1, skip);
      b.dstride(dsr, stride);
      b.place(skip);
    }
  }
  b.lw(kScalar, kZero, 4 * kValue);
  vector.instruction(b);
  b.end();
  return b.build();
}

Word get(const Words& image, std::uint32_t address, unsigned bytes) {
  const Word word = image[address / 4];
  return bytes == 4 ? word : word >> 8 * (address % 4) & 0xffffU;
}

void put(Words& image, std::uint32_t address, unsigned bytes, Word x) {
  if (bytes == 4) {
    image[address / 4] = x;
    return;
  }
  const unsigned shift = 8 * (address % 4);
  image[address / 4] = (image[address / 4] & ~(0xffffU << shift)) | (x & 0xffffU) << shift;
}

/// Random bits in the data, and descriptors that stay inside it.
Words random_image(Patterns& patterns, const Vector& vector) {
  Words image(kImage);
  for (std::size_t n = kData; n < kImage; ++n) image[n] = patterns.word();
  const Word length = patterns.below(10);
  image[kLength] = length;
  image[kValue] = patterns.word();
  for (std::size_t k = 0; k < 3; ++k) {
    const int stride = kStrides[patterns.below(std::size(kStrides))];
    const auto bytes = static_cast<int>(vector.bytes[k]);
    const int reach = stride * (static_cast<int>(length) - 1) * bytes;
    const int low = static_cast<int>(4 * kData) + std::max(0, -reach);
    const int high = static_cast<int>(4 * kImage) - bytes - std::max(0, reach);
    const int places = (high - low) / bytes;
    image[kBases[k]] = static_cast<Word>(
        low + bytes * static_cast<int>(patterns.below(static_cast<std::size_t>(places))));
    image[kStrideFields[k]] = static_cast<Word>(stride);
  }
  return image;
}

/// The image after the instruction: element by element, in order.
Words expected(Words image, const Vector& vector) {
  const auto at = [&](std::size_t k, Word n) {
    return image[kBases[k]] + n * image[kStrideFields[k]] * vector.bytes[k];
  };
  for (Word n = 0; n < image[kLength]; ++n) {
    const Word d = get(image, at(0, n), vector.bytes[0]);
    const Word a = get(image, at(1, n), vector.bytes[1]);
    const Word b = vector.scalar ? image[kValue] : get(image, at(2, n), vector.bytes[2]);
    put(image, at(0, n), vector.bytes[0], vector.expected(d, a, b));
  }
  return image;
}

class Descriptors : public testing::TestWithParam<bool> {};

TEST_P(Descriptors, ResultsAreThoseOfPlainExpressions) {
  const bool alike = GetParam();
  constexpr int kWidth = 18, kHeight = 5, kPes = kWidth * kHeight;  // more than a strip
  const int fabrics = by_effort(4, 12, 24);
  const Rect all{0, 0, kWidth, kHeight};
  Patterns patterns(alike ? 31 : 32);
  for (const Vector& vector : vectors()) {
    const Program code = program(vector);
    for (int n = 0; n < fabrics; ++n) {
      std::vector<Words> images;
      Words words;
      for (int pe = 0; pe < kPes; ++pe) {
        images.push_back(random_image(patterns, vector));
        if (alike)
          std::copy_n(images.front().begin(), static_cast<int>(kLength) + 1, images.back().begin());
        words.insert(words.end(), images.back().begin(), images.back().end());
      }
      Layout layout(kWidth, kHeight);
      layout.place(all, code);
      Fabric fabric(layout, Machine{}, test_options());
      fabric.write(all, 0, words);
      fabric.run_until_idle(100000);
      fabric.read(all, 0, words);
      for (std::size_t x = 0; x < kPes; ++x) {
        const auto begin = words.begin() + static_cast<std::ptrdiff_t>(x * kImage);
        const Words got(begin, begin + kImage), wanted = expected(images[x], vector);
        for (std::size_t k = 0; k < kImage; ++k)
          ASSERT_EQ(got[k], wanted[k]) << std::hex << vector.name << " PE " << x << " word " << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PerPe, Descriptors, testing::Bool(),
                         [](const auto& given) { return given.param ? "Alike" : "Unlike"; });

}  // namespace
}  // namespace weft::test::halves_test
