#include "cli/common/copies.hpp"

#include <cstdlib>

#include "cli/common/number_in.hpp"

namespace weft::cli {
namespace {

std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : number_in<int>(text);
}

}  // namespace

std::optional<Copies> copies() {
  struct Launcher {
    const char *count, *rank;
  };
  // Of Slurm, the rank is one that it gives for MPI alone (srun --mpi=pmix): runs that srun starts
  // side by side are no copies. A batch script is no step, and has no number of a step's tasks.
  constexpr Launcher kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                     {"PMI_SIZE", "PMI_RANK"},
                                     {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}};
  for (const Launcher& launcher : kLaunchers) {
    const auto count = number_of(launcher.count), rank = number_of(launcher.rank);
    if (count && rank && *count > 1) return Copies{*rank, *count};
  }
  return std::nullopt;
}

}  // namespace weft::cli
