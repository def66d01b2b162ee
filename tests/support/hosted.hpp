#pragma once

#include <vector>

#include "support/mesh.hpp"

/// Fabrics with host streams, on each way of stepping that has them.
namespace weft::test {

/// The test machine, with links to the host that carry a word in so many cycles.
inline Machine hosted_machine(int link_cycles, int hop_cycles = 1, int depth = 2) {
  Machine m = test_machine();
  m.host_link_cycles = link_cycles;
  m.hop_cycles = hop_cycles;
  m.router_queue_depth = depth;
  return m;
}

struct Way {
  const char* name;
  Engine engine = Engine::host;
  int threads = 1;
  bool shortcuts = true;
};

inline constexpr Way kWays[] = {{"reference", Engine::reference},
                                {"lanes"},
                                {"two threads", Engine::host, 2},
                                {"no shortcuts", Engine::host, 1, false}};

inline Fabric hosted_fabric(const Layout& layout, const Machine& m, const Way& way) {
  FabricOptions options;
  options.engine = way.engine;
  options.threads = way.threads;
  options.accelerate.shortcuts = way.shortcuts;
  return {layout, m, options};
}

inline Rect side_of(const Layout& l, Port edge) {
  switch (edge) {
    case Port::west:
      return {0, 0, 1, l.height()};
    case Port::east:
      return {l.width() - 1, 0, 1, l.height()};
    case Port::north:
      return {0, 0, l.width(), 1};
    default:
      return {0, l.height() - 1, l.width(), 1};
  }
}

/// A stream that passes through the mesh to the other side.
inline Layout through(int width, int height, Port to) {
  Layout layout(width, height);
  const Port from = opposite(to);
  layout.host_output("out", side_of(layout, to), to, 4);
  layout.host_input("in", side_of(layout, from), from, 4);
  layout.route({0, 0, width, height}, 4, {.rx = from, .tx = to});
  return layout;
}

}  // namespace weft::test
