#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weft/processes.hpp"

/// The library weft-mpi, built where MPI is installed.
namespace weft::inline v0 {

/// All processes that a launcher of MPI has started (mpirun), for FabricOptions::processes. The
/// first call starts MPI, if the program has not. Throws Error(environment) if this MPI serves only
/// the thread that has started it.
std::shared_ptr<Processes> mpi_world();

/// The processes of a communicator, for a program that has started MPI: `communicator` is the
/// address of an MPI_Comm. All of them call it. The communicator keeps what it returns, and two
/// communicators of MPI for it, which are not freed. Throws as mpi_world(), and Error(usage) for
/// MPI_COMM_NULL, a communicator between two groups, and if MPI is not started or has ended.
std::shared_ptr<Processes> mpi_processes(const void* communicator);

/// The name and version of this MPI.
std::string mpi_library();

/// The end of a program whose processes have shared fabrics: waits for all, ends MPI if mpi_world()
/// has started it, and returns the largest of the codes that they give. Where some give another
/// code than 0, the `message` of the first of them goes to standard error; so an error that all
/// have is printed once. Such a process waits ten seconds for the others. One that has not come by
/// then probably waits for it in a fabric: the process that waited here prints its own message, and
/// MPI_Abort ends all.
int mpi_finish(int code, std::string_view message);

}  // namespace weft::inline v0
