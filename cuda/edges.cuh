#pragma once

#include "cuda/facilities.cuh"
#include "model/lanes/neighbours.hpp"
#include "model/state/view.hpp"

/// The edge of a tile whose routers are in shared memory: a strip's own warp puts its sent wavelets
/// and its room into device memory, where the strip beyond looks for them (View::far_strip,
/// far_colors). meet_neighbours sees to it that they are there in time.
namespace weft::cuda {

/// A strip at the edge of its tile, and the link that leads out.
struct Edge {
  const model::View& near;  ///< with what is staged
  const model::View& home;  ///< all of it in device memory
  int strip;
  Port link;

  /// This thread's color of these, or -1: the colors are dealt to the threads.
  WEFT_DEVICE int color(std::uint32_t colors) const {
    return (colors >> thread() & 1U) != 0 ? near.strip[strip].color_state[thread()] : -1;
  }
};

/// After step 1 of a strip.
WEFT_DEVICE void put_sent(const Edge& e) {
  const int link = static_cast<int>(e.link);
  const model::StripState& near = e.near.strip[e.strip];
  model::StripState& home = e.home.strip[e.strip];
  if (&home != &near) {
    const model::Mask edge = model::edge_of(e.link);
    for (int lane = thread(); lane < model::kLanes; lane += static_cast<int>(kWarp))
      if (model::has(edge, lane)) home.link[link].at[lane] = near.link[link].at[lane];
    if (thread() == 0) {
      home.link_control[link] = near.link_control[link];
      home.sent[link] = near.sent[link];
      home.left_cycle = near.left_cycle;
    }
  }
  const int color = e.color(near.sent[link]);
  if (e.home.colors == e.near.colors || color < 0) return;
  e.home.colors[color].sent[link] = e.near.colors[color].sent[link];
}

/// After steps 2 and 3 of a strip.
WEFT_DEVICE void put_room(const Edge& e) {
  const int port = static_cast<int>(e.link);
  const int color = e.color(e.near.strip[e.strip].colors);
  if (e.home.colors == e.near.colors || color < 0) return;
  e.home.colors[color].room[port] = e.near.colors[color].room[port];
}

}  // namespace weft::cuda
