#pragma once

#include "cuda/facilities.cuh"
#include "model/router.hpp"

/// What crosses the edge of a tile whose routers are in shared memory. The row beyond has a copy
/// there too (the halo); what it sends and what room it has go through device memory, its home. A
/// strip's own warp puts and fetches them, because no other strip of the tile needs them. That they
/// are there in time is for meet_neighbours to see to.
namespace weft::cuda {

/// A strip at the edge of its tile, and the link that leads out.
struct Edge {
  const model::View& near;  ///< with what is staged
  const model::View& home;  ///< all of it in device memory
  model::Place at;
  Port link;

  WEFT_DEVICE int beyond() const {
    return at.index + (link == Port::south ? near.strips : -near.strips);
  }
  /// This thread's color in a strip, or -1: the colors are dealt to the threads.
  WEFT_DEVICE int color(int strip, std::uint32_t colors) const {
    return (colors >> thread() & 1U) != 0 ? near.strip[strip].color_state[thread()] : -1;
  }
};

/// Copies what a strip has put on a link in cycle `now`. `port`: the link, as the sender sees it.
WEFT_DEVICE void copy_sent(const model::View& to, const model::View& from, int strip, Port port,
                           int color) {
  const int link = static_cast<int>(port);
  const model::StripState& a = from.strip[strip];
  model::StripState& d = to.strip[strip];
  if (to.strip != from.strip) {
    for (int i = thread(); i < model::kLanes; i += static_cast<int>(kWarp))
      d.link[link].at[i] = a.link[link].at[i];
    if (thread() == 0) {
      d.link_control[link] = a.link_control[link];
      d.sent[link] = a.sent[link];
      d.left_cycle = a.left_cycle;
    }
  }
  if (to.colors != from.colors && color >= 0) {
    to.colors[color].sent[link] = from.colors[color].sent[link];
    to.colors[color].sent_cycle = from.colors[color].sent_cycle;
  }
}

/// After step 1 of a strip.
WEFT_DEVICE void put_sent(const Edge& e) {
  const model::StripState& own = e.near.strip[e.at.index];
  copy_sent(e.home, e.near, e.at.index, e.link,
            e.color(e.at.index, own.sent[static_cast<int>(e.link)]));
}

/// Before step 2 of cycle `now`.
WEFT_DEVICE void fetch_sent(const Edge& e, std::uint64_t now) {
  const model::StripState& home = e.home.strip[e.beyond()];
  if (home.left_cycle == now) {
    const Port link = opposite(e.link);
    copy_sent(e.near, e.home, e.beyond(), link,
              e.color(e.beyond(), home.sent[static_cast<int>(link)]));
  }
  warp_sync();
}

WEFT_DEVICE void copy_room(const model::View& to, const model::View& from, Port port, int color) {
  if (to.colors != from.colors && color >= 0)
    to.colors[color].room[static_cast<int>(port)] = from.colors[color].room[static_cast<int>(port)];
}

/// After steps 2 and 3 of a strip.
WEFT_DEVICE void put_room(const Edge& e) {
  copy_room(e.home, e.near, e.link, e.color(e.at.index, e.near.strip[e.at.index].colors));
}

/// Before step 1 of a strip.
WEFT_DEVICE void fetch_room(const Edge& e) {
  copy_room(e.near, e.home, opposite(e.link), e.color(e.beyond(), e.near.strip[e.beyond()].colors));
  warp_sync();
}

}  // namespace weft::cuda
