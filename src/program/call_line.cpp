#include "program/call_line.hpp"

#include <fmt/format.h>

#include <string_view>

namespace weft {
namespace {

thread_local std::source_location last_line{};

/// The folder src/ of Weft itself, as the compiler names it.
std::string_view own_sources() {
  const std::string_view here = std::source_location::current().file_name();
  return here.substr(0, here.size() - std::string_view("program/call_line.cpp").size());
}

}  // namespace

std::source_location call_line() { return last_line; }

void set_call_line(const std::source_location& line) { last_line = line; }

std::string call_line_text() {
  const std::string_view file = last_line.file_name();
  if (file.empty()) return {};
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), last_line.line());
}

}  // namespace weft

namespace weft::inline v0 {

CallLine::CallLine(const std::source_location& line) {
  if (!std::string_view(line.file_name()).starts_with(own_sources())) set_call_line(line);
}

}  // namespace weft::inline v0
