#include "weft/error.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace weft::inline v0 {
namespace {

std::string message(const ErrorText& text) {
  std::string words = text.problem;
  if (!text.reason.empty()) {
    words += " (" + text.reason + ")";
  }
  if (!text.remedy.empty()) {
    words += "; " + text.remedy;
  }
  return words;
}

}  // namespace

std::string_view to_string(ErrorCategory category) noexcept {
  switch (category) {
    case ErrorCategory::usage:
      return "usage";
    case ErrorCategory::program:
      return "program";
    case ErrorCategory::layout:
      return "layout";
    case ErrorCategory::input:
      return "input";
    case ErrorCategory::machine_profile:
      return "machine profile";
    case ErrorCategory::environment:
      return "environment";
    case ErrorCategory::emulator:
      return "emulator";
  }
  return "emulator";
}

Error::Error(ErrorCategory category, ErrorText text)
    : std::runtime_error(message(text)),
      category_(category),
      text_(std::make_shared<const ErrorText>(std::move(text))) {}

Error::Error(ErrorCategory category, std::string problem, std::string reason, std::string remedy)
    : Error(category, ErrorText{std::move(problem), std::move(reason), std::move(remedy)}) {}

FaultError::FaultError(const Fault& fault, ErrorText text)
    : Error(ErrorCategory::program, std::move(text)), fault_(fault) {}

}  // namespace weft::inline v0
