#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "weft/deadlock.hpp"

/// What --explain writes when the emulated program ends in a deadlock.
namespace weft::cli {

nlohmann::ordered_json deadlock_json(const DeadlockReport& report);

/// As JSON if the file's name ends so, else as text; "-" is text on standard output.
void write_explanation(const std::string& path, const DeadlockReport& report);

/// run(); a deadlock that ends it is explained in the file, if there is one, and passed on.
template <class F>
auto explained(const std::optional<std::string>& path, F run) {
  try {
    return run();
  } catch (const DeadlockError& error) {
    if (path) write_explanation(*path, error.report());
    throw;
  }
}

}  // namespace weft::cli
