#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "weft/deadlock.hpp"

/// The option --explain: the report of a deadlock in which the emulated program ends.
namespace weft::cli {

nlohmann::ordered_json deadlock_json(const DeadlockReport& report);

/// As JSON if the file's name ends so, else as text; "-" is text on standard output.
void write_explanation(const std::string& path, const DeadlockReport& report);

/// The same; if it cannot be written, a line on standard error says so, and no more.
void try_to_explain(const std::string& path, const DeadlockReport& report);

/// Writes what was counted up to an error, with who waits for whom. If that fails, a line on
/// standard error says so, and no more.
void try_to_save(const std::string& path, const std::shared_ptr<const Profile>& profile);

/// run(); a deadlock that ends it is explained in the file, if there is one, and passed on. So is
/// the run up to there, or up to its limit, in the file of its profile.
template <class F>
auto explained(const std::optional<std::string>& path, F run,
               const std::optional<std::string>& profile = {}) {
  try {
    return run();
  } catch (const DeadlockError& error) {
    if (path) try_to_explain(*path, error.report());
    if (profile) try_to_save(*profile, error.profile());
    throw;
  } catch (const LimitError& error) {
    if (profile) try_to_save(*profile, error.profile());
    throw;
  }
}

}  // namespace weft::cli
