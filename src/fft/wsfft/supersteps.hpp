#pragma once

#include <vector>

#include "fft/wsfft/program.hpp"

/// Parts that the programs of transforms have in common.
namespace weft::wsfft {

/// The numbers of a PE, twice, and what else it holds.
struct Memory {
  MemorySpan first, second;
  std::vector<Twiddles> twiddles;
  MemorySpan stamps;
};

/// Room for the numbers, for the roots of unity of pencils of these lengths, and for so many clock
/// readings.
Memory reserve_memory(ProgramBuilder& p, const Transform& t, const std::vector<int>& lengths,
                      int stamps);

inline std::int32_t address(const MemorySpan& span) {
  return static_cast<std::int32_t>(span.address);
}

/// Transforms all pencils of the PE by the subroutine `pencil`; with n = 1 there is nothing to do.
/// The numbers are in the first half of the memory, or in the second. Leaves `call.pencil` and
/// `call.aux` at the starts of that half and of the other.
void emit_superstep(ProgramBuilder& p, const PencilCall& call, Label pencil, const Pencils& pencils,
                    const Transform& t, const Memory& m, bool in_second);

/// Between the passes along the axes of a PE's planes, so many: copies what lies in pencils as the
/// first pass had them, each plane transposed.
void emit_turned_planes(ProgramBuilder& p, const Transform& t, int planes, const MemorySpan& from,
                        const MemorySpan& to);

}  // namespace weft::wsfft
