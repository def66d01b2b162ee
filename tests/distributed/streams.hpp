#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/failing_process.hpp"
#include "distributed/thread_processes.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

/// Streams down and up over all cuts of 16 rows, and processes that fail meanwhile. Options: all
/// but the processes.
namespace weft::test {

/// How a run ends, and how the next one does; then how many words came through: "40 40 40 40 " if
/// all did.
std::string said_of_streams(const std::shared_ptr<Processes>& processes, FabricOptions options);

/// One run, or what it throws. `before` it, once the fabric is made.
void run_streams(
    const std::shared_ptr<Processes>& processes, FabricOptions options,
    const std::function<void()>& before = [] {});

/// What each process tells, where `rank` fails so; and of a fabric after that.
std::vector<std::string> told_of_failure(Team& team, const FabricOptions& options, int rank,
                                         const Failure& failure);
/// What it is to tell. `right`: of a fabric without failures.
std::string expected_of_failure(const Team& team, int rank, const Failure& failure,
                                const std::string& right);

/// The calls of send and receive of a process, in one run.
std::uint64_t calls_of(Team& team, const FabricOptions& options, int rank);

}  // namespace weft::test
