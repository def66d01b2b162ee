#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/sweep/journal.hpp"
#include "cli/sweep/sweep_runs.hpp"
#include "weft/processes.hpp"

namespace weft::cli {

/// How the runs of a grid are made.
struct HowToRun {
  int jobs, cores;  ///< of this process: runs side by side, and what they share
  bool again, quiet;
};

/// Makes the runs that the journal has not, side by side, as far as the host's free memory holds
/// them, by the most that one has taken so far. Where there are several `processes` (else null),
/// each makes some on its host, and the first one keeps all: `journal` is null in the others.
/// Throws Interrupted in all where the first was asked to stop, and in all what Journal::add and
/// Workers::begin throw in one.
void make_runs(const std::vector<SweepRun>& runs, Journal* journal, const HowToRun& how,
               Processes* processes);

/// How many of `left` runs each process begins that may begin `free` of them: dealt in turn.
std::vector<std::size_t> deal(const std::vector<std::size_t>& free, std::size_t left);

}  // namespace weft::cli
