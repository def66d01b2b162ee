#pragma once

#include <set>
#include <string>

#include "weft/program.hpp"

namespace weft::fabric {

/// Symbols that a run without data may leave without their values: those that vector instructions
/// and microthreads write to, and those that take what follows from such memory or from the
/// payloads of data wavelets. Found in the program's code: a pointer is taken to stay within the
/// symbols that it was given addresses of.
std::set<std::string> uncomputed_symbols(const Program& program);

}  // namespace weft::fabric
