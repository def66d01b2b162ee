#pragma once

#include "model/queues.hpp"
#include "model/router.hpp"

/// Step 2 of the cycle: deliver.
namespace weft::model {

/// Puts arrivals of a color, of which there are some, into the router's queues, or into those of
/// the color it is swapped with. Returns the colors that grew.
template <class L, class Put>
WEFT_HD std::uint32_t take_in(const View& v, Place at, int color, Port port, Mask in, Mask control,
                              std::uint64_t now, Put put) {
  const StripState& strip = v.strip[at.index];
  const auto into = [&](int to, Mask lanes) {
    if (lanes == 0) return 0U;
    PortQueue& q = v.port_queues[v.colors[strip.color_state[to]].queue[static_cast<int>(port)]];
    push<L>(v, q, lanes, control, put);
    if (port != Port::ramp && v.timing.hop > 1) {
      L::once([&] {
        q.fresh = q.fresh_cycle == now ? q.fresh | lanes : lanes;
        q.fresh_cycle = now;
      });
    }
    return 1U << to;
  };
  if ((strip.swaps >> color & 1U) == 0) return into(color, in);
  const Mask swapped = in & v.colors[strip.color_state[color]].swap[static_cast<int>(port)];
  return into(color, in & ~swapped) | into(color ^ 1, swapped);
}

/// Pulls what comes from one side: `beyond` is the strip there, if any. `left`: something left this
/// strip in this cycle. Returns the colors that came.
template <class L, Port side>
WEFT_HD std::uint32_t pull(const View& v, Place at, bool left, const StripState* beyond,
                           std::uint64_t now) {
  constexpr Port link = opposite(side);
  constexpr int n = static_cast<int>(link);
  const StripState& own = v.strip[at.index];
  const std::uint32_t inside = left ? own.sent[n] : 0U;
  const std::uint32_t outside =
      beyond != nullptr && beyond->left_cycle == now ? beyond->sent[n] : 0U;
  if ((inside | outside) == 0) return 0;
  const StripState& other = beyond != nullptr ? *beyond : own;  // from there nothing comes
  std::uint32_t came = 0;
  for (std::uint32_t rest = (inside | outside) & own.colors; rest != 0; rest &= rest - 1) {
    const int color = lowest(rest);
    const ColorState& c = v.colors[own.color_state[color]];
    const std::int32_t there = (outside >> color & 1U) != 0 ? c.beyond[static_cast<int>(side)] : -1;
    const Mask in = neighbours<side, typename L::Shape>(
        (inside >> color & 1U) != 0 ? c.sent[n] : Mask{0},
        there < 0 ? Mask{0} : color_beside<L>(v, there).sent[n]);
    if (in == 0) continue;
    const Mask control =
        neighbours<side, typename L::Shape>(own.link_control[n], other.link_control[n]);
    came |= take_in<L>(v, at, color, side, in, control, now, [&](Mask lanes, std::uint32_t* d) {
      L::template copy_from<side, typename L::Shape>(lanes, d, own.link[n].at, other.link[n].at);
    });
  }
  return came;
}

/// Pulls wavelets from the four neighbours. Returns the colors that came.
template <class L>
WEFT_HD std::uint32_t pull_links(const View& v, Place at, bool left, std::uint64_t now) {
  const auto beside = [&](bool there, int away) {
    return there ? &strip_beside<L>(v, at.index + away) : nullptr;
  };
  const std::uint32_t along =
      pull<L, Port::south>(v, at, left, beside(at.row + 1 < v.rows, v.strips), now) |
      pull<L, Port::north>(v, at, left, beside(at.row > 0, -v.strips), now);
  if constexpr (L::kByLine)
    return along;  // nothing leaves its line
  else
    return along | pull<L, Port::west>(v, at, left, beside(at.column > 0, -1), now) |
           pull<L, Port::east>(v, at, left, beside(at.column + 1 < v.strips, 1), now);
}

/// For one output queue's seen heads, color by color: f(color, lanes).
template <class L, class F>
WEFT_HD void by_color(const RampQueue& q, Mask lanes, F f) {
  while (lanes != 0) {
    const std::uint8_t color = q.color[lowest(lanes)];
    const Mask group = (lanes & (lanes - 1)) == 0 ? lanes : L::equal(lanes, q.color, color);
    f(static_cast<int>(color), group);
    lanes &= ~group;
  }
}

/// Lanes of `lanes` whose router can take a wavelet of this color from the ramp.
WEFT_HD Mask on_ramp_room(const View& v, const StripState& strip, int color, Mask lanes) {
  const int index = strip.color_state[color];
  return index < 0 ? Mask{0} : lanes & v.colors[index].room[static_cast<int>(Port::ramp)];
}

/// Lanes of which several output queues have a wavelet for the router.
template <class L>
WEFT_HD Mask several_ready(const CoreState& core, std::uint32_t queues) {
  Mask one = 0, several = 0;
  if constexpr (L::kByLine)
    for (; queues != 0; queues &= queues - 1) {
      const Mask ready = core.out[lowest(queues)].seen[0];
      several |= one & ready;
      one |= ready;
    }
  return several;
}

/// What comes from the cores.
struct FromCores {
  std::uint32_t came = 0;  ///< colors
  bool crosses = false;    ///< some wavelet would leave its line (Bundle)
};

/// Pulls from the core: one wavelet a router, output queues by rotating priority.
template <class L>
WEFT_HD FromCores pull_ramp(const View& v, Place at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  CoreState& core = v.core[at.index];
  L::once([&] { settle(core.out, core.outputs_arriving[delay_slot(now)], delay_slot(now)); });
  FromCores from;
  Mask taken = 0;
  const std::uint32_t held = strip.outputs_held;
  by_clock<L>(v, held, several_ready<L>(core, held), now, [&](Mask among, std::uint64_t clock) {
    const unsigned turn = static_cast<unsigned>(clock % 8);  // lowest (queue xor clock mod 8) first
    for (std::uint32_t rest = in_turn(held, turn); rest != 0; rest &= rest - 1) {
      const int n = lowest(rest) ^ static_cast<int>(turn);
      RampQueue& out = core.out[n];
      by_color<L>(out, out.seen[0] & among & ~taken, [&](int color, Mask lanes) {
        if constexpr (L::kByLine)
          if ((v.bundle->across >> color & 1U) != 0) {
            from.crosses = true;
            return;
          }
        const Mask go = on_ramp_room(v, strip, color, lanes);
        if (go == 0) return;
        const auto put = [&](Mask into, std::uint32_t* d) { L::copy(into, d, out.payload[0].at); };
        from.came |= take_in<L>(v, at, color, Port::ramp, go, out.control[0], now, put);
        pop<L>(v, out, go, static_cast<int>(v.timing.output_depth[n]));
        taken |= go;
      });
      if (out.valid[0] == 0) L::once([&] { strip.outputs_held &= ~(1U << n); });
    }
  });
  if (taken == 0) return from;
  L::once([&] {
    strip.wavelets += static_cast<std::uint64_t>(count(taken));
    wake_core<L>(v, at, now);  // a full queue may have kept a core waiting
  });
  return from;
}

/// Lanes in which a color's queue at a port, which must have one, can take one more.
WEFT_HD Mask room_in(const View& v, const ColorState& c, int port) {
  return c.opens[port] & ~v.port_queues[c.queue[port]].valid[v.timing.router_depth - 1];
}

/// Publishes what a color's queues can take in the next cycle, and whether one has a wavelet to
/// route.
WEFT_HD void publish_room(const View& v, StripState& strip, int color) {
  ColorState& c = v.colors[strip.color_state[color]];
  Mask open = 0;
  std::uint32_t filled = 0;
  for (std::uint32_t rest = c.ports; rest != 0; rest &= rest - 1) {
    const int port = lowest(rest);
    const Mask heads = v.port_queues[c.queue[port]].valid[0];
    c.room[port] = room_in(v, c, port);
    open |= heads & c.rx[port];
    if (heads != 0) filled |= 1U << port;
  }
  open &= ~c.held;
  c.filled = static_cast<std::uint8_t>(filled);
  strip.busy = open != 0 ? strip.busy | 1U << color : strip.busy & ~(1U << color);
}

/// As room_in, at any port of a color that the strip may not have (-1).
WEFT_HD Mask room_of(const View& v, std::int32_t color_state, int port) {
  if (color_state < 0 || v.colors[color_state].queue[port] < 0) return 0;
  return room_in(v, v.colors[color_state], port);
}

/// Where a color is swapped, its room is that of the queue which takes it.
WEFT_HD void publish_swapped_room(const View& v, const StripState& strip, int color) {
  ColorState& c = v.colors[strip.color_state[color]];
  const int partner = strip.color_state[color ^ 1];
  for (int port = 0; port < kPorts; ++port) {
    if (c.swap[port] == 0) continue;
    const Mask own = room_of(v, strip.color_state[color], port);
    c.room[port] = (own & ~c.swap[port]) | (room_of(v, partner, port) & c.swap[port]);
  }
}

/// Publishes the room of these colors, and of what is swapped with them.
WEFT_HD void publish_rooms(const View& v, StripState& strip, std::uint32_t colors) {
  for (; colors != 0; colors &= colors - 1) publish_room(v, strip, lowest(colors));
  for (std::uint32_t rest = strip.swaps; rest != 0; rest &= rest - 1)
    publish_swapped_room(v, strip, lowest(rest));
}

/// Step 2. Pulls wavelets into the routers' queues and publishes their room for the next cycle.
/// Returns whether any came.
template <class L>
WEFT_HD_CALL bool deliver(const View& v, const Place& at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  CoreState& core = v.core[at.index];
  const FromCores from = strip.outputs_held != 0 ? pull_ramp<L>(v, at, now) : FromCores{};
  const std::uint32_t left = strip.left_cycle == now ? strip.left : 0;
  const std::uint32_t came = from.came | pull_links<L>(v, at, left != 0, now);
  if (L::kByLine && from.crosses) {
    if ((came | left) != 0) give_up(v, at, now);
    stop<L>(v, at, now);
    rides_change<L>(v, at.index, strip.colors);
    return false;
  }
  L::once([&] {
    publish_rooms(v, strip, came | left);
    v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;
  });

  // What is still on the ramp: again next cycle if its router can take it then, else when it comes.
  std::uint64_t wake =
      strip.outputs_held != 0 ? next_arrival(core.outputs_arriving, now, v.timing.ramp) : kNever;
  for (std::uint32_t rest = strip.outputs_held; rest != 0; rest &= rest - 1) {
    const RampQueue& out = core.out[lowest(rest)];
    by_color<L>(out, out.seen[0], [&](int color, Mask lanes) {
      if (on_ramp_room(v, strip, color, lanes) != 0) earlier(wake, now + 1);
    });
  }
  L::once([&] { v.deliver_wake[at.index] = wake; });
  return came != 0;
}

}  // namespace weft::model
