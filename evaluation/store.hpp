#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "evaluation/run.hpp"

namespace weft::evaluation {

/// Results of earlier runs, in a file. A result is used for the same run on the same machine by the
/// same version of Weft; others are kept.
class Store {
 public:
  /// Reads the file, if it is there. Throws Error(input) if it holds something else: nothing is
  /// overwritten.
  Store(std::string path, const Machine& machine);

  const std::string& path() const noexcept { return path_; }
  /// Of this machine and version.
  std::optional<Outcome> find(const std::string& key) const;
  std::size_t others() const noexcept { return others_.size(); }  ///< results that are not used

  /// Keeps a result, and writes the file anew, whole or not at all. Throws Error(environment).
  void add(const std::string& key, const Outcome& outcome);

 private:
  std::string path_;
  nlohmann::json machine_;  ///< every constant
  std::map<std::string, Outcome> outcomes_;
  nlohmann::json others_ = nlohmann::json::array();
};

}  // namespace weft::evaluation
