#pragma once

#include <memory>
#include <string_view>

#include "cli/common/copies.hpp"
#include "cli/fft/shared_transform.hpp"
#include "weft/processes.hpp"

/// The command as one of the processes that a launcher of MPI has started. Of two sources each, a
/// build has the one for what it has: with_mpi.cpp or without_mpi.cpp, and so of FFTW's library for
/// MPI.
namespace weft::cli {

/// Joins the others. Throws Error(usage) if this build has no MPI, or the launcher belongs to
/// another one.
std::shared_ptr<Processes> join(const Copies& all);

/// Ends the process together with the others, after join(); as mpi_finish.
int leave(int code, std::string_view message);

/// Transforms by FFTW among all processes; empty: this build has none.
MakeSharedTransform fftw_of_processes();

}  // namespace weft::cli
