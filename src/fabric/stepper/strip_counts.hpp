#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "fabric/build/state.hpp"

/// What a strip has counted, as bytes for another State of the same layout. Between two phases of a
/// run by line: tallies are empty then, and no lanes count together.
namespace weft::fabric {

/// Nothing, if nobody counts.
void add_counts(const State& s, std::size_t strip, base::Packer& pack);
/// After the strip itself (set_strip).
void set_counts(State& s, std::size_t strip, base::Unpacker& unpack);
/// As leave_strip, before it.
void leave_counts(State& s, std::size_t strip);

}  // namespace weft::fabric
