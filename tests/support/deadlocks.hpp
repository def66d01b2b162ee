#pragma once

#include <vector>

#include "weft/weft.hpp"

namespace weft::test {

/// A small program that ends in a deadlock, and its first cause.
struct PlantedDeadlock {
  const char* name;
  Layout layout;
  DeadlockKind kind;
  DeadlockPlace pe;
  int color;
  std::string message;  ///< of the error
};

/// All of test_machine(), in five rows of PEs, so that two threads share them.
std::vector<PlantedDeadlock> planted_deadlocks();

/// Some of them: waits in circles, routes in circles, tasks that would go on.
std::vector<PlantedDeadlock> deadlocks_in_circles();
/// Two wavelets go round among four PEs for ever.
Layout wavelets_in_circle();

inline constexpr int kLateColor = 5;

/// A sender and receivers with counter filters; each has to lower its filter's limit after the
/// first word that it takes, and does so too late.
Layout late_limit();

/// The deadlock in which a run of the layout ends; fails the test if that is no deadlock.
DeadlockReport report_of(const Layout& layout, FabricOptions options = {});
/// The message of the same.
std::string message_of(const Layout& layout);

}  // namespace weft::test
