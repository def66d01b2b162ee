#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "weft/fault.hpp"

namespace weft::inline v0 {

/// The one to blame for an error.
enum class ErrorCategory {
  usage,            ///< a bad argument to the library or the command line
  program,          ///< the emulated program did something the machine does not allow
  layout,           ///< routes, switches, filters or placements that cannot work
  input,            ///< a file or array that cannot be used
  machine_profile,  ///< a machine file with an unknown key or a value out of range
  environment,      ///< the host: memory, disk, device
  emulator,         ///< a defect of Weft itself; please report it
};

/// The category's name as the command line prints it ("machine profile").
std::string_view to_string(ErrorCategory category) noexcept;

/// The message of an error, in parts. Any may be empty.
struct ErrorText {
  std::string problem;  ///< what is wrong
  std::string reason;   ///< why; of a fault of the emulated program, where: cycle, PE, color
  std::string remedy;   ///< what to do
};

/// The exception that Weft throws. The message, what(), reads "problem (reason); remedy". May be
/// copied, and read by several threads at once.
class Error : public std::runtime_error {
 public:
  Error(ErrorCategory category, std::string problem, std::string reason, std::string remedy);
  Error(ErrorCategory category, ErrorText text);

  ErrorCategory category() const noexcept { return category_; }
  const std::string& problem() const noexcept { return text_->problem; }
  const std::string& reason() const noexcept { return text_->reason; }
  const std::string& remedy() const noexcept { return text_->remedy; }

 private:
  ErrorCategory category_;
  std::shared_ptr<const ErrorText> text_;  ///< so that a copy throws nothing
};

/// Thrown when the emulated program faults.
class FaultError : public Error {
 public:
  FaultError(const Fault& fault, ErrorText text);

  const Fault& fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

}  // namespace weft::inline v0
