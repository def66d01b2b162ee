#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::cli {

/// How a process ended.
struct Ended {
  int code = 0;          ///< its exit code, if no signal ended it
  int signal = 0;        ///< that ended it, or 0
  std::string out, err;  ///< what it wrote
  std::uint64_t peak_bytes = 0;
};

/// This program again, with other arguments, as a process of its own. It ends when this process
/// does.
class Child {
 public:
  /// The name under which the process finds its input.
  static constexpr const char* kInput = "/dev/fd/3";

  /// `arguments`: behind the program's name. Throws Error(environment) if it cannot be started.
  Child(const std::vector<std::string>& arguments, const std::string& input);
  /// Ends it, if it still runs.
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  /// Nothing: it still runs.
  std::optional<Ended> ended();

 private:
  pid_t process_ = -1;
  int out_ = -1, err_ = -1;  ///< files without a name
};

}  // namespace weft::cli
