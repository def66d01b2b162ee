#pragma once

#include "isa/control.hpp"
#include "model/queues.hpp"

/// Step 1 of the cycle: route.
namespace weft::model {

/// Lanes of a strip as seen through a link: bit i is the neighbour that lane i's link leads to.
WEFT_HD Mask toward_east(Mask own, Mask east) { return own >> 1 | east << (kLanes - 1); }
WEFT_HD Mask toward_west(Mask own, Mask west) { return own << 1 | west >> (kLanes - 1); }

/// The color's state in a strip, or null: off the mesh, or not routed there.
WEFT_HD ColorState* color_at(const View& v, int row, int column, int color) {
  if (row < 0 || row >= v.height || column < 0 || column >= v.strips) return nullptr;
  const int index = v.strip[row * v.strips + column].color_state[color];
  return index < 0 ? nullptr : v.colors + index;
}

/// For each lane: the router at the far end of the link can take a wavelet of this color.
WEFT_HD Mask room_beyond(const View& v, Place at, int color, const ColorState& own, Port link) {
  const auto room = [&](const ColorState* c, Port port) {
    return c == nullptr ? Mask{0} : c->room[static_cast<int>(port)];
  };
  switch (link) {
    case Port::west:
      return toward_west(own.room[static_cast<int>(Port::east)],
                         room(color_at(v, at.row, at.column - 1, color), Port::east));
    case Port::east:
      return toward_east(own.room[static_cast<int>(Port::west)],
                         room(color_at(v, at.row, at.column + 1, color), Port::west));
    case Port::south: return room(color_at(v, at.row + 1, at.column, color), Port::north);
    case Port::north: return room(color_at(v, at.row - 1, at.column, color), Port::south);
    case Port::ramp: break;
  }
  return 0;
}

/// Wavelets that a filter's counter looks at.
WEFT_HD Mask counted(const FilterState& f, Mask lanes, Mask control) {
  return (lanes & ~control & f.count_data) | (lanes & control & f.count_control);
}

/// Lanes whose filter lets the wavelet pass to the core; others of `lanes` refuse it. `payload` holds
/// the wavelets of lanes with a range filter.
template <class L>
WEFT_HD Mask accepted(const FilterState& f, Mask lanes, Mask control, const Vector& payload) {
  Mask pass = lanes & (~counted(f, lanes, control) | f.in_window);
  if ((lanes & f.range) != 0) {
    const Mask inside = L::where([&](int i) {
      const std::uint32_t index = payload.at[i] >> 16U;
      return f.limit1.at[i] <= index && index <= f.max_counter.at[i];
    });
    pass &= ~f.range | control | inside;
  }
  if ((lanes & f.filter_control) != 0) {
    const Mask due = L::where([&](int i) { return f.counter.at[i] == f.max_counter.at[i]; });
    pass = (pass & ~f.filter_control) | (lanes & f.filter_control & control & due);
  }
  return pass;
}

/// After a counter or its bounds changed.
template <class L>
WEFT_HD void set_window(FilterState& f) {
  f.in_window = L::where([&](int i) { return f.counter.at[i] <= f.max_counter.at[i]; });
}

/// Sparse counters at their limit: limit2 comes next, or nothing is counted any more.
template <class L>
WEFT_HD void end_sparse(FilterState& f, Mask lanes) {
  const Mask at_limit = lanes & L::where([&](int i) { return f.counter.at[i] == f.limit1.at[i]; });
  const Mask again = at_limit & f.has_limit2;
  L::for_each(again, [&](int lane) { f.limit1.at[lane] = f.limit2.at[lane]; });
  L::fill(again, f.counter.at, ~std::uint32_t{0});  // counted up to 0 below
  f.has_limit2 &= ~again;
  f.count_data &= ~(at_limit & ~again);
  f.count_control &= ~(at_limit & ~again);
}

/// The filter counts the wavelets that passed its router.
template <class L>
WEFT_HD void advance(FilterState& f, Mask lanes, Mask control) {
  if ((lanes & f.sparse) != 0) end_sparse<L>(f, counted(f, lanes, control) & f.sparse);
  const Mask moved = counted(f, lanes, control);
  if (moved == 0) return;
  L::map(moved, f.counter.at, f.limit1.at, f.limit1.at,
         [](std::uint32_t d, std::uint32_t limit1, std::uint32_t) { return d == limit1 ? 0 : d + 1; });
  set_window<L>(f);
}

/// Composes a lane's positions anew from position 0 (rx[0], tx[0]) and the codes of the others: each
/// names one side, the other stays as it was.
WEFT_HD void compose(SwitchState& s, int lane) {
  constexpr int kInput = 8, kDirections = 5;
  s.last[lane] = 0;
  bool valid = true;
  for (int n = 1; n < kMaxPositions; ++n) {
    const int code = s.code[n][lane];
    const int direction = code % kInput;
    valid = valid && direction < kDirections;
    const auto port = static_cast<std::uint8_t>(1 << (direction % kDirections));
    s.rx[n][lane] = valid && code >= kInput ? port : s.rx[n - 1][lane];
    s.tx[n][lane] = valid && code < kInput ? port : s.tx[n - 1][lane];
    if (valid) s.last[lane] = static_cast<std::uint8_t>(n);
  }
}

/// The ports that a lane opens at some position, and the room it has there.
WEFT_HD void set_opens(ColorState& c, const SwitchState& s, int lane) {
  for (int port = 0; port < kPorts; ++port) {
    unsigned open = 0;
    for (int n = 0; n <= s.last[lane]; ++n) open |= s.rx[n][lane] >> port & 1U;
    c.opens[port] = open != 0 ? c.opens[port] | lane_bit(lane) : c.opens[port] & ~lane_bit(lane);
  }
}

/// Puts a lane's switch at a position.
WEFT_HD void set_position(ColorState& c, SwitchState& s, int lane, int position) {
  s.position[lane] = static_cast<std::uint8_t>(position);
  for (int port = 0; port < kPorts; ++port) {
    const Mask bit = lane_bit(lane);
    c.rx[port] = (s.rx[position][lane] >> port & 1) != 0 ? c.rx[port] | bit : c.rx[port] & ~bit;
    c.tx[port] = (s.tx[position][lane] >> port & 1) != 0 ? c.tx[port] | bit : c.tx[port] & ~bit;
  }
}

enum class Pop : std::uint8_t { no_pop, always_pop, on_advance, on_advance_nop };

/// The color is held in this router until the core lets it go; its handler is told.
WEFT_HD void tear_down(const View& v, Place at, CoreState& core, ColorState& c, int lane, int color,
                       std::uint64_t now) {
  constexpr int kHandler = 29;  // local task, fixed by the machine
  c.held |= lane_bit(lane);
  core.pending.at[lane] |= 1U << color;
  if (!has(core.placed, lane)) return;
  core.local_active[kHandler] |= lane_bit(lane);
  core.local_any |= 1U << kHandler;
  wake_core(v, at, now);
}

/// A control wavelet that passed: its first command acts on this router. Returns the payload that
/// travels on; `torn_down` tells that the color is to be held here.
WEFT_HD std::uint32_t obey(ColorState& c, SwitchState& s, int lane, std::uint32_t payload,
                           bool& torn_down) {
  const std::uint32_t command = isa::command(payload, 0);
  bool advanced = false;
  if (command == isa::kAdvance) {
    const int position = s.position[lane];
    if (position < s.last[lane]) {
      set_position(c, s, lane, position + 1);
      advanced = true;
    } else if (has(s.ring, lane) && s.last[lane] > 0) {
      set_position(c, s, lane, 0);
      advanced = true;
    }
  } else if (command == isa::kReset) {
    set_position(c, s, lane, s.initial[lane] < s.last[lane] ? s.initial[lane] : s.last[lane]);
  } else if (command == isa::kTeardown) {
    torn_down = true;
  }
  const Pop mode = static_cast<Pop>(s.pop[lane]);
  const bool pops = mode == Pop::always_pop || (mode != Pop::no_pop && advanced) ||
                    (mode == Pop::on_advance_nop && command == isa::kNop);
  return pops ? isa::popped(payload) : payload;
}

/// The ramp queues that can take one more wavelet of this color.
WEFT_HD Mask ramp_room(const View& v, const ColorState& c, const CoreState& core) {
  Mask room = 0;
  for (int q = 0; q < kInputQueues; ++q)
    if (c.to_queue[q] != 0) room |= c.to_queue[q] & ~core.in[q].valid[v.timing.input_depth[q] - 1];
  return room;
}

/// Wavelets are on these links of the strip: deliver it and whom they lead to, in this cycle.
template <class L>
WEFT_HD void wake_receivers(const View& v, Place at, const Mask* sent, std::uint64_t now) {
  const auto wake = [&](int row, int index) {
    L::publish(v.deliver_wake[index], now);
    L::publish(v.deliver_row[row], now);
  };
  wake(at.row, at.index);
  if (has(sent[static_cast<int>(Port::west)], 0)) wake(at.row, at.index - 1);
  if (has(sent[static_cast<int>(Port::east)], kLanes - 1)) wake(at.row, at.index + 1);
  if (sent[static_cast<int>(Port::south)] != 0) wake(at.row + 1, at.index + v.strips);
  if (sent[static_cast<int>(Port::north)] != 0) wake(at.row - 1, at.index - v.strips);
}

/// Step 1. Every wavelet at an open input leaves if all its outputs are free. Returns whether any did.
template <class L>
bool route(const View& v, Place at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  CoreState& core = v.core[at.index];
  Mask link_taken[kLinks] = {};
  Mask ramp_taken = 0;
  bool moved = false;

  // Rotating priority: lowest (color xor cycle mod 32) first.
  const unsigned turn = static_cast<unsigned>(now % 32);
  for (std::uint32_t rest = in_turn(strip.busy, turn); rest != 0; rest &= rest - 1) {
    const int color = lowest(rest) ^ static_cast<int>(turn);
    ColorState& c = v.colors[strip.color_state[color]];

    // Heads at open inputs: one per router, or the program is at fault.
    Mask head = 0, control = 0, collision = 0, waits = 0;
    Mask from[kPorts] = {};
    for (int port = 0; port < kPorts; ++port) {
      if (c.queue[port] < 0) continue;
      const PortQueue& q = v.port_queues[c.queue[port]];
      from[port] = q.valid[0] & c.rx[port] & ~c.held;
      if (v.timing.hop > 1 && q.fresh_cycle + 1 == now) {  // still on its way
        waits |= from[port] & q.fresh & ~q.valid[1];
        from[port] &= ~(q.fresh & ~q.valid[1]);
      }
      collision |= head & from[port];
      head |= from[port];
      control |= q.control[0] & from[port];
    }
    moved |= waits != 0;
    if (head == 0) {
      if (waits == 0) strip.busy &= ~(1U << color);
      continue;
    }
    if (collision != 0) {
      L::for_each(collision, [&](int lane) {
        record(v, at, lane, FaultKind::input_collision, now, color, 0);
      });
      head &= ~collision;
    }

    // Free outputs, decided from the state at the start of the cycle.
    Mask stuck = 0;
    for (int link = 0; link < kLinks; ++link) {
      const Mask wants = head & c.tx[link];
      if (wants != 0)
        stuck |= wants & (link_taken[link] | ~room_beyond(v, at, color, c, static_cast<Port>(link)));
    }
    const Mask to_ramp = head & c.tx[static_cast<int>(Port::ramp)];
    Mask accept = to_ramp, refused = 0;
    if (to_ramp != 0) {
      Mask hidden = 0;  // control wavelets that cores do not see
      L::for_each(to_ramp & control, [&](int lane) {
        for (int port = 0; port < kPorts; ++port)
          if (has(from[port], lane) &&
              isa::no_core(v.port_queues[c.queue[port]].payload[0].at[lane], 0))
            hidden |= lane_bit(lane);
      });
      accept &= ~hidden;
      if (c.filter >= 0) {
        const Mask meets = accept & c.filtered;
        if (meets != 0) {
          const FilterState& f = v.filters[c.filter];
          Vector payload;
          for (int port = 0; (meets & f.range) != 0 && port < kPorts; ++port)
            if (from[port] != 0) L::copy(from[port], payload.at, v.port_queues[c.queue[port]].payload[0].at);
          refused = meets & ~accepted<L>(f, meets, control, payload);
          accept &= ~refused;
        }
      }
      if (accept != 0) stuck |= accept & (ramp_taken | ~ramp_room(v, c, core));
    }
    const Mask go = head & ~stuck;
    if (go == 0) continue;
    moved = true;
    accept &= go;

    // Move: link registers, ramp queues, own queues.
    Vector command;  // control wavelets, for the switches below
    for (int port = 0; port < kPorts; ++port) {
      const Mask leave = go & from[port];
      if (leave == 0) continue;
      PortQueue& q = v.port_queues[c.queue[port]];
      if ((leave & control) != 0) L::copy(leave & control, command.at, q.payload[0].at);
      for (int link = 0; link < kLinks; ++link) {
        const Mask out = leave & c.tx[link];
        if (out == 0) continue;
        L::copy(out, strip.link[link].at, q.payload[0].at);
        strip.link_control[link] = (strip.link_control[link] & ~out) | (control & out);
      }
      if ((leave & accept) != 0) {
        const int slot = delay_slot(now + v.timing.ramp);
        for (int n = 0; n < kInputQueues; ++n) {
          const Mask in = leave & accept & c.to_queue[n];
          if (in == 0) continue;
          push<L>(core.in[n], in, control, q.payload[0].at, slot);
          core.inputs_arriving[slot] |= 1U << n;
        }
      }
      pop<L>(q, leave, static_cast<int>(v.timing.router_depth));
    }
    for (int link = 0; link < kLinks; ++link) {
      c.sent[link] = go & c.tx[link];
      link_taken[link] |= c.sent[link];
      strip.hops += static_cast<std::uint64_t>(count(c.sent[link]));
    }
    c.sent_cycle = now;
    if (accept != 0) {
      ramp_taken |= accept;
      strip.delivered += static_cast<std::uint64_t>(count(accept));
      wake_core(v, at, now + v.timing.ramp);
    }
    if (c.filter >= 0) {
      strip.filtered += static_cast<std::uint64_t>(count(go & refused));
      advance<L>(v.filters[c.filter], go & to_ramp & c.filtered, control);
    }

    // Control wavelets act on the router after they were routed by it.
    if ((go & control) != 0) {
      SwitchState& s = v.switches[strip.color_state[color]];
      L::for_each(go & control, [&](int lane) {
        bool torn_down = false;
        const std::uint32_t onward = obey(c, s, lane, command.at[lane], torn_down);
        for (int link = 0; link < kLinks; ++link)
          if (has(c.sent[link], lane)) strip.link[link].at[lane] = onward;
        if (torn_down) tear_down(v, at, core, c, lane, color, now);
      });
    }
  }
  v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;
  if (moved) wake_receivers<L>(v, at, link_taken, now);
  return moved;
}

}  // namespace weft::model
