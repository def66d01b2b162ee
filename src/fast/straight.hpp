#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/router/route.hpp"

/// Colors whose wavelets all go straight through a strip: their step 1 in few instructions.
namespace weft::fast {

using namespace model;

constexpr int kRamp = static_cast<int>(Port::ramp);

/// Data wavelets of a color, in the lanes `go`, have left the strip by a link, and nothing else of
/// the color has. `color_bit`: as in StripState::left.
WEFT_INLINE void note_sent(StripState& strip, ColorState& c, std::uint32_t color_bit, int link,
                           Mask go) {
  c.sent[link] = go;
  strip.link_control[link] &= ~go;
  strip.sent[link] |= color_bit;
  strip.left |= color_bit;
  strip.hops += static_cast<std::uint64_t>(count(go));
}

/// A stream's wavelets mostly go straight: all at open inputs of their color are data, came by one
/// port, and leave by one link, or for the cores, and nothing else.
struct Straight {
  int port = 0, out = 0;
  Mask heads = 0;  ///< lanes with one; none: they do something else, or there are none
};

/// Of a color with one exit, the lanes in which data that comes by the port leaves by the link, and
/// not by the ramp.
WEFT_INLINE Mask straight_lanes(const ColorState& c, int port, int link) {
  return c.rx[port] & ~c.torn_down & c.tx[link] & ~c.tx[static_cast<int>(Port::ramp)];
}

/// Whether a color's wavelets go straight, if none of them can be late.
WEFT_INLINE Straight find_straight(const View& v, const ColorState& c, Mask among,
                                   std::uint64_t now) {
  const std::uint32_t ports = c.filled, links = c.exits;
  if (!single(ports) || !leaves_at_once(v, now)) return {};
  const int port = lowest(ports);
  const PortQueue& q = v.port_queues[c.queue[port]];
  const Mask heads = q.valid[0] & c.rx[port] & ~c.torn_down & among, ramp = c.tx[kRamp];
  if ((heads & q.control[0]) != 0) return {};
  if (single(links) && (heads & ~(c.tx[lowest(links)] & ~ramp)) == 0)
    return {port, lowest(links), heads};
  Mask others = c.filtered | ~ramp;
  for_each(links, [&](int link) { others |= c.tx[link]; });
  return {port, kRamp, (heads & others) == 0 ? heads : 0};
}

/// Step 1 of a color whose wavelets go straight. Returns whether some left.
template <class L>
WEFT_INLINE bool pass_straight(const View& v, const Place& at, StripState& strip, ColorState& c,
                               int color, const Straight& s, Taken& taken, std::uint64_t now) {
  PortQueue& q = v.port_queues[c.queue[s.port]];
  const bool to_core = s.out == kRamp;
  Mask& used = to_core ? taken.ramp : taken.link[s.out];
  const Mask free = s.heads & ~used;
  const Mask go = to_core ? free & ramp_room(v, c, v.core[at.index])
                          : room_beyond<L>(v, c, static_cast<Port>(s.out), free);
  L::Hooks::template passes<L>(v, at, color, s.out, s.heads & ~free, free & ~go, go, now);
  if (go == 0) return false;
  if (to_core) {
    send_to_core<L>(v, at, c, color, go, 0, q.payload[0].at, now);
    strip.left |= 1U << color;
    strip.delivered += L::Hooks::pes(v, go);
    wake_core<L>(v, at, now + v.timing.ramp);
  } else {
    if (v.data) copy(widened(go, used), strip.link[s.out].at, q.payload[0].at);
    note_sent(strip, c, 1U << color, s.out, go);
  }
  pop(v, q, go);
  used |= go;
  return true;
}

}  // namespace weft::fast
