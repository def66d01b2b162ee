#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "weft/fault.hpp"

namespace weft {

/// Whose fault an error is.
enum class Category {
  usage,            ///< a bad argument to the library or the command line
  program,          ///< the emulated program did something the machine does not allow
  layout,           ///< routes, switches, filters or placements that cannot work
  input,            ///< a file or array that cannot be used
  machine_profile,  ///< a machine file with an unknown key or a value out of range
  environment,      ///< the host: memory, disk, device
  emulator,         ///< a defect of Weft itself; please report it
};

/// The category's name as the command line prints it ("machine profile").
std::string_view name(Category category) noexcept;

/// What Weft throws. The message reads "what (why); what to do".
class Error : public std::runtime_error {
 public:
  Error(Category category, const std::string& what, const std::string& why,
        const std::string& remedy);

  Category category() const noexcept { return category_; }

 private:
  Category category_;
};

/// Thrown when the emulated program faults.
class FaultError : public Error {
 public:
  FaultError(const Fault& fault, const std::string& report);

  const Fault& fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

}  // namespace weft
