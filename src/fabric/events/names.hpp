#pragma once

#include <functional>

#include "program/color_names.hpp"
#include "weft/event.hpp"
#include "weft/program.hpp"

namespace weft::fabric {

/// Event::number of a task: of local tasks from here on, and of control tasks.
inline constexpr int kFirstLocal = 32, kFirstControl = 64;

/// Of all but what was chosen. `program_at(x, y)`: null where a PE has none.
EventNames event_names(int width, int height, const ColorNames& colors,
                       const std::function<const Program*(int x, int y)>& program_at);

}  // namespace weft::fabric
