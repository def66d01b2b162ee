// Radix 2, as published (Orenes-Vera et al., section 4.1): scalar roots, a loop over the groups of
// a stage, and a reshape after each stage.

#include <cmath>
#include <numbers>

#include "fft/wsfft/part_vectors.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"

namespace weft::wsfft {
namespace {

// In stage s there are l = 2^s groups of m = n / (2 l) numbers in each half of the pencil. Block j
// of the even half and block j of the odd half are the two parts of group j's sub-problem.
constexpr Reg kCount{4};                    // loops
constexpr Reg kBlock{5};                    // bytes of m numbers
constexpr Reg kTwiddle{6};                  // address of the group's root of unity
constexpr Reg kRe{7}, kIm{8}, kMinusIm{9};  // of the root; lpair wants neighbours
constexpr Reg kGroups{10};                  // l
constexpr Reg kHalf{11};                    // bytes of half a block
constexpr Reg kMinusBlock{12}, kMinusHalf{13};
constexpr Reg kM{14};
constexpr Reg kTemporary{0};

// Twiddle step, stride 2.
constexpr Dsr kOddRe{0}, kOddIm{1}, kAuxRe{2}, kAuxIm{3};
// Whole halves.
constexpr Dsr kEven{4}, kOdd{5}, kAux{6};
// Reshape: four moves within the pencil and one through aux.
constexpr Dsr kEvenSecond{7}, kAuxPart{8}, kEvenFirst{9}, kEvenLow{10};
constexpr Dsr kOddFirst{11}, kEvenHigh{12}, kOddSecond{13}, kOddHigh{14};
constexpr Dsr kOddLow{15};

/// aux = odd * root, group by group.
void emit_twiddles(ProgramBuilder& p, const PencilCall& call, Numbers numbers, int half_bytes,
                   const PencilRoots& roots, int n) {
  const int part = numbers.bytes() / 2;
  p.dbaser(kOddRe, call.pencil, half_bytes);
  p.dbaser(kOddIm, call.pencil, half_bytes + part);
  p.dbaser(kAuxRe, call.aux, 0);
  p.dbaser(kAuxIm, call.aux, part);
  p.dlenr(kOddRe, kM);
  p.dlenr(kOddIm, kM);
  p.li(kTwiddle, static_cast<std::int32_t>(roots.address));
  const Reg step = roots.n == n ? kBlock : kTemporary;
  if (roots.n != n) p.muli(step, kBlock, roots.n / n);
  p.mov(kCount, kGroups);

  const Label group = p.label();
  p.place(group);
  if (numbers.halves()) {
    p.lpair(kRe, kTwiddle, 0);
    p.fnegh(kMinusIm, kIm);
    p.vfmulhr(kAuxRe, kOddRe, kRe);
    p.vfmulhr(kAuxIm, kOddIm, kRe);
    p.vfmachr(kAuxIm, kOddRe, kIm);
    p.vfmachr(kAuxRe, kOddIm, kMinusIm);
  } else {
    p.lw(kRe, kTwiddle, 0);
    p.lw(kIm, kTwiddle, 4);
    p.fnegs(kMinusIm, kIm);
    p.vfmulsr(kAuxRe, kOddRe, kRe);
    p.vfmulsr(kAuxIm, kOddIm, kRe);
    p.vfmacsr(kAuxIm, kOddRe, kIm);
    p.vfmacsr(kAuxRe, kOddIm, kMinusIm);
  }
  for (const Dsr d : {kOddRe, kOddIm, kAuxRe, kAuxIm}) p.dadd(d, kBlock);
  p.add(kTwiddle, kTwiddle, step);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, group);
}

/// odd = even - aux; even = even + aux.
void emit_butterflies(ProgramBuilder& p, Numbers numbers) {
  const PartVectors v{p, numbers};
  v.subtract(kOdd, kEven, kAux);
  v.add(kEven, kEven, kAux);
}

/// The even half takes the first halves of all blocks, the odd half the second halves: blocks of
/// the even half first, then blocks of the odd half.
void emit_reshape(ProgramBuilder& p, const PencilCall& call, Numbers numbers, int half_bytes) {
  // Half a block of m numbers: m words in FP32, m / 2 in FP16.
  if (numbers.halves()) p.shri(kTemporary, kM, 1);
  const Reg words = numbers.halves() ? kTemporary : kM;
  for (const Dsr d : {kEvenSecond, kEvenFirst, kOddFirst, kOddSecond}) p.dlenr(d, words);
  p.add(kTemporary, call.pencil, kHalf);
  p.dbaser(kEvenSecond, kTemporary);
  p.dbaser(kEvenFirst, call.pencil);
  p.dbaser(kEvenLow, call.pencil);
  p.dbaser(kAuxPart, call.aux);
  p.mov(kCount, kGroups);

  // Second halves of the even half wait in aux; first halves move together.
  const Label forward = p.label();
  p.place(forward);
  p.vmov32(kAuxPart, kEvenSecond);
  p.vmov32(kEvenLow, kEvenFirst);
  p.dadd(kEvenSecond, kBlock);
  p.dadd(kAuxPart, kHalf);
  p.dadd(kEvenFirst, kBlock);
  p.dadd(kEvenLow, kHalf);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, forward);

  // The odd half from its end, so that nothing is overwritten before it has moved.
  p.add(kTemporary, call.pencil, kMinusBlock);
  p.dbaser(kOddFirst, kTemporary, 2 * half_bytes);
  p.add(kTemporary, call.pencil, kMinusHalf);
  p.dbaser(kEvenHigh, kTemporary, half_bytes);
  p.dbaser(kOddSecond, kTemporary, 2 * half_bytes);
  p.dbaser(kOddHigh, kTemporary, 2 * half_bytes);
  p.mov(kCount, kGroups);
  const Label backward = p.label();
  p.place(backward);
  p.vmov32(kEvenHigh, kOddFirst);
  p.vmov32(kOddHigh, kOddSecond);
  p.dadd(kOddFirst, kMinusBlock);
  p.dadd(kEvenHigh, kMinusHalf);
  p.dadd(kOddSecond, kMinusBlock);
  p.dadd(kOddHigh, kMinusHalf);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, backward);

  p.dbaser(kAuxPart, call.aux);
  p.vmov32(kOddLow, kAuxPart);
}

}  // namespace

void emit_radix2(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots) {
  const auto [numbers, n, direction, scale] = t;
  const int half_bytes = n / 2 * numbers.bytes();
  for (const Dsr d : {kOddRe, kOddIm, kAuxRe, kAuxIm}) p.dstride(d, 2);
  for (const Dsr d : {kEven, kOdd, kAux, kEvenSecond, kAuxPart, kEvenFirst, kEvenLow, kOddFirst,
                      kEvenHigh, kOddSecond, kOddHigh, kOddLow})
    p.dstride(d, 1);
  p.dbaser(kEven, call.pencil);
  p.dbaser(kOdd, call.pencil, half_bytes);
  p.dbaser(kOddLow, call.pencil, half_bytes);
  p.dbaser(kAux, call.aux);
  p.dlen(kEven, n);
  p.dlen(kAuxPart, n / 4 * numbers.words());
  p.li(kGroups, 1);
  p.li(kM, n / 2);

  const Label stage = p.label(), done = p.label();
  p.place(stage);
  p.shli(kBlock, kM, numbers.log2_bytes());
  p.shri(kHalf, kBlock, 1);
  p.sub(kMinusBlock, call.zero, kBlock);
  p.sub(kMinusHalf, call.zero, kHalf);
  emit_twiddles(p, call, numbers, half_bytes, roots, n);
  emit_butterflies(p, numbers);
  p.addi(kTemporary, kM, -1);
  p.beq(kTemporary, call.zero, done);
  emit_reshape(p, call, numbers, half_bytes);
  p.shri(kM, kM, 1);
  p.shli(kGroups, kGroups, 1);
  p.jump(stage);

  p.place(done);
  if (scale != 1.0F) {
    p.dlen(kEven, 2 * n);
    PartVectors{p, numbers}.scale(kEven, kRe, scale);
  }
}

std::vector<std::uint32_t> radix2_roots(Numbers numbers, int n, FftDirection direction,
                                        bool /*least*/) {
  const double sign = direction == FftDirection::forward ? -1.0 : 1.0;
  const auto words = static_cast<std::size_t>(numbers.words());
  std::vector<std::uint32_t> table(static_cast<std::size_t>(n / 2) * words);
  for (std::size_t k = 0; k < static_cast<std::size_t>(n / 2); ++k) {
    const std::complex<double> root =
        std::polar(1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(k) / n);
    encode(numbers, std::complex<float>(root), &table[k * words]);
  }
  return table;
}

}  // namespace weft::wsfft
