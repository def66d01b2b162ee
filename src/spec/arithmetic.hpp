#pragma once

#include <cstdint>

#include "weft/instruction.hpp"
#include "weft/machine.hpp"

namespace weft::spec {

/// The result of an instruction, from the old d and its sources: a scalar's result, or one element
/// of a vector. Words are 32-bit patterns; 16-bit values stand in their low halves, with zeros
/// above.
std::uint32_t compute(Op op, std::uint32_t d, std::uint32_t a, std::uint32_t b);

/// Whether a branch goes to its target.
bool taken(Op op, std::uint32_t d, std::uint32_t a);

/// Bytes of an element in memory: of the destination, the first and the second source.
struct Widths {
  std::uint32_t bytes[3];
};
Widths widths(Op op);

/// Elements that a vector instruction over memory does in a cycle when nothing holds it up.
int full_rate(const Machine& machine, Op op);

/// The function reads its destination.
bool accumulates(Op op);

}  // namespace weft::spec
