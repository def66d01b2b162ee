#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "distributed/thread_processes.hpp"
#include "fabric/stepper/stepper.hpp"
#include "weft/processes.hpp"
#include "weft/profile.hpp"

/// A fabric that processes share, beside that of one process.
namespace weft::test {

/// A random case of two strips of rows at least, with stops in its run.
Case tall_case(std::uint64_t seed, Dice& dice);
/// So many processes as its strips allow, at most four; delays in every third case.
Team team_for(const Case& c, std::uint64_t seed);

/// The error that a run until idle ends with, its category before it.
std::string error_of_run(const Layout& layout, const Machine& machine, const FabricOptions& options,
                         std::uint64_t limit = 5000);

struct Compared {
  int width = 1, height = 1;
  std::size_t memory_words = 0;      ///< of a PE
  std::vector<std::uint64_t> stops;  ///< cycles at which all is compared
  int threads = 1, block = 0;
  /// Not to a stop, but until idle before it.
  bool until_idle = false;
  /// At cycle 0, with all that the host writes.
  std::function<std::unique_ptr<fabric::Stepper>(std::shared_ptr<Processes>)> make;
  int* by_line = nullptr;  ///< set by the first process: whether its run was so to its end
};

/// A case whose processes step the first run by line wherever the engine can, beside one process
/// that does not.
Compared compared_by_line(const Case& c);

/// A case whose fabrics one engine steps, as it is for one process and as processes share it.
Compared compared_on(const Case& c, Engine engine);

/// The first difference in state, memory, counters and fault; empty: there is none.
std::string difference(const Compared& compared, Team& team);
/// The same of a case, at its stops and its limit.
std::string difference(const Case& c, Team& team);

/// The first part of a profile that differs; empty: none does.
std::string difference(const Profile& one, const Profile& shared);

/// A run to the last stop, at which nobody looks: so these are the messages of the run.
Traffic traffic_of_run(const Compared& compared, Team& team);
Traffic traffic_of_run(const Case& c, Team& team);

/// Where processes report something else of the whole run than one does: counters, the text of its
/// error.
std::string difference_of_reports(const Case& c, Team& team);

}  // namespace weft::test
