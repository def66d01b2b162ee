#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::cli {

/// "3.5 MiB", "1.20 GiB"
std::string bytes_text(std::uint64_t bytes);

/// A title, and lines of a label and what it says, the values in one column.
class ReportLines {
 public:
  explicit ReportLines(std::string title) : title_(std::move(title)) {}

  void add(const std::string& heading);
  void add(const std::string& label, const std::string& value);
  /// With its share of the total.
  void add_cycles(const std::string& label, std::uint64_t cycles, std::uint64_t total);

  std::string text() const;

 private:
  std::string title_;
  std::vector<std::pair<std::string, std::string>> lines_;  ///< labels, and what they say
};

}  // namespace weft::cli
