#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "weft/profile.hpp"

/// What follows from other counts of a profile.
namespace weft::fabric {

/// The place of a count among those of a profile.
constexpr std::size_t index_of(Count count) { return static_cast<std::size_t>(count); }

/// Idle cycles are those in which a core was in no other state, by PE.
void fill_idle(Profile& profile);
/// The same of a PE in a phase. `cycles`: that it was in it.
void fill_idle(PhaseCounts& phase, std::size_t pe, std::uint64_t cycles);

/// What is kept of a phase.
enum class OfPhase : std::uint8_t { all, states };  ///< `states`: only cycles by cores' state

/// A phase, without counts of any PE.
PhaseCounts empty_phase(const std::string& name, std::size_t pes, OfPhase kept = OfPhase::all);

/// The windows of time that a clock has come to, of so many, without counts. 0: none.
void begin_windows(Profile& profile, std::size_t windows);

}  // namespace weft::fabric
