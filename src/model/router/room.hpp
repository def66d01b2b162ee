#pragma once

#include "model/lanes/neighbours.hpp"
#include "model/state/view.hpp"

/// Room in the routers' queues: what a router tells its neighbours and its core at the end of a
/// cycle, and what it knows of theirs in the next one.
namespace weft::model {

/// The lanes whose wavelet of this color would find room beyond the link.
template <class L>
WEFT_INLINE Mask room_beyond(const View& v, const ColorState& own, Port link, Mask lanes) {
  const AnySide& side = kSides<typename L::Shape>[static_cast<int>(link)];
  const int port = static_cast<int>(opposite(link));
  const std::int32_t beyond = (lanes & side.edge) != 0 ? own.beyond[static_cast<int>(link)] : -1;
  return lanes &
         neighbours(side, own.room[port], beyond < 0 ? Mask{0} : v.colors[beyond].room[port]);
}

/// Lanes in which a color's queue at a port can take one more.
WEFT_INLINE Mask room_in(const ColorState& c, int port, const PortQueue& q, std::uint32_t depth) {
  return c.opens[port] & (~q.valid[depth - 1] | q.more_room);
}

/// Publishes what a color's queues can take in the next cycle, and whether one has a wavelet to
/// route.
WEFT_INLINE void publish_room(const View& v, StripState& strip, int color) {
  ColorState& c = v.colors[strip.color_state[color]];
  Mask open = 0;
  std::uint32_t filled = 0;
  const std::uint32_t depth = v.timing.router_depth;
  for (std::uint32_t rest = c.ports; rest != 0; rest &= rest - 1) {
    const int port = lowest(rest);
    const PortQueue& q = v.port_queues[c.queue[port]];
    const Mask heads = q.valid[0];
    c.room[port] = room_in(c, port, q, depth);
    open |= heads & c.rx[port];
    if (heads != 0) filled |= 1U << port;
  }
  open &= ~c.torn_down;
  c.filled = static_cast<std::uint8_t>(filled);
  strip.busy = open != 0 ? strip.busy | 1U << color : strip.busy & ~(1U << color);
}

/// As room_in, at any port of a color that the strip may not have (-1).
WEFT_INLINE Mask room_of(const View& v, std::int32_t color_state, int port) {
  if (color_state < 0 || v.colors[color_state].queue[port] < 0) return 0;
  const ColorState& c = v.colors[color_state];
  return room_in(c, port, v.port_queues[c.queue[port]], v.timing.router_depth);
}

/// Where a color is swapped, its room is that of the queue which takes it.
WEFT_INLINE void publish_swapped_room(const View& v, const StripState& strip, int color) {
  ColorState& c = v.colors[strip.color_state[color]];
  const int partner = strip.color_state[color ^ 1];
  for (int port = 0; port < kPorts; ++port) {
    if (c.swap[port] == 0) continue;
    const Mask own = room_of(v, strip.color_state[color], port);
    c.room[port] = (own & ~c.swap[port]) | (room_of(v, partner, port) & c.swap[port]);
  }
}

/// Publishes the room of these colors, and of what is swapped with them.
WEFT_INLINE void publish_rooms(const View& v, StripState& strip, std::uint32_t colors) {
  for (; colors != 0; colors &= colors - 1) publish_room(v, strip, lowest(colors));
  for (std::uint32_t rest = strip.swaps; rest != 0; rest &= rest - 1)
    publish_swapped_room(v, strip, lowest(rest));
}

}  // namespace weft::model
