#include "fft/wsfft/product.hpp"

#include <cstdint>

namespace weft::wsfft {

void emit_product(ProgramBuilder& p, Numbers numbers, int count, const MemorySpan& z,
                  const MemorySpan& factors, const MemorySpan& room) {
  constexpr Dsr kRe{0}, kIm{1}, kFactorRe{2}, kFactorIm{3}, kRoomRe{4}, kRoomIm{5};
  const int part = numbers.bytes() / 2;
  const auto name = [&](Dsr re, Dsr im, const MemorySpan& span) {
    const auto at = static_cast<std::int32_t>(span.address);
    p.dbase(re, at);
    p.dbase(im, at + part);
    for (const Dsr d : {re, im}) {
      p.dstride(d, 2);
      p.dlen(d, count);
    }
  };
  name(kRe, kIm, z);
  name(kFactorRe, kFactorIm, factors);
  name(kRoomRe, kRoomIm, room);
  if (numbers.halves()) {
    p.vfmulh(kRoomRe, kRe, kFactorRe);
    p.vfmulh(kRoomIm, kRe, kFactorIm);
    p.vfmach(kRoomIm, kIm, kFactorRe);
    p.vfmulh(kRe, kIm, kFactorIm);
    p.vfsubh(kRe, kRoomRe, kRe);
    p.vmov16(kIm, kRoomIm);
  } else {
    p.vfmuls(kRoomRe, kRe, kFactorRe);
    p.vfmuls(kRoomIm, kRe, kFactorIm);
    p.vfmacs(kRoomIm, kIm, kFactorRe);
    p.vfmuls(kRe, kIm, kFactorIm);
    p.vfsubs(kRe, kRoomRe, kRe);
    p.vmov32(kIm, kRoomIm);
  }
}

}  // namespace weft::wsfft
