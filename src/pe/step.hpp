#pragma once

#include "pe/core.hpp"
#include "pe/decide.hpp"
#include "pe/inbox.hpp"
#include "pe/switches.hpp"

/// The cycle of one PE. docs/model.md has the same steps. Within a cycle PEs may be stepped in any
/// order and at the same time: a PE reads what its neighbours did in the cycle before, and writes
/// only what they read in the next one.
namespace weft::pe {

/// The filters of colors that leave with the ramp among their outputs decide and count.
template <class S>
WEFT_HD void count_filtered(const Pe<S>& pe, const Rules& rules, Router<S>& r,
                            const Heads<S>& heads, Colors passed, Totals& totals) {
  for (; passed != 0; passed &= passed - 1U) {
    const int color = lowest(passed);
    const Colors bit = color_bit(color);
    Filter& filter = pe.far->filter[color];
    const bool control = (heads.control & bit) != 0, accepted = (heads.accept & bit) != 0;
    const bool refused = !accepted && (heads.hidden & bit) == 0;
    if (refused) ++totals.filtered;
    if (rules.tally) {
      if (accepted) ++(control ? filter.control_let_in : filter.let_in);
      if (refused) ++filter.refused;
    }
    if (count_passed(filter, control)) set_shut(r, color, refuses_data(filter));
  }
}

/// Control wavelets act on the router after they were stepped by it; what travels on may be popped.
template <class S>
WEFT_HD_RARE void obey_all(const Pe<S>& pe, const Rules& rules, const Now& now,
                           const Heads<S>& heads, Colors going, const typename S::Ports& sent,
                           Stepped& stepped) {
  using Ports = typename S::Ports;
  Router<S>& r = *pe.router;
  for (; going != 0; going &= going - 1U) {
    const int color = lowest(going);
    const int port = heads.at.port_of(color);
    const std::uint32_t payload = head_payload(pe, r, heads, color);
    Ports& control = pe.far->control[r.head.number(port, color)];
    control = control & ~Ports::one(port, color_bit(color));
    bool torn_down = false;
    const std::uint32_t onward = obey(r, pe.far->switches[color], color, payload, torn_down);
    if (torn_down) stepped.torn_down |= 1U << rules.color[color];
    for (int link = 0; link < kLinks; ++link) {
      if ((sent.port(link) >> color & 1U) == 0) continue;
      const bool swapped = (pe.far->swapped.port(link) >> color & 1U) != 0;
      const int there = swapped ? color ^ 1 : color;
      slot_of<S>(pe.rings_beyond[link], pe.far->ring_beyond[link][there],
                 r.tail.number(link, there)) = onward;
      std::uint8_t& note = pe.inbox_beyond[link][now.parity].note[link ^ 1];
      note = static_cast<std::uint8_t>(note | Note::kControl);
    }
  }
}

/// A queue that serves several colors now takes this one's: it must be empty of another's.
template <class S>
WEFT_HD void take_queue(const Pe<S>& pe, int queue, int color, Stepped& stepped) {
  std::uint8_t& before = pe.far->to_core.color[queue];
  if (before != color && pe.to_core->held.number(queue) != 0)
    stepped.record(FaultKind::queue_color_changed, color, queue);
  before = static_cast<std::uint8_t>(color);
  set_bit(pe.core->blocked, queue, (pe.far_core->blocked_colors >> color & 1U) != 0);
}

/// Copies what leaves to links and the ramp, and takes it off its queues.
template <class S>
WEFT_HD void leave(const Pe<S>& pe, const Rules& rules, Router<S>& r, const Heads<S>& heads,
                   const Going& going, const Now& now, Totals& totals, Stepped& stepped) {
  using Ports = typename S::Ports;
  using Some = typename Router<S>::Some;
  const Far<S>& far = *pe.far;
  if (going.tapped != 0) {
    const int color = lowest(going.tapped), queue = far.queue[color];
    const Wavelet wavelet{head_payload(pe, r, heads, color), rules.color[color],
                          (heads.control & going.tapped) != 0};
    if ((far.shared & going.tapped) != 0) take_queue(pe, queue, wavelet.color, stepped);
    push(to_core(pe, rules), queue, wavelet, now.cycle + rules.timing.ramp);
    ++totals.delivered;
  }
  const Ports go = Ports::every(going.go);
  const Ports sent = r.tx.links() & go, popped = heads.at & go;
  Ports arrived = sent;  // by the color there
  if (rules.swaps) arrived = (sent & ~far.swapped) | (sent & far.swapped).partners();
  for (int link = 0; link < kLinks; ++link) {
    const Colors out = sent.port(link), left = popped.port(link);
    if ((out | left) == 0) continue;
    Inbox<S>& box = pe.inbox_beyond[link][now.parity];
    if (left != 0) box.left[link ^ 1] = static_cast<Some>(left);
    if (out == 0) continue;
    const int there = lowest(arrived.port(link));
    slot_of<S>(pe.rings_beyond[link], far.ring_beyond[link][there], r.tail.number(link, there)) =
        head_payload(pe, r, heads, lowest(out));
    box.came[link ^ 1] = static_cast<Some>(arrived.port(link));
    ++totals.hops;
  }
  if (const Colors passed = going.go & heads.to_ramp & r.filtered; passed != 0)
    count_filtered(pe, rules, r, heads, passed, totals);
  if (const Colors control = going.go & heads.control; control != 0) {
    *pe.router = r;
    obey_all(pe, rules, now, heads, control, sent, stepped);
    r = *pe.router;
  }
  r.held.decrement(popped);
  r.head.increment(popped);
  r.beyond.increment(arrived);
  r.tail.increment(arrived);
}

/// 1. Route: heads of the router's queues leave for links and the ramp.
template <class S>
WEFT_HD void route(const Pe<S>& pe, const Rules& rules, Router<S>& r, const typename S::Ports& came,
                   const Now& now, Totals& totals, Stepped& stepped) {
  const Heads<S> heads = find_heads(pe, rules, r, came, now.turn(), stepped);
  if (heads.any == 0) return;
  const Going going = decide(pe, rules, r, heads, now);
  stepped.will |= going.kept;
  if (going.go == 0) return;
  stepped.moved = true;
  leave(pe, rules, r, heads, going, now, totals, stepped);
}

/// Colors for which the router takes a wavelet from its core.
template <class S>
WEFT_HD Colors room_for_core(const Pe<S>& pe, const Rules& rules, const Router<S>& r) {
  const typename S::Ports full = r.held.equal(rules.timing.router_depth) | r.closed;
  if (!rules.swaps) return ~full.port(kRamp);
  const Colors swapped = pe.far->swapped.port(kRamp);
  return ~((full.port(kRamp) & ~swapped) | (full.partners().port(kRamp) & swapped));
}

/// 2. Deliver: the router takes one wavelet from its core. `room` as the cycle began. (What comes
/// by links is in the queues already, and counted in the next cycle.)
template <class S>
WEFT_HD void deliver(const Pe<S>& pe, const Rules& rules, Router<S>& r, Colors room, const Now& now,
                     Totals& totals, Stepped& stepped) {
  using Ports = typename S::Ports;
  constexpr std::uint32_t kHasBit[] = {0xaaU, 0xccU, 0xf0U};
  for (std::uint32_t ready = pe.to_router->seen.some(); ready != 0;) {
    const int queue = first_in_turn(kHasBit, ready, now.turn());  // queue xor cycle mod 8
    ready &= ~(1U << queue);
    const std::uint8_t color = rules.number[pe.far->to_router.color[queue]];
    if (color == kNone || (room >> color & 1U) == 0) continue;
    const Wavelet wavelet = pop(to_router(pe, rules), queue);
    const bool swapped = (pe.far->swapped.port(kRamp) >> color & 1U) != 0;
    const int into = swapped ? color ^ 1 : color;
    const unsigned slot = (r.head.number(kRamp, into) + r.held.number(kRamp, into)) % S::kSlots;
    const Ports here = Ports::one(kRamp, color_bit(into));
    slot_of<S>(pe.rings, pe.far->ring[kRamp][into], slot) = wavelet.payload;
    if (wavelet.control) pe.far->control[slot] = pe.far->control[slot] | here;
    r.held.increment(here);
    ++totals.wavelets;
    stepped.moved = true;
    return;
  }
}

/// A cycle of one PE. Where `stretch` says so, run_stretch must follow before the next cycle, or
/// the core waits (may_wait).
template <class S>
WEFT_HD Stepped step(const Pe<S>& pe, const Rules& rules, const Now& now, Totals& totals) {
  Stepped stepped{};
  Router<S> r = *pe.router;
  const typename S::Ports came = read_inbox(pe, r, now);
  const Colors room = room_for_core(pe, rules, r);
  route(pe, rules, r, came, now, totals, stepped);
  arrive(*pe.to_core, now.cycle);
  arrive(*pe.to_router, now.cycle);
  deliver(pe, rules, r, room, now, totals, stepped);
  *pe.router = r;
  step_core(pe, rules, now, stepped);
  return stepped;
}

}  // namespace weft::pe
