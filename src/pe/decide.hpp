#pragma once

#include "isa/control.hpp"
#include "pe/core_view.hpp"
#include "pe/filters.hpp"

/// Step 1 of the cycle, first half: which wavelets leave.
namespace weft::pe {

/// Wavelets that want to leave a router in a cycle.
template <class S>
struct Requests {
  typename S::Ports at;
  Colors any;      ///< colors that have one
  Colors control;  ///< of these, control wavelets
  Colors hidden;   ///< control wavelets that cores do not see
  Colors to_ramp;  ///< the route leads to the core
  Colors accept;   ///< and nothing keeps the wavelet away
};

/// What leaves.
struct Grants {
  Colors granted;
  Colors tapped;   ///< the one that the core gets
  int queue;       ///< and the input queue that it leads to
  bool rest_only;  ///< some wavelet would have left, but its link rests
};

/// `color`: a bit.
template <class S>
WEFT_HD std::uint32_t head_payload(Pe<S> pe, const Router<S>& r, const typename S::Ports& heads,
                                   Colors color) {
  const typename S::Ports one = heads & S::Ports::every(color);
  return slot_of(pe, one, r.head.number(one));
}

/// Colors of which two open inputs hold a wavelet: the first in turn is the fault.
template <class S>
WEFT_HD_RARE Colors collisions(Cell<S> cell, typename S::Ports heads, unsigned turn) {
  const Pe<S> pe = pe_of(cell);
  Colors once = 0, twice = 0;
  for (int port = 0; port < kPorts; ++port) {
    twice |= once & heads.colors_at(port);
    once |= heads.colors_at(port);
  }
  const Rules& rules = pe.rules();
  if (twice != 0)
    record(pe.core(), pe.far_core(), FaultKind::input_collision,
           rules.color[first_color<S>(rules, twice, turn)], 0);
  return twice;
}

/// Of Requests.
struct FromPayloads {
  Colors control, hidden, accept;
};

/// Control wavelets and range filters: whether the core gets a wavelet depends on what it says. The
/// router is r. `accept`: by counter filters alone.
template <class S>
WEFT_HD_RARE FromPayloads look_at_payloads(Cell<S> cell, typename S::Ports heads, Colors to_ramp,
                                           Colors accept) {
  const Pe<S> pe = pe_of(cell);
  using Ports = typename S::Ports;
  const Router<S>& r = pe.router();
  Ports control{};
  for (unsigned slot = 0; slot < S::kSlots; ++slot)
    control = control | (pe.far().control[slot] & r.head.equal(slot));
  FromPayloads found{(control & heads).fold(), 0, accept};
  for (Colors rest = (found.control | r.marked(Mark::ranged)) & to_ramp; rest != 0;
       rest &= rest - 1U) {
    const int color = lowest(rest);
    const Colors bit = color_bit(color);
    const std::uint32_t payload = head_payload(pe, r, heads, bit);
    const Filter& filter = pe.far().filter[color];
    const bool filtered = (r.marked(Mark::filtered) & bit) != 0,
               is_control = (found.control & bit) != 0;
    const bool hidden = is_control && isa::no_core(payload, 0);
    const bool accepted =
        !filtered || (is_control ? accepts_control(filter) : accepts_data(filter, payload));
    if (hidden) found.hidden |= bit;
    found.accept = accepted && !hidden ? found.accept | bit : found.accept & ~bit;
  }
  return found;
}

/// Heads at open inputs, and which of them their core would get. `came` by links in the cycle
/// before.
template <class S>
WEFT_HD Requests<S> find_requests(Pe<S> pe, const Router<S>& r, const typename S::Ports& came,
                                  unsigned turn, Counted& counted) {
  using Ports = typename S::Ports;
  Requests<S> requests{};
  requests.at = r.held.nonzero() & r.rx & ~Ports::every(r.marked(Mark::torn_down));
  if (requests.at.any()) counted.note(Did::polled);
  if (pe.rules().timing.hop > 1) {
    const Ports late = requests.at & came & r.held.equal(1);
    if (late.any()) counted.note(Did::will);
    requests.at = requests.at & ~late;
  }
  requests.any = requests.at.fold();
  if ((requests.any & r.marked(Mark::merging)) != 0) {
    requests.any &= ~collisions(pe, requests.at, turn);
    requests.at = requests.at & Ports::every(requests.any);
  }
  if (requests.any == 0) return requests;
  requests.to_ramp = r.tx.colors_at(kRamp) & requests.any;
  requests.accept = requests.to_ramp & ~r.marked(Mark::shut);
  Ports control = pe.far().control[0];
  for (int slot = 1; slot < S::kSlots; ++slot) control = control | pe.far().control[slot];
  if (control.any() || (r.marked(Mark::ranged) & requests.to_ramp) != 0) {
    store_router(pe, r);
    const FromPayloads found = look_at_payloads(pe, requests.at, requests.to_ramp, requests.accept);
    requests.control = found.control;
    requests.hidden = found.hidden;
    requests.accept = found.accept;
  }
  return requests;
}

/// Where links lead to queues without room, by the color here.
template <class S>
WEFT_HD typename S::Ports full_beyond(Pe<S> pe, const Router<S>& r) {
  const typename S::Ports full =
      (r.downstream.reaches(pe.rules().timing.router_depth) | r.no_queue).links();
  if (!pe.rules().swaps) return full;
  const typename S::Ports swapped = pe.far().swapped;
  return (full & ~swapped) | (full.partners() & swapped);
}

/// The input queue has room. kNone: the color leads to none.
WEFT_HD bool has_room_in(std::uint32_t full, int queue) {
  return queue != kNone && (full >> queue & 1U) == 0;
}

/// One color after the other, as two want one link, or some rest. The router is r.
template <class S>
WEFT_HD_RARE Grants arbitrate(Cell<S> cell, Colors accept, Colors eligible, unsigned resting,
                              unsigned turn) {
  const Pe<S> pe = pe_of(cell);
  constexpr unsigned kRampBit = 1U << kRamp;
  const typename S::Ports& tx = pe.router().tx;
  const std::uint32_t full = pe.to_core().full;
  Grants grants{};
  unsigned taken = 0;
  while (eligible != 0) {
    const int color = first_color<S>(pe.rules(), eligible, turn);
    const Colors bit = color_bit(color);
    eligible &= ~bit;
    const bool accepted = (accept & bit) != 0;
    const int queue = pe.far().queue[color];
    const unsigned outputs = (ports_with(tx, color) & ~kRampBit) | (accepted ? kRampBit : 0U);
    if ((outputs & taken) != 0 || (accepted && !has_room_in(full, queue))) continue;
    if ((outputs & resting) != 0) {
      grants.rest_only = true;
      continue;
    }
    taken |= outputs;
    grants.granted |= bit;
    if (!accepted) continue;
    grants.tapped = bit;
    grants.queue = queue;
  }
  return grants;
}

template <class S>
WEFT_HD Grants decide(Pe<S> pe, const Router<S>& r, const Requests<S>& requests, const Now& now) {
  using Ports = typename S::Ports;
  const Colors eligible = requests.any & ~(r.tx & full_beyond(pe, r)).fold();
  const Ports wanted = r.tx.links() & Ports::every(eligible);
  const unsigned resting = now.links_rest ? pe.far().resting : 0U;
  if (wanted.contended() || resting != 0) {
    store_router(pe, r);
    return arbitrate(pe, requests.accept, eligible, resting, now.turn());
  }
  Grants grants{eligible & ~requests.accept, 0, 0, false};
  const std::uint32_t full = pe.to_core().full;
  for (Colors rest = eligible & requests.accept; rest != 0 && grants.tapped == 0;) {
    const int color = first_color<S>(pe.rules(), rest, now.turn());
    rest &= ~color_bit(color);
    const int queue = pe.far().queue[color];
    if (!has_room_in(full, queue)) continue;
    grants.tapped = color_bit(color);
    grants.queue = queue;
  }
  grants.granted |= grants.tapped;
  return grants;
}

}  // namespace weft::pe
