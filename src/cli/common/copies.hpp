#pragma once

#include <optional>

namespace weft::cli {

/// This process among those that a launcher of MPI has started: mpirun of Open MPI or MPICH, or
/// srun of Slurm with PMIx or PMI2.
struct Copies {
  int rank, count;
};

/// None: no launcher has, or only this one.
std::optional<Copies> copies();

}  // namespace weft::cli
