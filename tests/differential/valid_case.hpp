#pragma once

#include <cstdint>

#include "differential/case.hpp"

namespace weft::test {

/// A case whose programs are right: what is sent is taken, and nearly all of them end. Streams
/// along rows, columns, corners and trees, halo exchanges, rings, PEs that send in turn: some of
/// them side by side or one after the other, again and again. Another case for every seed.
Case valid_case(std::uint64_t seed);

/// The same with lines alike, first along rows and then along columns, or one of them: most can be
/// stepped by line to their end.
Case valid_straight_case(std::uint64_t seed);

/// The same, first along rows and then along columns: cores do not wait for streams that pass them,
/// so that in many of them lines meet.
Case valid_meeting_case(std::uint64_t seed);

}  // namespace weft::test
