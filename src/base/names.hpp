#pragma once

#include <string>

#include "weft/instruction.hpp"
#include "weft/types.hpp"

/// The words for what numbers stand for, in messages and listings (of kinds of tasks: to_string).
namespace weft {

/// "west".
const char* port_name(int port);
/// "local task 3".
std::string name_of(const Task& task);

}  // namespace weft
