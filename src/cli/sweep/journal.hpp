#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace weft::cli {

/// A run of a sweep that has ended.
struct KeptRun {
  bool ok = false;
  std::string error;            ///< why it failed, in a line; empty if it did not
  std::string report = "null";  ///< of the sub-command, as JSON
  std::uint64_t peak_bytes = 0;
};

/// The runs that a folder keeps: a line of JSON each, written as the run ends. A run is found by
/// all that decides its result: the command line, the machine and the version of Weft.
class Journal {
 public:
  /// Reads the file, if it is there. A last line that was not finished is left out. Throws
  /// Error(input) if it holds something else: nothing is overwritten.
  explicit Journal(std::string path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const noexcept { return path_; }
  const KeptRun* find(const std::string& key) const;
  /// Keeps a run, or replaces it. Throws Error(environment).
  void add(const std::string& key, const KeptRun& run);

 private:
  std::string path_;
  int file_ = -1;
  std::map<std::string, KeptRun> runs_{};
};

}  // namespace weft::cli
