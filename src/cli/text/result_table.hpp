#pragma once

#include <string>

#include "evaluation/result.hpp"

namespace weft::cli {

/// A result as people read it: its name and title, its table, its notes.
std::string result_table(const evaluation::Result& result);

}  // namespace weft::cli
