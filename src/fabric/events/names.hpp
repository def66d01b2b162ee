#pragma once

#include "fabric/errors/names.hpp"
#include "fabric/events/event_log.hpp"
#include "weft/event.hpp"

namespace weft::fabric {

/// Event::number of a task: of local tasks from here on, and of control tasks.
inline constexpr int kFirstLocal = 32, kFirstControl = 64;

/// `log`: null: the fabric emits no events. `from_start`: it has not run yet.
EventNames event_names(int width, int height, const Names& names, const EventLog* log,
                       bool from_start);

}  // namespace weft::fabric
