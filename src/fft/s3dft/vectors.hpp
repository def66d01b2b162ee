#pragma once

#include <cstdint>
#include <vector>

#include "weft/program.hpp"

namespace weft::s3dft {

/// The descriptor names elements from a byte of the memory on; dimensions are outermost first.
inline void name_vector(ProgramBuilder& p, Dsr d, const MemorySpan& span, int byte,
                        const std::vector<Dimension>& vector) {
  p.dbase(d, static_cast<std::int32_t>(span.address) + byte);
  const Dimension& inner = vector.back();
  const bool joined = vector.size() == 1 || vector.front().extent == 1 ||
                      vector.front().stride == inner.extent * inner.stride;
  if (!joined) return p.dshape(d, p.shape({vector.front(), inner}));
  const int outer = vector.size() == 1 ? 1 : vector.front().extent;
  p.dstride(d, inner.stride);
  p.dlen(d, outer * inner.extent);
}

}  // namespace weft::s3dft
