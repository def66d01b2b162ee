#pragma once

#include "model/faults.hpp"

namespace weft::model {

/// A lane that faulted runs no more; the engine stops at the fault's cycle.
template <class L>
WEFT_INLINE void halt(const View& v, Place at, CoreState& core, int lane, FaultKind kind,
                      std::uint64_t cycle, int color, std::int64_t detail) {
  record<L>(v, at, lane, kind, cycle, color, detail);
  core.placed &= ~lane_bit(lane);
  core.running &= ~lane_bit(lane);
  core.ending &= ~lane_bit(lane);
  core.waiting &= ~lane_bit(lane);
}

}  // namespace weft::model
