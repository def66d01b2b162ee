#pragma once

/// All there is in a fabric, as plain data. Everything is by strip: one bit (Mask) or one word
/// (Vector) per PE.
#include "model/state/core_state.hpp"
#include "model/state/router_state.hpp"
#include "model/state/timing.hpp"
#include "model/state/view.hpp"
