#include "cli/fft/report_lines.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/text/number_text.hpp"

namespace weft::cli {

std::string bytes_text(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.1f} MiB", mebibytes)
                          : fmt::format("{:.2f} GiB", mebibytes / 1024);
}

void ReportLines::add(const std::string& heading) { text_ += "  " + heading + "\n"; }

void ReportLines::add(const std::string& label, const std::string& value) {
  fmt::format_to(std::back_inserter(text_), "  {:<17} {}\n", label, value);
}

void ReportLines::add_cycles(const std::string& label, std::uint64_t cycles, std::uint64_t total) {
  const double percent =
      total > 0 ? 100 * static_cast<double>(cycles) / static_cast<double>(total) : 0;
  add(label, fmt::format("{:>13}  {:5.1f} %", grouped(cycles), percent));
}

}  // namespace weft::cli
