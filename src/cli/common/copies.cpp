#include "cli/common/copies.hpp"

#include <algorithm>
#include <cstdlib>

#include "cli/common/number_in.hpp"

namespace weft::cli {
namespace {

struct Launcher {
  const char *count, *rank;
};

// Of Slurm, the rank is one that it gives for MPI alone (srun --mpi=pmix): runs that srun starts
// side by side are no copies. A batch script is no step, and has no number of a step's tasks.
constexpr Launcher kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                   {"PMI_SIZE", "PMI_RANK"},
                                   {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}};

std::optional<int> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : number_in<int>(text);
}

}  // namespace

std::optional<Copies> copies() {
  for (const Launcher& launcher : kLaunchers) {
    const auto count = number_of(launcher.count), rank = number_of(launcher.rank);
    if (count && rank && *count > 1) return Copies{*rank, *count};
  }
  return std::nullopt;
}

bool is_of_launcher(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return std::ranges::any_of(kLaunchers, [&](const Launcher& launcher) {
    return name == launcher.count || name == launcher.rank;
  });
}

}  // namespace weft::cli
