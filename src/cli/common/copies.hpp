#pragma once

#include <optional>
#include <string_view>

namespace weft::cli {

/// This process among those that a launcher of MPI has started: mpirun of Open MPI or MPICH, or
/// srun of Slurm with PMIx or PMI2.
struct Copies {
  int rank, count;
};

/// None: no launcher has, or only this one.
std::optional<Copies> copies();

/// Whether copies() looks at a variable, "NAME=VALUE". A process that is none of the copies is
/// started without these.
bool is_of_launcher(std::string_view variable);

}  // namespace weft::cli
