#pragma once

#include <source_location>

namespace weft::inline v0 {

/// The line that calls a method, as its last argument, which nobody writes: errors and reports of a
/// run name it. Lines of Weft's own sources do not count, so what a pattern writes has the line
/// that calls the pattern.
class CallLine {
 public:
  /// Notes the line, for what this thread writes next: methods need not hand it on.
  CallLine(const std::source_location& line = std::source_location::current());
};

}  // namespace weft::inline v0
