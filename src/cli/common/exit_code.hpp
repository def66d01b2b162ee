#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "cli/common/interrupt.hpp"
#include "weft/deadlock.hpp"
#include "weft/error.hpp"

namespace weft::cli {

/// The process returns one of them to its caller; --help lists them.
enum ExitCode : int {
  kOk = 0,             ///< it ran, and the result is within the error bound
  kDefect = 1,         ///< something that Weft itself got wrong
  kRefused = 2,        ///< invalid arguments, input or machine profile, or an unsuitable host
  kFault = 3,          ///< the emulated program did what the machine does not allow
  kMismatch = 4,       ///< the result differs from the reference by more than the bound
  kInterrupted = 130,  ///< SIGINT or SIGTERM ended it, as shells count the first
};

inline ExitCode exit_code(const std::exception& exception) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return kRefused;
  }
  if (dynamic_cast<const Interrupted*>(&exception) != nullptr) {
    return kInterrupted;
  }
  const auto* error = dynamic_cast<const Error*>(&exception);
  if (error == nullptr) {
    return kDefect;
  }
  switch (error->category()) {
    case ErrorCategory::usage:
    case ErrorCategory::input:
    case ErrorCategory::machine_profile:
    case ErrorCategory::layout:
    case ErrorCategory::environment:
      return kRefused;
    case ErrorCategory::program:
      return kFault;
    case ErrorCategory::emulator:
      return kDefect;
  }
  return kDefect;
}

/// `text` without line breaks, which file names and reports may hold.
inline std::string one_line(std::string text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  std::ranges::replace_if(text, is_control, ' ');
  return text;
}

/// The line that goes to standard error: "weft: <category> error: what (why); what to do", or that
/// the user ended the run.
inline std::string error_line(const std::exception& exception) {
  std::string line;
  if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    line = fmt::format("weft: {} error: {}", to_string(error->category()), exception.what());
    if (dynamic_cast<const DeadlockError*>(&exception) != nullptr) {
      line += "; weft fft --explain FILE tells all of it";
    }
    if (error->category() == ErrorCategory::emulator) {
      line += "; please report it with the command line";
    }
  } else if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    line =
        "weft: environment error: out of memory (this host cannot hold a run of this size); "
        "choose a smaller --shape or a host with more memory";
  } else if (dynamic_cast<const Interrupted*>(&exception) != nullptr) {
    line = fmt::format("weft: interrupted {}; nothing was written", exception.what());
  } else {
    line = fmt::format(
        "weft: emulator error: {} (unexpected, a defect of Weft); "
        "please report it with the command line",
        exception.what());
  }
  return one_line(line);
}

}  // namespace weft::cli
