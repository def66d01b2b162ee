#pragma once

#include <cstdint>
#include <vector>

#include "weft/program.hpp"

namespace weft::s3dft {

/// Vector instructions on real or imaginary parts, in one precision.
struct Vectors {
  ProgramBuilder& p;
  bool halves;

  /// The descriptor names elements from a byte of the memory on; dimensions are outermost first.
  void name(Dsr d, const MemorySpan& span, int byte, const std::vector<Dimension>& vector) const {
    p.dbase(d, static_cast<std::int32_t>(span.address) + byte);
    const Dimension& inner = vector.back();
    const bool joined = vector.size() == 1 || vector.front().extent == 1 ||
                        vector.front().stride == inner.extent * inner.stride;
    if (!joined) return p.dshape(d, p.shape({vector.front(), inner}));
    const int outer = vector.size() == 1 ? 1 : vector.front().extent;
    p.dstride(d, inner.stride);
    p.dlen(d, outer * inner.extent);
  }
  /// d = d + a r
  void multiply_add(Dsr d, Dsr a, Reg r) const { halves ? p.vfmachr(d, a, r) : p.vfmacsr(d, a, r); }
  void multiply(Dsr d, Dsr a, Reg r) const { halves ? p.vfmulhr(d, a, r) : p.vfmulsr(d, a, r); }
};

}  // namespace weft::s3dft
