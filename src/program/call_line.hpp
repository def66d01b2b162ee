#pragma once

#include <source_location>
#include <string>

#include "weft/call_line.hpp"

/// The user's line for what this thread writes next: the last CallLine noted it.
namespace weft {

std::source_location call_line();
/// By default none.
void set_call_line(const std::source_location& line = {});
/// "heat.cpp:31"; empty if there is none.
std::string call_line_text();

}  // namespace weft
