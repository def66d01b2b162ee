#pragma once

#include <cstddef>

#include "base/bytes.hpp"
#include "fabric/build/state.hpp"

/// The state of strips as bytes, for another State of the same layout: all but numbers that tell
/// where a part of a State lies, and when strips are looked at again.
namespace weft::fabric {

/// Appends a strip, but for its PEs' memory and what it has counted.
void add_strip(const State& s, std::size_t strip, base::Packer& pack);
/// Sets it.
void set_strip(State& s, std::size_t strip, base::Unpacker& unpack);

/// The words of a PE's memory, from the first one on, that programs may have.
std::size_t words_of_programs(const State& s);
/// Appends so many words of a strip's PEs, but for those that are 0 in all of them.
void add_memory(const State& s, std::size_t strip, std::size_t count, base::Packer& pack);
/// ... and sets all of them.
void set_memory(const State& s, std::size_t strip, std::size_t count, base::Unpacker& unpack);
/// They may be anything from now on, until they are set, and take no pages.
void forget_memory(const State& s, std::size_t strip, std::size_t count);

/// The strip is with another process from now on: this one keeps the routers that the layout has
/// there.
void leave_strip(State& s, std::size_t strip);

}  // namespace weft::fabric
