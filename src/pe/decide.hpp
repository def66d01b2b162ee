#pragma once

#include "isa/control.hpp"
#include "pe/core_view.hpp"
#include "pe/filters.hpp"

/// Step 1 of the cycle, first half: which wavelets leave.
namespace weft::pe {

/// Wavelets that want to leave a router in a cycle.
template <class S>
struct Heads {
  typename S::Ports at;
  Colors any;      ///< colors that have one
  Colors control;  ///< of these, control wavelets
  Colors hidden;   ///< control wavelets that cores do not see
  Colors to_ramp;  ///< the route leads to the core
  Colors accept;   ///< and nothing keeps the wavelet away
};

/// What leaves.
struct Going {
  Colors go;
  Colors tapped;  ///< the one that the core gets
  bool kept;      ///< a wavelet stays only because its link rests
};

template <class S>
WEFT_HD std::uint32_t head_payload(Pe<S> pe, const RouterQueues<S>& r,
                                   const typename S::Ports& heads, int color) {
  const int port = heads.port_of(color);
  return slot_of<S>(pe.rings(), pe.far().ring[port][color], r.head.number(port, color));
}

/// Colors of which two open inputs hold a wavelet: the first in turn is the fault.
template <class S>
WEFT_HD_RARE Colors collisions(Pe<S> pe, typename S::Ports heads, unsigned turn) {
  Colors once = 0, twice = 0;
  for (int port = 0; port < kPorts; ++port) {
    twice |= once & heads.port(port);
    once |= heads.port(port);
  }
  const Rules& rules = pe.rules();
  if (twice != 0)
    record(pe.core(), pe.far_core(), FaultKind::input_collision,
           rules.color[first_in_turn(rules.has_bit, twice, turn)], 0);
  return twice;
}

/// Of Heads.
struct Judged {
  Colors control, hidden, accept;
};

/// Control wavelets and range filters: whether the core gets a wavelet depends on what it says. The
/// router is stored. `accept`: by counter filters alone.
template <class S>
WEFT_HD_RARE Judged judge(Pe<S> pe, typename S::Ports heads, Colors to_ramp, Colors accept) {
  using Ports = typename S::Ports;
  const Router<S>& r = pe.router();
  Ports control{};
  for (unsigned slot = 0; slot < S::kSlots; ++slot)
    control = control | (pe.far().control[slot] & r.head.equal(slot));
  Judged judged{(control & heads).fold(), 0, accept};
  for (Colors rest = (judged.control | r.ranged) & to_ramp; rest != 0; rest &= rest - 1U) {
    const int color = lowest(rest);
    const Colors bit = color_bit(color);
    const std::uint32_t payload = head_payload(pe, r, heads, color);
    const Filter& filter = pe.far().filter[color];
    const bool filtered = (r.filtered & bit) != 0, is_control = (judged.control & bit) != 0;
    const bool hidden = is_control && isa::no_core(payload, 0);
    const bool accepted =
        !filtered || (is_control ? accepts_control(filter) : accepts_data(filter, payload));
    if (hidden) judged.hidden |= bit;
    judged.accept = accepted && !hidden ? judged.accept | bit : judged.accept & ~bit;
  }
  return judged;
}

/// Heads at open inputs, and which of them their core would get. `came` by links in the cycle
/// before.
template <class S>
WEFT_HD Heads<S> find_heads(Pe<S> pe, const RouterQueues<S>& r, const typename S::Ports& came,
                            unsigned turn, Counted& counted) {
  using Ports = typename S::Ports;
  const Router<S>& stored = pe.router();
  Heads<S> heads{};
  heads.at = r.held.some() & r.rx & ~Ports::every(stored.torn);
  if (heads.at.any()) counted.note(Did::polled);
  if (pe.rules().timing.hop > 1) {
    const Ports late = heads.at & came & r.held.equal(1);
    if (late.any()) counted.note(Did::will);
    heads.at = heads.at & ~late;
  }
  heads.any = heads.at.fold();
  if ((heads.any & stored.forked) != 0) {
    heads.any &= ~collisions(pe, heads.at, turn);
    heads.at = heads.at & Ports::every(heads.any);
  }
  if (heads.any == 0) return heads;
  heads.to_ramp = r.tx.port(kRamp) & heads.any;
  heads.accept = heads.to_ramp & ~Colors{stored.shut};
  Ports control = pe.far().control[0];
  for (int slot = 1; slot < S::kSlots; ++slot) control = control | pe.far().control[slot];
  if (control.any() || (stored.ranged & heads.to_ramp) != 0) {
    pe.queues() = r;
    const Judged judged = judge(pe, heads.at, heads.to_ramp, heads.accept);
    heads.control = judged.control;
    heads.hidden = judged.hidden;
    heads.accept = judged.accept;
  }
  return heads;
}

/// Where links lead to queues without room, by the color here.
template <class S>
WEFT_HD typename S::Ports full_beyond(Pe<S> pe, const RouterQueues<S>& r) {
  const typename S::Ports full =
      (r.beyond.equal(pe.rules().timing.router_depth) | r.closed).links();
  if (!pe.rules().swaps) return full;
  const typename S::Ports swapped = pe.far().swapped;
  return (full & ~swapped) | (full.partners() & swapped);
}

/// The input queue that a color leads to has room.
template <class S>
WEFT_HD bool has_room_in(Pe<S> pe, std::uint32_t full, int color) {
  const std::uint8_t queue = pe.far().queue[color];
  return queue != kNone && (full >> queue & 1U) == 0;
}

/// One color after the other, as two want one link, or some rest. The router is stored.
template <class S>
WEFT_HD_RARE Going decide_in_turn(Pe<S> pe, Colors accept, Colors can, unsigned resting,
                                  unsigned turn) {
  constexpr unsigned kRampBit = 1U << kRamp;
  const typename S::Ports& tx = pe.router().tx;
  const std::uint32_t full = to_core(*pe.arrays, pe.n).full();
  Going going{};
  unsigned taken = 0;
  while (can != 0) {
    const int color = first_in_turn(pe.rules().has_bit, can, turn);
    const Colors bit = color_bit(color);
    can &= ~bit;
    const bool accepted = (accept & bit) != 0;
    const unsigned outputs = (ports_of(tx, color) & ~kRampBit) | (accepted ? kRampBit : 0U);
    if ((outputs & taken) != 0 || (accepted && !has_room_in(pe, full, color))) continue;
    if ((outputs & resting) != 0) {
      going.kept = true;
      continue;
    }
    taken |= outputs;
    going.go |= bit;
    if (accepted) going.tapped = bit;
  }
  return going;
}

template <class S>
WEFT_HD Going decide(Pe<S> pe, const RouterQueues<S>& r, const Heads<S>& heads, const Now& now) {
  using Ports = typename S::Ports;
  const Colors can = heads.any & ~(r.tx & full_beyond(pe, r)).fold();
  const Ports wanted = r.tx.links() & Ports::every(can);
  const unsigned resting = now.links_rest ? pe.far().resting : 0U;
  if (wanted.crowded() || resting != 0) {
    pe.queues() = r;
    return decide_in_turn(pe, heads.accept, can, resting, now.turn());
  }
  Going going{can & ~heads.accept, 0, false};
  const std::uint32_t full = to_core(*pe.arrays, pe.n).full();
  for (Colors rest = can & heads.accept; rest != 0 && going.tapped == 0;) {
    const int color = first_in_turn(pe.rules().has_bit, rest, now.turn());
    rest &= ~color_bit(color);
    if (has_room_in(pe, full, color)) going.tapped = color_bit(color);
  }
  going.go |= going.tapped;
  return going;
}

}  // namespace weft::pe
