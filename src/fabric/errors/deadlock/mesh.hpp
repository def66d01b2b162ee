#pragma once

#include <array>
#include <functional>
#include <vector>

#include "fabric/host_streams.hpp"
#include "fabric/stepper/pe_state.hpp"
#include "model/state/timing.hpp"
#include "weft/machine.hpp"

namespace weft::fabric::deadlock {

inline constexpr auto kRamp = static_cast<std::size_t>(Port::ramp);

/// All PEs, row by row, and what lies between them. It is all that the analysis looks at.
struct Mesh {
  int width = 0, height = 0;
  model::Timing timing{};
  std::array<std::size_t, kInputQueues> input_depth{};
  std::array<std::size_t, kOutputQueues> output_depth{};
  std::vector<PeState> pes{};
  std::vector<HostFacts> host{};  ///< the ends of all host streams

  const PeState& at(int pe) const { return pes[static_cast<std::size_t>(pe)]; }
  /// Wavelets that a router's queue at this port holds.
  std::size_t depth_of(int pe, std::size_t port) const;
  /// The PE beyond a link; -1: the mesh ends there.
  int beyond(int pe, Port link) const;
  /// The channel whose wavelets the router beyond a link gets, and its own of the color that they
  /// have in its queue; null: it takes none.
  const Channel* taken_by(int pe, int color, Port in) const;
  /// The end of a host stream by this port of a PE; null: there is none. `color`: on the link.
  const HostFacts* host_at(int pe, Port edge, int color, bool input) const;
  /// The same by a link of this PE.
  const Channel* beyond_link(int pe, int color, Port link) const {
    const int to = beyond(pe, link);
    return to < 0 ? nullptr : taken_by(to, color, opposite(link));
  }
};

/// An output that holds as many words as it may.
inline bool is_full(const HostFacts& output) {
  return output.stream.limit && output.words >= *output.stream.limit;
}

/// f(color on the link) for the colors that end in this queue of an input of a router.
template <class F>
void for_link_colors(const PeState& pe, int color, std::size_t port, F f) {
  for (const int on_link : {color, color ^ 1}) {
    const Channel* c = on_link < kColors ? pe.channel(on_link) : nullptr;
    if (c != nullptr && c->swaps[port] == (on_link != color)) f(on_link);
  }
}

/// `pe_at` is asked for each PE of a mesh of this size.
Mesh mesh_of(int width, int height, const Machine& machine,
             const std::function<PeState(int x, int y)>& pe_at, std::vector<HostFacts> host = {});

}  // namespace weft::fabric::deadlock
