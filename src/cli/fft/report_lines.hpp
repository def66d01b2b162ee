#pragma once

#include <cstdint>
#include <string>

namespace weft::cli {

/// "3.5 MiB", "1.20 GiB"
std::string bytes_text(std::uint64_t bytes);

/// A title, and lines of a label and what it says, the values in one column.
class ReportLines {
 public:
  explicit ReportLines(const std::string& title) : text_(title + "\n") {}

  void add(const std::string& heading);
  void add(const std::string& label, const std::string& value);
  /// With its share of the total.
  void add_cycles(const std::string& label, std::uint64_t cycles, std::uint64_t total);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace weft::cli
