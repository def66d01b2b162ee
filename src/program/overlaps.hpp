#pragma once

#include <bitset>
#include <vector>

#include "program/pe_impl.hpp"

/// Which operations of a program may run at the same time. An operation is known by the queue whose
/// microthread it takes: two of one queue never run together.
namespace weft::inline v0 {

/// Uses of queues, by number_of.
using QueueUses = std::bitset<std::size_t{2} * kColors>;
inline std::size_t number_of(QueueUse use) {
  return static_cast<std::size_t>(use.color) + (use.input ? 0 : std::size_t{kColors});
}

/// By use of a queue: the others whose operations may still run when one of its own is issued.
using Overlaps = std::vector<QueueUses>;

struct ProgramOverlaps {
  Overlaps sure;     ///< asynchronous ones of one task, which nothing in its code keeps apart
  Overlaps in_task;  ///< also with one of these that the core waits for
  Overlaps any;      ///< all that may overlap, also with those of other tasks
};

/// `of_fifos`: tasks that pushes and pops activate.
ProgramOverlaps overlaps_of(const std::vector<DescriptorValue>& values,
                            const std::vector<Section>& sections, const std::vector<Wait>& waits,
                            const std::vector<Task>& of_fifos);

}  // namespace weft::inline v0
