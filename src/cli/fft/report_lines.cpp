#include "cli/fft/report_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text/number_text.hpp"

namespace weft::cli {

std::string bytes_text(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.1f} MiB", mebibytes)
                          : fmt::format("{:.2f} GiB", mebibytes / 1024);
}

void ReportLines::add(const std::string& heading) { lines_.emplace_back(heading, ""); }

void ReportLines::add(const std::string& label, const std::string& value) {
  lines_.emplace_back(label, value);
}

std::string ReportLines::text() const {
  std::size_t width = 17;
  for (const auto& [label, value] : lines_)
    if (!value.empty()) width = std::max(width, label.size());
  std::string text = title_ + "\n";
  for (const auto& [label, value] : lines_)
    text += value.empty() ? fmt::format("  {}\n", label)
                          : fmt::format("  {:<{}} {}\n", label, width, value);
  return text;
}

void ReportLines::add_cycles(const std::string& label, std::uint64_t cycles, std::uint64_t total) {
  const double percent =
      total > 0 ? 100 * static_cast<double>(cycles) / static_cast<double>(total) : 0;
  add(label, fmt::format("{:>13}  {:5.1f} %", grouped(cycles), percent));
}

}  // namespace weft::cli
