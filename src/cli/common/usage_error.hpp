#pragma once

#include "weft/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace weft::cli {

/// The error to throw for a command line that CLI11 cannot read; it names the option that was
/// probably meant, where that can be known.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace weft::cli
