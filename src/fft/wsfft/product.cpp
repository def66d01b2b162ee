#include "fft/wsfft/product.hpp"

#include <cstdint>

#include "fft/wsfft/part_vectors.hpp"

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
  const PartVectors v{p, numbers};
  v.multiply(kRoomRe, kRe, kFactorRe);
  v.multiply(kRoomIm, kRe, kFactorIm);
  v.multiply_add(kRoomIm, kIm, kFactorRe);
  v.multiply(kRe, kIm, kFactorIm);
  v.subtract(kRe, kRoomRe, kRe);
  v.move(kIm, kRoomIm);
}

}  // namespace weft::wsfft
