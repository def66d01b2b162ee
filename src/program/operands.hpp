#pragma once

#include <string>

#include "weft/op.hpp"

namespace weft::inline v0 {

/// Throws Error(program) if an operand of the instruction is outside its field. `where`: the
/// program, and the instruction's place in it.
void check_operands(const std::string& where, Op op, int d, int a, int b);

}  // namespace weft::inline v0
