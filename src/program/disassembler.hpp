#pragma once

#include <string>

#include "weft/program.hpp"

namespace weft::inline v0 {

/// The part of disassemble() that is not names: shapes, FIFOs and instructions.
std::string code_text(const Program& program);

}  // namespace weft::inline v0
