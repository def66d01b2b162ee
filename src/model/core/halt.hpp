#pragma once

#include "model/faults.hpp"

namespace weft::model {

inline constexpr std::int64_t kNoInstruction = -1;

/// A lane that faulted runs no more; the engine stops at the fault's cycle. `pc`: of the
/// instruction, or kNoInstruction.
template <class L>
WEFT_INLINE void halt(const View& v, Place at, CoreState& core, int lane, FaultKind kind,
                      std::uint64_t cycle, int color, std::int64_t detail, std::int64_t pc) {
  const std::int64_t first = v.programs[core.program[lane]].first;
  record<L>(v, at, lane, kind, cycle, color, detail, pc < 0 ? pc : pc - first);
  L::Hooks::halts(v, at, lane, cycle);
  core.placed &= ~lane_bit(lane);
  core.running &= ~lane_bit(lane);
  core.ending &= ~lane_bit(lane);
  core.waiting &= ~lane_bit(lane);
}

}  // namespace weft::model
