#pragma once

#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"
#include "weft/profile.hpp"

/// What strips count, and how it becomes a profile.
namespace weft::fabric {

/// The fabric, of this layout, counts from now on: before its first cycle.
void start_counting(State& s, const Layout& layout, const std::vector<ProgramCounts>& programs,
                    const Observation& asked);

/// All that is counted up to a cycle, which is the next one of a run, is in sums.
void settle_counts(State& s, std::uint64_t cycle);

/// It goes to numbers of 64 bits.
void fold(State& s, std::uint64_t cycle);

/// What a fabric that counts has counted up to a cycle, as fold, by so many threads. Colors have no
/// names.
Profile profile_of(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle,
                   int threads);
/// The same of a state that nobody uses any more: what is in the profile leaves its memory.
Profile take_profile(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle,
                     int threads);

}  // namespace weft::fabric
