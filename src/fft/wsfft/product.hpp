#pragma once

#include "fft/wsfft/pencil.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// z = z x factors, `count` complex numbers one by one. `room` is of the same size.
void emit_product(ProgramBuilder& p, Numbers numbers, int count, const MemorySpan& z,
                  const MemorySpan& factors, const MemorySpan& room);

}  // namespace weft::wsfft
