#pragma once

#include "fabric/build/state.hpp"

/// The host's links, from a layout (engine/host_port.hpp).
namespace weft::fabric {

/// Lanes before the first PE of a row and column, and those that are needed behind the last one.
struct Surroundings {
  int west = 0, north = 0, east = 0, south = 0;
};
Surroundings surroundings_of(const Layout& layout);

/// The places beyond an edge.
Rect beyond(Rect where, Port edge);

/// Throws Error(layout) where the route of a PE does not open the port of a stream.
void check_host_streams(const Layout& layout);

/// After the routers. Does nothing without streams.
void add_host_ports(State& s, const Layout& layout);

}  // namespace weft::fabric
