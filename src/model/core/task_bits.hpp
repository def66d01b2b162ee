#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/state/view.hpp"

/// The bits that make a task runnable.
namespace weft::model {

/// Sets the active bit of a local task.
WEFT_INLINE void activate_local(CoreState& core, int id, Mask lanes) {
  core.local_active[id] |= lanes;
  core.local_any |= 1U << id;
}

/// Sets or clears the blocked bit: of a local task, or of the color that data and control tasks
/// come by.
static WEFT_INLINE void set_blocked(CoreState& core, TaskKind kind, int id, Mask lanes,
                                    bool blocked) {
  const auto set = [&](Mask& bits) { bits = blocked ? bits | lanes : bits & ~lanes; };
  if (kind == TaskKind::local) return set(core.local_blocked[id]);
  set(core.color_blocked[id]);
  for (int q = 0; q < kInputQueues; ++q) {
    const Mask of_color = equal(lanes, core.queue_color[q], static_cast<std::uint8_t>(id));
    Mask& bits = core.queue_blocked[q];
    bits = blocked ? bits | of_color : bits & ~of_color;
  }
}

}  // namespace weft::model
