#include "weft/error.hpp"

#include <string>
#include <string_view>

namespace weft {
namespace {

std::string message(const std::string& what, const std::string& why, const std::string& remedy) {
  std::string text = what;
  if (!why.empty()) {
    text += " (" + why + ")";
  }
  if (!remedy.empty()) {
    text += "; " + remedy;
  }
  return text;
}

}  // namespace

std::string_view name(Category category) noexcept {
  switch (category) {
    case Category::usage:
      return "usage";
    case Category::program:
      return "program";
    case Category::layout:
      return "layout";
    case Category::input:
      return "input";
    case Category::machine_profile:
      return "machine profile";
    case Category::environment:
      return "environment";
    case Category::emulator:
      return "emulator";
  }
  return "emulator";
}

Error::Error(Category category, const std::string& what, const std::string& why,
             const std::string& remedy)
    : std::runtime_error(message(what, why, remedy)), category_(category) {}

// The report is whole already: where, what, why and what to do come from the kind's row.
FaultError::FaultError(const Fault& fault, const std::string& report)
    : Error(Category::program, report, "", ""), fault_(fault) {}

}  // namespace weft
