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
WEFT_HD void count_filtered(Pe<S> pe, Router<S>& r, const Requests<S>& requests, Colors passed,
                            Counted& counted) {
  for (; passed != 0; passed &= passed - 1U) {
    const int color = lowest(passed);
    const Colors bit = color_bit(color);
    Filter& filter = pe.far().filter[color];
    const bool control = (requests.control & bit) != 0, accepted = (requests.accept & bit) != 0;
    const bool refused = !accepted && (requests.hidden & bit) == 0;
    if (refused) counted.word += kFiltered;
    if constexpr (S::kCounting)
      if (accepted || refused) count_one(counts_of(pe), accepted ? Count::let_in : Count::refused);
    FilterCounts now = filter;
    if (pe.rules().tally) {
      if (accepted) ++(control ? filter.control_let_in : now.let_in);
      if (refused) ++now.refused;
    }
    if (count_passed(filter, now, control)) r.mark(Mark::shut, color, refuses_data(filter));
  }
}

/// Control wavelets act on the router, which is stored, after they were routed by it; what travels
/// on may be popped. `heads`: theirs. Returns the colors torn down, real ones.
template <class S>
WEFT_HD_RARE Colors obey_all(Cell<S> cell, unsigned parity, typename S::Ports heads,
                             typename S::Ports sent) {
  const Pe<S> pe = pe_of(cell);
  using Ports = typename S::Ports;
  Router<S>& r = pe.router();
  Colors torn_down = 0;
  for (Colors going = heads.fold(); going != 0; going &= going - 1U) {
    const int color = lowest(going);
    const Ports own = heads & Ports::every(color_bit(color));
    const unsigned slot = r.head.number(own);
    const std::uint32_t payload = slot_of(pe, own, slot);
    Ports& control = pe.far().control[slot];
    control = control & ~own;
    bool torn = false;
    const std::uint32_t onward = obey(r, pe.far().switches[color], color, payload, torn);
    if (torn) torn_down |= color_bit(pe.rules().color[color]);
    for (int link = 0; link < kLinks; ++link) {
      if ((sent.colors_at(link) >> color & 1U) == 0) continue;
      const bool swapped = (pe.far().swapped.colors_at(link) >> color & 1U) != 0;
      const Colors there = color_bit(swapped ? color ^ 1 : color);
      slot_beyond(pe, pe.link(link), there, r.downstream_tail.number(Ports::one(link, there))) =
          onward;
      std::uint8_t& note = pe.beyond(link).inbox(parity).note[opposite(link)];
      note = static_cast<std::uint8_t>(note | Note::kControl);
    }
  }
  return torn_down;
}

/// A queue that serves several colors now takes this one's: it must be empty of another's.
template <class S>
WEFT_HD_RARE void take_queue(Cell<S> cell, int queue, int color) {
  const Pe<S> pe = pe_of(cell);
  std::uint8_t& before = pe.marks_in().color[queue];
  if (before != color && pe.to_core().held(queue) != 0)
    record(pe.core(), pe.far_core(), FaultKind::queue_color_changed, color, queue);
  before = static_cast<std::uint8_t>(color);
  set_bit(pe.core().blocked, queue, (pe.far_core().blocked_colors >> color & 1U) != 0);
}

/// The core gets a wavelet.
template <class S>
WEFT_HD void tap(Pe<S> pe, const Router<S>& r, const Requests<S>& requests, const Grants& grants,
                 std::uint64_t now) {
  const Colors tapped = grants.tapped;
  const Wavelet wavelet{head_payload(pe, r, requests.at, tapped), pe.rules().color[lowest(tapped)],
                        (requests.control & tapped) != 0};
  if ((pe.far().shared & tapped) != 0) take_queue(pe, grants.queue, wavelet.color);
  push(core_of(pe, now).in(), grants.queue, wavelet, now + pe.rules().timing.ramp);
}

/// Copies what leaves by links, and tells the neighbours of it and of what left their queues.
/// `arrived`: as `sent`, by the color there.
template <class S>
WEFT_HD void send_on_links(Pe<S> pe, const Router<S>& r, const typename S::Ports& heads,
                           const typename S::Ports& popped, const typename S::Ports& sent,
                           const typename S::Ports& arrived, unsigned parity, Counted& counted) {
  using ColorBits = typename S::StoredColors;
  for (int link = 0; link < kLinks; ++link) {
    const Colors out = sent.colors_at(link), left = popped.colors_at(link);
    if ((out | left) == 0) continue;
    const Link beyond = pe.link(link);
    Inbox<S>& box = pe.arrays->inbox[parity][beyond.cell];
    if (left != 0) box.left[opposite(link)] = static_cast<ColorBits>(left);
    if (out == 0) continue;
    const Colors there = arrived.colors_at(link);
    slot_beyond(pe, beyond, there, r.downstream_tail.number(S::Ports::one(link, there))) =
        head_payload(pe, r, heads, out);
    box.came[opposite(link)] = static_cast<ColorBits>(there);
    counted.word += kHop;
  }
}

/// Copies what leaves to links and the ramp, and takes it off its queues. Returns the colors torn
/// down, real ones.
template <class S>
WEFT_HD Colors forward(Pe<S> pe, Router<S>& r, const Requests<S>& requests, const Grants& grants,
                       const Now& now, Counted& counted) {
  using Ports = typename S::Ports;
  if (grants.tapped != 0) {
    tap(pe, r, requests, grants, now.cycle);
    counted.word += kDelivered;
  }
  const Ports go = Ports::every(grants.granted);
  const Ports sent = r.tx.links() & go, popped = requests.at & go;
  Ports arrived = sent;
  if (pe.rules().swaps) {
    const Ports swapped = pe.far().swapped;
    arrived = (sent & ~swapped) | (sent & swapped).partners();
  }
  send_on_links(pe, r, requests.at, popped, sent, arrived, now.parity, counted);
  if constexpr (S::kCounting) count_left<S>(counts_of(pe), sent, grants.tapped, now.cycle);
  if (const Colors passed = grants.granted & requests.to_ramp & r.marked(Mark::filtered);
      passed != 0)
    count_filtered(pe, r, requests, passed, counted);
  Colors torn_down = 0;
  if (const Colors control = grants.granted & requests.control; control != 0) {
    store_router(pe, r);
    torn_down = obey_all(pe, now.parity, requests.at & Ports::every(control), sent);
    reload_router(pe, r);
  }
  r.held.decrement(popped);
  r.head.increment(popped);
  r.downstream.increment(arrived);
  r.downstream_tail.increment(arrived);
  return torn_down;
}

/// 1. Route: heads of the router's queues leave for links and the ramp. Returns the colors torn
/// down, real ones.
template <class S>
WEFT_HD Colors route(Pe<S> pe, Router<S>& r, const typename S::Ports& came, const Now& now,
                     Counted& counted) {
  const Requests<S> requests = find_requests(pe, r, came, now.turn(), counted);
  if (requests.any == 0) {
    if constexpr (S::kCounting) note_held(counts_of(pe), {}, now.cycle);
    return 0;
  }
  const Grants grants = decide(pe, r, requests, now);
  if constexpr (S::kCounting)
    note_held(counts_of(pe), held_of(pe, r, requests, grants, now), now.cycle);
  if (grants.rest_only) counted.note(Did::will);
  if (grants.granted == 0) return 0;
  counted.note(Did::moved);
  return forward(pe, r, requests, grants, now, counted);
}

/// Colors for which the router takes a wavelet from its core.
template <class S>
WEFT_HD Colors room_for_core(Pe<S> pe, const Router<S>& r) {
  const typename S::Ports full = r.held.reaches(pe.rules().timing.router_depth) | r.no_queue;
  if (!pe.rules().swaps) return ~full.colors_at(kRamp);
  const Colors swapped = pe.far().swapped.colors_at(kRamp);
  return ~((full.colors_at(kRamp) & ~swapped) | (full.partners().colors_at(kRamp) & swapped));
}

/// 2. Deliver: the router takes one wavelet from its core. `room` as the cycle began. (What comes
/// by links is in the queues already, and counted in the next cycle.) `ready`: queues that have
/// one. Returns whether it did.
template <class S>
WEFT_HD bool deliver(Pe<S> pe, Router<S>& r, std::uint32_t ready, Colors room, const Now& now,
                     Counted& counted) {
  using Ports = typename S::Ports;
  while (ready != 0) {
    const int queue = first_queue(pe.rules(), ready, now.turn());
    ready &= ~(1U << queue);
    const std::uint8_t color = pe.rules().number[pe.marks_out().color[queue]];
    if (color == kNone || (room >> color & 1U) == 0) continue;
    const Wavelet wavelet = pop(core_of(pe, now.cycle).out(), queue);
    const bool swapped = pe.rules().swaps && (pe.far().swapped.colors_at(kRamp) >> color & 1U) != 0;
    const Ports here = Ports::one(kRamp, color_bit(swapped ? color ^ 1 : color));
    const unsigned slot = (r.head.number(here) + r.held.number(here)) % S::kSlots;
    slot_of(pe, here, slot) = wavelet.payload;
    if (wavelet.control) pe.far().control[slot] = pe.far().control[slot] | here;
    r.held.increment(here);
    counted.word += kWavelet;
    if constexpr (S::kCounting) count_one(counts_of(pe), Count::sent);
    return true;
  }
  return false;
}

/// 1 and 2 of a PE that may have wavelets in its router or for it. `timed`: it had work that came
/// by itself. Returns the colors torn down, real ones.
template <class S>
WEFT_HD Colors step_router(Pe<S> pe, const Now& now, bool news, std::uint32_t ready,
                           Counted& counted, bool& timed) {
  RouterInStep<S> r = pe.router();
  typename S::Ports came{};
  if (news) came = read_inbox(pe, r, now);
  const Colors room = ready != 0 ? room_for_core(pe, r) : 0;
  const Colors torn_down = route(pe, r, came, now, counted);
  if (deliver(pe, r, ready, room, now, counted)) {
    counted.note(Did::moved);
    timed = true;
  }
  if (r.held.nonzero().any()) counted.note(Did::holds);
  store_router(pe, r);
  return torn_down;
}

/// A cycle of one PE. `news`: as has_news has it of the cycle before. What is returned, and
/// Core::did, tells what came of it. Where it has `stretch`, run_stretch must follow before the
/// next cycle, or in a later one until `latest`.
template <class S>
WEFT_HD Counted step(Pe<S> pe, const Now& now, bool news) {
  // A stretch's own cycle has `moved`; in later ones it waits.
  constexpr std::uint32_t kOther = bits(Did::fault) | bits(Did::stretch);
  Counted counted{};
  Core& core = pe.core();
  bool timed = core.has(Did::again);
  const bool holds = core.has(Did::holds);
  core.did = 0;
  timed |= arrive(pe.to_core(), now.cycle);  // route() sends what arrives later
  timed |= arrive(pe.to_router(), now.cycle);
  const std::uint32_t ready = pe.to_router().ready;
  Colors torn_down = 0;
  if (news | holds | (ready != 0)) torn_down = step_router(pe, now, news, ready, counted, timed);
  std::uint32_t of_core = step_core(pe, now, torn_down);
  of_core |= core.did;
  if (timed || (of_core & ~kOther) != 0) counted.note(Did::timed);
  counted.did |= of_core;
  core.did = static_cast<std::uint8_t>(counted.did);
  return counted;
}

}  // namespace weft::pe
