#pragma once

#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "model/state/count_rows.hpp"
#include "model/state/timing.hpp"

/// What a fabric counts by phase of its programs (docs/model.md, "Phases"), by strip. Counts are
/// those of counts_state.hpp: what they were when a lane came to its phase is the base of what
/// belongs to that phase.
namespace weft::model {

/// One phase in one strip. Lanes that are not in `been` were never in it.
struct PhaseSums {
  Mask been;
  std::uint64_t first[kLanes], last[kLanes];  ///< cycles
  Vector cycles;                              ///< in which the lane was in it
  Vector count[kPhaseRows];
};

/// The phases of one strip's lanes. They are counted from 1; 0 is none.
struct StripPhases {
  Vector marks;               ///< in Phases::mark: the lane's program, less its first instruction
  Vector phase;               ///< that the lane is in
  Vector since;               ///< its cycles before this one are counted
  Vector base[kPhaseRows];    ///< so are these
  Mask known[kMicrothreads];  ///< lanes whose microthread is live, and of this phase:
  Vector of_stream[kMicrothreads];
};

/// All of a fabric.
struct Phases {
  static constexpr std::uint32_t kShared = kSharedPhase;

  const std::uint32_t* mark;  ///< [instruction of a program]: its phase; null: no program has any
  StripPhases* strip;         ///< as View::strip
  PhaseSums* sums;            ///< [strip][phase]
  std::uint32_t phases;
};

}  // namespace weft::model
