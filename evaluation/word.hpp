#pragma once

#include <cstdint>

#include "weft/machine.hpp"

namespace weft::evaluation {

/// Cycles of a word from the core of a PE to that of its neighbour, looked at after each cycle:
/// from the one in which a microthread puts it out to the one in which another has it in memory.
std::uint64_t cycles_of_word(const Machine& machine);

}  // namespace weft::evaluation
