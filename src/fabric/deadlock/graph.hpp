#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "fabric/pe_state.hpp"
#include "weft/deadlock.hpp"

/// What of a fabric that stands still waits for what.
namespace weft::fabric::deadlock {

/// All PEs, row by row, and what lies between them. It is all that the analysis looks at.
struct Mesh {
  int width = 0, height = 0;
  std::size_t router_depth = 0;
  std::array<std::size_t, kInputQueues> input_depth{};
  std::array<std::size_t, kOutputQueues> output_depth{};
  std::vector<PeState> pes{};

  const PeState& at(int pe) const { return pes[static_cast<std::size_t>(pe)]; }
  /// The PE beyond a link; -1: the mesh ends there.
  int beyond(int pe, Port link) const;
  /// The channel whose wavelets the router beyond a link gets, and its own of the color that they
  /// have in its queue; null: it takes none.
  const Channel* taken_by(int pe, int color, Port in) const;
};

Mesh mesh_of(const State& state);

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
/// may send on a color, or move a switch), there is an edge to each.
std::vector<Node> wait_graph(const Mesh& mesh);

/// The filter would let the next data wavelet in.
bool is_open(const Filter& filter);
/// It will never let one in again, however many come.
bool never_opens(const Filter& filter);

}  // namespace weft::fabric::deadlock
