#pragma once

#include <exception>

#include "weft/error.hpp"
#include "weft/processes.hpp"

/// How a run ends in all processes that share a fabric, where one of them has ended it.
namespace weft::engine {

/// Called by all: each throws the same Error, which names the first process that failed, and in
/// which its exception's words are. `mine`: what was thrown here; null, nothing.
[[noreturn]] void throw_failure(Processes& processes, const std::exception_ptr& mine);

/// For the others: the callback of a process for the progress has thrown.
Error stopped_by(int rank);

}  // namespace weft::engine
