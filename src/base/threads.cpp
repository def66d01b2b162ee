#include "base/threads.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"

namespace weft::base {

void check_threads(int threads, std::string_view name) {
  if (threads >= 1 && threads <= kMostThreads) return;
  throw Error(ErrorCategory::usage, fmt::format("invalid {}: {}", name, threads),
              fmt::format("allowed: 1 to {}", kMostThreads), "leave it out, or give 1 or more");
}

}  // namespace weft::base
