#include <fmt/format.h>

#include "cli/launch/launch.hpp"
#include "weft/error.hpp"
#include "weft/mpi.hpp"

namespace weft::cli {

std::shared_ptr<Processes> join(const Copies& all) {
  std::shared_ptr<Processes> world = mpi_world();
  if (world->size() != all.count)
    throw Error(ErrorCategory::usage, fmt::format("weft was started {} times", all.count),
                fmt::format("its MPI knows of {}: the launcher is that of another MPI, or of none",
                            world->size()),
                "start it by the mpirun of the MPI that it was built with");
  return world;
}

int leave(int code, std::string_view message) { return mpi_finish(code, message); }

}  // namespace weft::cli
