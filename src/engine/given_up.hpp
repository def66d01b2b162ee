#pragma once

#include <exception>

namespace weft::engine {

/// Thrown in a thread that has waited for what does not come any more: another one, or another
/// process, has given up the run.
struct GivenUp : std::exception {
  const char* what() const noexcept override { return "the run was given up"; }
};

}  // namespace weft::engine
