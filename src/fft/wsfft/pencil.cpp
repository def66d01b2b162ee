#include "fft/wsfft/pencil.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace weft::wsfft {
namespace {

// In stage s there are l = 2^s groups of m = n / (2 l) numbers in each half of the pencil. Block j of
// the even half and block j of the odd half are the two parts of group j's sub-problem.
constexpr Reg kCount{4};    // loops
constexpr Reg kM8{5};       // bytes of m numbers
constexpr Reg kTwiddle{6};  // address of the group's root of unity
constexpr Reg kRe{7}, kIm{8}, kMinusIm{9};
constexpr Reg kGroups{10};  // l
constexpr Reg kM4{11};      // bytes of half a block
constexpr Reg kMinusM8{12}, kMinusM4{13};
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
void emit_twiddles(ProgramBuilder& p, const PencilCall& call, int half_bytes, std::uint32_t twiddles) {
  p.dbaser(kOddRe, call.pencil, half_bytes);
  p.dbaser(kOddIm, call.pencil, half_bytes + 4);
  p.dbaser(kAuxRe, call.aux, 0);
  p.dbaser(kAuxIm, call.aux, 4);
  p.dlenr(kOddRe, kM);
  p.dlenr(kOddIm, kM);
  p.li(kTwiddle, static_cast<std::int32_t>(twiddles));
  p.mov(kCount, kGroups);

  const Label group = p.label();
  p.place(group);
  p.lw(kRe, kTwiddle, 0);
  p.lw(kIm, kTwiddle, 4);
  p.fnegs(kMinusIm, kIm);
  p.vfmulsr(kAuxRe, kOddRe, kRe);
  p.vfmulsr(kAuxIm, kOddIm, kRe);
  p.vfmacsr(kAuxIm, kOddRe, kIm);
  p.vfmacsr(kAuxRe, kOddIm, kMinusIm);
  for (const Dsr d : {kOddRe, kOddIm, kAuxRe, kAuxIm}) p.dadd(d, kM8);
  p.add(kTwiddle, kTwiddle, kM8);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, group);
}

/// The even half takes the first halves of all blocks, the odd half the second halves: blocks of the
/// even half first, then blocks of the odd half.
void emit_reshape(ProgramBuilder& p, const PencilCall& call, int half_bytes) {
  for (const Dsr d : {kEvenSecond, kEvenFirst, kOddFirst, kOddSecond}) p.dlenr(d, kM);
  p.add(kTemporary, call.pencil, kM4);
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
  p.dadd(kEvenSecond, kM8);
  p.dadd(kAuxPart, kM4);
  p.dadd(kEvenFirst, kM8);
  p.dadd(kEvenLow, kM4);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, forward);

  // The odd half from its end, so that nothing is overwritten before it has moved.
  p.add(kTemporary, call.pencil, kMinusM8);
  p.dbaser(kOddFirst, kTemporary, 2 * half_bytes);
  p.add(kTemporary, call.pencil, kMinusM4);
  p.dbaser(kEvenHigh, kTemporary, half_bytes);
  p.dbaser(kOddSecond, kTemporary, 2 * half_bytes);
  p.dbaser(kOddHigh, kTemporary, 2 * half_bytes);
  p.mov(kCount, kGroups);
  const Label backward = p.label();
  p.place(backward);
  p.vmov32(kEvenHigh, kOddFirst);
  p.vmov32(kOddHigh, kOddSecond);
  p.dadd(kOddFirst, kMinusM8);
  p.dadd(kEvenHigh, kMinusM4);
  p.dadd(kOddSecond, kMinusM8);
  p.dadd(kOddHigh, kMinusM4);
  p.addi(kCount, kCount, -1);
  p.bne(kCount, call.zero, backward);

  p.dbaser(kAuxPart, call.aux);
  p.vmov32(kOddLow, kAuxPart);
}

}  // namespace

void emit_pencil(ProgramBuilder& p, Label entry, const PencilCall& call, int n, bool scaled,
                 std::uint32_t twiddles) {
  const int half_bytes = n / 2 * static_cast<int>(kComplexBytes);
  p.place(entry);
  for (const Dsr d : {kOddRe, kOddIm, kAuxRe, kAuxIm}) p.dstride(d, 2);
  for (const Dsr d : {kEven, kOdd, kAux, kEvenSecond, kAuxPart, kEvenFirst, kEvenLow, kOddFirst,
                      kEvenHigh, kOddSecond, kOddHigh, kOddLow})
    p.dstride(d, 1);
  p.dbaser(kEven, call.pencil);
  p.dbaser(kOdd, call.pencil, half_bytes);
  p.dbaser(kOddLow, call.pencil, half_bytes);
  p.dbaser(kAux, call.aux);
  p.dlen(kEven, n);
  p.dlen(kAuxPart, n / 2);
  p.li(kGroups, 1);
  p.li(kM, n / 2);

  const Label stage = p.label(), done = p.label();
  p.place(stage);
  p.shli(kM8, kM, 3);
  p.shli(kM4, kM, 2);
  p.sub(kMinusM8, call.zero, kM8);
  p.sub(kMinusM4, call.zero, kM4);
  emit_twiddles(p, call, half_bytes, twiddles);
  p.vfsubs(kOdd, kEven, kAux);
  p.vfadds(kEven, kEven, kAux);
  p.addi(kTemporary, kM, -1);
  p.beq(kTemporary, call.zero, done);
  emit_reshape(p, call, half_bytes);
  p.shri(kM, kM, 1);
  p.shli(kGroups, kGroups, 1);
  p.jump(stage);

  p.place(done);
  if (scaled) {
    p.li(kRe, static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(1.0F / static_cast<float>(n))));
    p.dlen(kEven, 2 * n);
    p.vfmulsr(kEven, kEven, kRe);
  }
  p.ret(call.link);
}

std::vector<std::uint32_t> twiddle_table(int n, Direction direction) {
  const double sign = direction == Direction::forward ? -1.0 : 1.0;
  std::vector<std::uint32_t> table;
  table.reserve(static_cast<std::size_t>(n));
  for (int k = 0; k < n / 2; ++k) {
    const double angle = sign * 2.0 * std::numbers::pi * k / n;
    table.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(std::cos(angle))));
    table.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(std::sin(angle))));
  }
  return table;
}

}  // namespace weft::wsfft
