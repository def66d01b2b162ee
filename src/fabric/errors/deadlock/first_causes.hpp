#pragma once

#include "fabric/errors/deadlock/graph.hpp"

namespace weft::fabric::deadlock {

/// Nodes that nothing else stuck keeps: one, or several that wait for each other.
struct FirstCause {
  std::vector<int> nodes;  ///< of a circle: in its order, each waits for the next one
  bool circular = false;
};

/// In the order of their first nodes.
std::vector<FirstCause> first_causes(const std::vector<Node>& graph);

/// The graph's edges backwards.
std::vector<std::vector<int>> waited_for_by(const std::vector<Node>& graph);

/// Something stuck, on its way to a first cause.
struct ChainStep {
  int node;
  std::size_t next;  ///< index of the step that it waits for
};

/// All that leads to one of the causes, nearest first; the causes themselves come first, in their
/// order. Empty inputs are left out: who waits for one waits for what comes after it.
std::vector<ChainStep> steps_to(const std::vector<Node>& graph,
                                const std::vector<std::vector<int>>& waited_for_by,
                                const std::vector<FirstCause>& causes);

}  // namespace weft::fabric::deadlock
