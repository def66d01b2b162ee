#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/pe_program.hpp"

/// Patterns of several operations in a PE, one after the other.
namespace weft::patterns {

/// Each issues an operation, and returns it.
using Steps = std::vector<std::function<PeOperation()>>;

/// The core waits for each.
void run(const Steps& steps);

/// The core goes on after the first one, and issues the next ones in a task: what to wait for. Of
/// no steps, nothing.
std::vector<PeOperation> start(PeProgram& pe, const std::string& pattern, const Steps& steps);

/// The PE receives what this operation sends, as a part of the next one that it waits for. So
/// nothing needs to wait for this one.
void start_and_get_back(PeProgram& pe, PeOperation operation);

}  // namespace weft::patterns
