#pragma once

#include "fabric/build/state.hpp"

namespace weft::fabric {

/// Routes, filters and the queues of routers, as the layout says. Throws as Fabric's constructor.
void build_routers(State& s, const Layout& layout, const Machine& machine);

}  // namespace weft::fabric
