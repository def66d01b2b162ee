#pragma once

#include <optional>
#include <set>
#include <vector>

#include "fabric/errors/deadlock/circles.hpp"
#include "fabric/errors/deadlock/mesh.hpp"
#include "weft/deadlock.hpp"

/// The wait graph of a fabric that stands still.
namespace weft::fabric::deadlock {

/// Something that cannot go on; or a router's input, empty, for which others wait.
struct Node {
  std::optional<DeadlockWait::What> what{};  ///< none: an empty input (`color`, `number`: port)
  int pe = 0, number = 0, color = -1;
  std::uint32_t left = 0;
  /// Why it cannot go on, if none of `waits_for` leads to anything else that is stuck; `detail`: a
  /// port or FIFO that the kind names.
  DeadlockKind own = DeadlockKind::no_more_wavelets;
  int detail = -1;
  bool for_good = false;  ///< whatever the others do
  std::vector<int> waits_for{};
};

/// All that cannot go on, PE by PE; without edges.
std::vector<Node> stuck_nodes(const Mesh& mesh);

/// The same with edges; empty inputs come after them. Where any of several things would do (many
/// may send on a color, or move a switch), there is an edge to each. `circling`: what circling()
/// (circles.hpp) found.
std::vector<Node> wait_graph(const Mesh& mesh, const std::set<Inlet>& circling);

}  // namespace weft::fabric::deadlock
