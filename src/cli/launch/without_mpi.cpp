#include <fmt/format.h>

#include "cli/launch/launch.hpp"
#include "weft/error.hpp"

namespace weft::cli {

std::shared_ptr<Processes> join(const Copies& all) {
  throw Error(ErrorCategory::usage, fmt::format("weft was started {} times", all.count),
              "a launcher of MPI started a copy for each process, and this weft was built without "
              "MPI, by which they share a fabric",
              "start it once, or build it where MPI is installed (libopenmpi-dev)");
}

int leave(int code, std::string_view /*message*/) { return code; }

}  // namespace weft::cli
