#pragma once

#include <optional>

#include "weft/error.hpp"
#include "weft/processes.hpp"

namespace weft::base {

/// Called by all processes, each with its error, if it has one: all throw that of the first process
/// that does.
void throw_first_error(Processes& processes, const std::optional<Error>& mine);

}  // namespace weft::base
