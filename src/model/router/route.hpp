#pragma once

#include "isa/control.hpp"
#include "model/hooks.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/queues.hpp"
#include "model/ramp/to_core.hpp"
#include "model/router/far.hpp"
#include "model/router/filters.hpp"
#include "model/router/links.hpp"
#include "model/router/rest.hpp"
#include "model/router/room.hpp"
#include "model/router/switches.hpp"

/// Step 1 of the cycle: route.
namespace weft::model {

/// The wavelets of one color that want to leave in this cycle.
struct Heads {
  Mask any = 0;      ///< lanes with one at an open input
  Mask control = 0;  ///< of these, control wavelets
  Mask late = 0;     ///< lanes whose wavelet is still on its way (hop_cycles, die_link_cycles)
  Mask from[kPorts] = {};
};

/// Heads at open inputs: one per router, or the program is at fault.
template <class L>
WEFT_INLINE Heads find_heads(const View& v, Place at, const ColorState& c, int color, Mask among,
                             std::uint64_t now) {
  Heads heads;
  Mask collision = 0;
  for_each(c.filled, [&](int port) {
    const PortQueue& q = v.port_queues[c.queue[port]];
    Mask from = q.valid[0] & c.rx[port] & ~c.torn_down & among;
    if (v.timing.late != 0) {
      const Mask late = from & late_heads(v, q, now);
      heads.late |= late;
      from &= ~late;
    }
    collision |= heads.any & from;
    heads.any |= from;
    heads.control |= q.control[0] & from;
    heads.from[port] = from;
  });
  for_each(collision,
           [&](int lane) { record<L>(v, at, lane, FaultKind::input_collision, now, color, 0); });
  heads.any &= ~collision;
  return heads;
}

/// Wavelets that are routed to the ramp.
struct Taps {
  Mask to_ramp = 0;
  Mask accepted = 0;  ///< the core gets them
  Mask refused = 0;   ///< by a filter
};

static WEFT_INLINE Taps find_taps(const View& v, const ColorState& c, const Heads& heads) {
  Taps taps;
  taps.to_ramp = heads.any & c.tx[static_cast<int>(Port::ramp)];
  if (taps.to_ramp == 0) return taps;
  const auto payload = [&](int port) { return v.port_queues[c.queue[port]].payload[0].at; };

  taps.accepted = taps.to_ramp;
  if (const Mask control = taps.to_ramp & heads.control; control != 0)
    for (int port = 0; port < kPorts; ++port)  // some, cores do not see
      taps.accepted &= ~where(control & heads.from[port],
                              [&](int lane) { return isa::no_core(payload(port)[lane], 0); });

  const Mask meets = taps.accepted & c.filtered;
  if (meets == 0) return taps;
  const FilterState& f = v.filters[c.filter];
  Vector wavelets;
  for (int port = 0; (meets & f.range) != 0 && port < kPorts; ++port)
    for_each(meets & heads.from[port], [&](int lane) { wavelets.at[lane] = payload(port)[lane]; });
  taps.refused = meets & ~accepted(f, meets, heads.control, wavelets);
  taps.accepted &= ~taps.refused;
  return taps;
}

/// Outputs of a strip that colors have taken in this cycle.
struct Taken {
  Mask link[kLinks] = {};
  Mask ramp = 0;
  std::uint32_t along = 0;  ///< bit per link of which the wavelets were taken along (take_along)
};

/// Lanes in which some output is not free, from the state at the start of the cycle.
template <class L>
WEFT_INLINE Mask find_stuck(const View& v, Place at, const ColorState& c, const Heads& heads,
                            const Taps& taps, const Taken& taken) {
  Mask stuck = 0;
  for_each(c.exits, [&](int link) {
    const Mask wants = heads.any & c.tx[link];
    const Mask fits = room_beyond<L>(v, c, static_cast<Port>(link), wants);
    stuck |= wants & (taken.link[link] | ~fits);
  });
  if (taps.accepted != 0)
    stuck |= taps.accepted & (taken.ramp | ~ramp_room(v, c, v.core[at.index]));
  return stuck;
}

/// Copies the wavelets of the lanes `go` to links and ramps, and takes them off their queues.
/// Control wavelets are also kept in StripState::command.
template <class L>
WEFT_INLINE void leave(const View& v, Place at, StripState& strip, ColorState& c, int color,
                       const Heads& heads, Mask go, Mask tapped, const Taken& taken,
                       std::uint64_t now) {
  for_each(c.filled, [&](int port) {
    const Mask lanes = go & heads.from[port];
    if (lanes == 0) return;
    PortQueue& q = v.port_queues[c.queue[port]];
    if ((lanes & heads.control) != 0)
      copy(lanes & heads.control, strip.command.at, q.payload[0].at);
    for_each(c.exits, [&](int link) {
      const Mask sent = lanes & c.tx[link], kept = taken.link[link] | (go & c.tx[link]);
      if (sent == 0) return;
      if (const Mask copied = carried(v, sent, heads.control, kept); copied != 0)
        copy(copied, strip.link[link].at, q.payload[0].at);
    });
    if ((lanes & tapped) != 0)
      send_to_core<L>(v, at, c, color, lanes & tapped, heads.control, q.payload[0].at, now);
    pop(v, q, lanes);
  });
}

/// Control wavelets whose first command is none, as most are: all lanes with the first one's
/// payload and pop mode at once. Returns these lanes.
WEFT_INLINE Mask pass_on(StripState& strip, const ColorState& c, const SwitchState& s, Mask lanes) {
  const int lead = lowest(lanes);
  const std::uint32_t payload = strip.command.at[lead];
  if (isa::command(payload, 0) != isa::kNop) return 0;
  const Mask alike = equal(equal(lanes, strip.command.at, payload), s.pop, s.pop[lead]);
  if (!pops(static_cast<Pop>(s.pop[lead]), isa::kNop, false)) return alike;
  const std::uint32_t onward = isa::popped(payload);
  for (int link = 0; link < kLinks; ++link)
    if (const Mask sent = c.sent[link] & alike; sent != 0) fill(sent, strip.link[link].at, onward);
  return alike;
}

/// Control wavelets act on the router after they were routed by it; what travels on may be popped.
/// Returns the lanes whose router may have changed.
template <class L>
WEFT_INLINE Mask obey_all(const View& v, Place at, ColorState& c, int color, Mask lanes,
                          std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  SwitchState& s = v.switches[strip.color_state[color]];
  lanes &= ~pass_on(strip, c, s, lanes);
  if (lanes != 0) L::Hooks::router_changed(strip);
  for_each(lanes, [&](int lane) {
    const std::uint8_t before = s.position[lane];
    bool torn_down = false;
    const std::uint32_t onward = obey(c, s, lane, strip.command.at[lane], torn_down);
    for (int link = 0; link < kLinks; ++link)
      if (has(c.sent[link], lane)) strip.link[link].at[lane] = onward;
    if (torn_down) {
      c.torn_down |= lane_bit(lane);
      tell_torn_down<L>(v, at, v.core[at.index], lane, color, now);
    }
    if (torn_down || s.position[lane] != before)
      L::Hooks::template switched<L>(v, at, color, lane_bit(lane), now);
  });
  return lanes;
}

/// One color of step 1, in the lanes `among`. Returns whether a wavelet left, or will without
/// anything else happening.
template <class L>
WEFT_INLINE bool route_color(const View& v, Place at, StripState& strip, int color, Mask among,
                             Taken& taken, std::uint64_t now) {
  ColorState& c = v.colors[strip.color_state[color]];
  const Done did = L::Hooks::template route_color<L>(v, at, strip, c, color, among, taken, now);
  if (did != Done::no) return did == Done::moved;
  const Heads heads = find_heads<L>(v, at, c, color, among, now);
  if (heads.any == 0) {
    L::Hooks::none_held(v, at, color);
    if (heads.late == 0 && among == kAllLanes) strip.busy &= ~(1U << color);
    return heads.late != 0;
  }
  if (c.filter >= 0) L::Hooks::before_filter(v, at.index, color, now + 1);
  const Taps taps = find_taps(v, c, heads);
  const Mask free = heads.any & ~find_stuck<L>(v, at, c, heads, taps, taken);
  const Mask kept = kept_by_rest<L>(v, at, c, free, now);
  L::Hooks::template held<L>(v, at, c, color, heads, taken, heads.any & ~free, kept, now);
  const Mask go = free & ~kept;
  if (go == 0) {
    L::Hooks::routed(v, at.index, color, false);
    return (heads.late | kept) != 0;
  }

  const Mask tapped = go & taps.accepted;
  L::Hooks::template left<L>(v, at, c, color, go, taps, now);
  const int along = L::Hooks::take_along(v, at, color, heads.from, go, heads.control, now);
  leave<L>(v, at, strip, c, color, heads, go, tapped, taken, now);
  const std::uint32_t color_bit = 1U << color;
  const bool again = (strip.left & color_bit) != 0;  // other lanes, by another clock
  std::uint64_t hops = 0;
  for_each(c.exits, [&](int link) {
    const Mask leaves = go & c.tx[link];
    const Mask sent = link == along ? 0 : leaves;
    taken.link[link] |= leaves;
    hops += L::Hooks::pes(v, leaves);
    c.sent[link] = again ? c.sent[link] | sent : sent;
    strip.link_control[link] = (strip.link_control[link] & ~sent) | (heads.control & sent);
    if (sent != 0) strip.sent[link] |= color_bit;
  });
  taken.ramp |= tapped;
  strip.left |= color_bit;
  strip.hops += hops;
  strip.delivered += L::Hooks::pes(v, tapped);
  if (tapped != 0) wake_core<L>(v, at, now + v.timing.ramp);
  if (c.filter >= 0) strip.filtered += L::Hooks::pes(v, go & taps.refused);
  Mask changed = 0;
  if (c.filter >= 0) {
    if (v.tallies != nullptr)
      tally(v.tallies[c.filter], tapped & c.filtered, go & taps.refused, heads.control);
    changed = count_passed(v.filters[c.filter], go & taps.to_ramp & c.filtered, heads.control);
  }
  if ((go & heads.control) != 0) changed |= obey_all<L>(v, at, c, color, go & heads.control, now);
  if (along >= 0) taken.along |= 1U << along;
  L::Hooks::routed(v, at.index, color, changed != 0);
  return true;
}

/// Lanes in which a color may have a wavelet that the core gets, in a cycle.
template <class L>
WEFT_INLINE Mask wants_ramp(const View& v, Place at, int color, std::uint64_t cycle) {
  const ColorState& c = v.colors[v.strip[at.index].color_state[color]];
  Mask wants = 0, control = 0;
  for (std::uint32_t ports = c.filled; ports != 0; ports &= ports - 1) {
    const PortQueue& q = v.port_queues[c.queue[lowest(ports)]];
    wants |= q.valid[0] & c.rx[lowest(ports)];
    control |= q.valid[0] & q.control[0];
  }
  wants &= c.tx[static_cast<int>(Port::ramp)];
  if (wants == 0 || c.filter < 0) return wants;
  L::Hooks::before_filter(v, at.index, color, cycle);
  const FilterState& f = v.filters[c.filter];
  return wants & ~(counted(f, c.filtered & ~control, 0) & ~f.in_window & ~f.range);
}

/// Lanes in which several of the colors may want the same output.
template <class L>
WEFT_INLINE Mask contested(const View& v, Place at, std::uint32_t colors, std::uint64_t cycle) {
  Mask wanted = 0, twice = 0;
  std::uint32_t links = 0;
  for (; colors != 0; colors &= colors - 1) {
    const int color = lowest(colors);
    const ColorState& c = v.colors[v.strip[at.index].color_state[color]];
    if ((links & c.exits) != 0) return kAllLanes;
    links |= c.exits;
    const Mask wants = wants_ramp<L>(v, at, color, cycle);
    twice |= wanted & wants;
    wanted |= wants;
  }
  return twice;
}

/// Step 1. Every wavelet at an open input leaves if all its outputs are free. Returns whether any
/// did.
template <class L>
[[gnu::noinline]] bool route(const View& v, const Place& at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  Taken taken;
  bool moved = false;
  clear_departures(strip, now);
  const std::uint32_t busy = strip.busy;
  const bool several = (busy & (busy - 1)) != 0;  // one alone needs no order
  const auto disputed = [&] { return several ? contested<L>(v, at, busy, now + 1) : Mask{0}; };
  L::Hooks::by_clock(v, busy, disputed, now, [&](Mask among, std::uint64_t clock) WEFT_INLINED {
    const unsigned turn =
        several ? static_cast<unsigned>(clock % 32) : 0;  // lowest (color xor turn) first
    for (std::uint32_t rest = several ? in_turn(busy, turn) : busy; rest != 0; rest &= rest - 1)
      moved |=
          route_color<L>(v, at, strip, lowest(rest) ^ static_cast<int>(turn), among, taken, now);
  });
  v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;
  for_each(taken.along, [&](int link) { taken.link[link] = 0; });
  if (moved)
    wake_receivers<L>(v, at, taken.link, now);
  else
    L::Hooks::stays(v, strip);
  return moved;
}

}  // namespace weft::model
