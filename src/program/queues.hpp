#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "program/pe_impl.hpp"

/// The queues of a program's colors, chosen when it is complete. Each color has a queue of its own
/// in each direction. What is left to choose are microthreads: queue n from the router and queue n
/// to it share microthread n, and operations that may run at the same time must not.
namespace weft::inline v0 {

// Deep queues first: one of two wavelets takes no more than two in three cycles, as its room comes
// back late (wse2: 6, 6, 4, 4, 2, 2, 2, 2 from the router, 2, 2, 6, 6, 2, 2 to it).
inline constexpr std::array kInputOrder = {0, 1, 2, 3, 6, 7, 4, 5};
inline constexpr std::array kOutputOrder = {3, 2, 4, 5, 0, 1};

/// Two operations that would run on one microthread at the same time.
struct QueueClash {
  QueueUse running, issued;
};

struct ChosenQueues {
  QueueChoice queues;
  std::optional<QueueClash> clash;  ///< there are too few for what may run at the same time
};

/// The queues that the colors were given as they came (`first`), if no operations clash; else
/// others that keep these apart. The queues of the user's own (`of_user`) stay. `of_fifos`: tasks
/// that pushes and pops activate.
ChosenQueues choose_queues(const std::vector<DescriptorValue>& values,
                           const std::vector<Section>& sections, const std::vector<Wait>& waits,
                           const std::vector<Task>& of_fifos, const QueueChoice& first,
                           const std::set<QueueUse>& of_user);

}  // namespace weft::inline v0
