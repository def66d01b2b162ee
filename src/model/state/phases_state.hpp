#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "model/state/timing.hpp"
#include "weft/profile.hpp"

/// What a fabric counts by phase of its programs (docs/model.md, "Phases"), by strip. Counts are
/// those of counts_state.hpp: what they were when a lane came to its phase is the base of what
/// belongs to that phase.
namespace weft::model {

/// Counts that are kept by phase, but for idle cycles, which follow from others: the row of each;
/// -1: it is not kept.
inline constexpr std::array<int, kCounts> kPhaseRowOf = [] {
  std::array<int, kCounts> rows{};
  std::size_t count = 0;
  int row = 0;
#define WEFT_COUNT_yes true
#define WEFT_COUNT_no false
#define WEFT_COUNT(name, windowed, unit, meaning)                                          \
  rows[count++] = Count::name != Count::idle &&                                            \
                          is_by_phase({Count::name, #name, WEFT_COUNT_##windowed, "", ""}) \
                      ? row++                                                              \
                      : -1;
#include "weft/counts.def"
#undef WEFT_COUNT
#undef WEFT_COUNT_yes
#undef WEFT_COUNT_no
  return rows;
}();
inline constexpr int kPhaseRows = [] {
  int number = 0;
  for (const int row : kPhaseRowOf) number += row >= 0 ? 1 : 0;
  return number;
}();

constexpr int phase_row(Count count) { return kPhaseRowOf[static_cast<std::size_t>(count)]; }

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
  static constexpr std::uint32_t kShared = ~std::uint32_t{0};  ///< of the phase that the lane is in

  const std::uint32_t* mark;  ///< [instruction of a program]: its phase; null: no program has any
  StripPhases* strip;         ///< as View::strip
  PhaseSums* sums;            ///< [strip][phase]
  std::uint32_t phases;
};

}  // namespace weft::model
