#pragma once

#include "pe/state.hpp"

/// The neighbours' doings in the cycle before.
namespace weft::pe {

/// Notes: what came is a control wavelet, or the queues beyond have changed. Called before `held`
/// is counted: an arrival's slot is head + held.
template <class S>
WEFT_HD_RARE void read_notes(Cell<S> cell, unsigned parity) {
  const Pe<S> pe = pe_of(cell);
  const Inbox<S>& box = pe.inbox(parity);
  using Ports = typename S::Ports;
  Router<S>& r = pe.router();
  for (int side = 0; side < kLinks; ++side) {
    const unsigned note = box.note[side];
    if ((note & Note::kControl) != 0) {
      const Ports here = Ports::one(side, box.came[side]);
      Ports& control = pe.far().control[(r.head.number(here) + r.held.number(here)) % S::kSlots];
      control = control | here;
    }
    if ((note & Note::kRoute) != 0) {
      const Ports queue = Ports::one(side, color_bit(Note::color(note)));
      r.no_queue = (note & Note::kOpen) != 0 ? r.no_queue & ~queue : r.no_queue | queue;
    }
  }
}

/// Neighbours have done something in the cycle of this parity. To be asked when they have been
/// stepped, too.
template <class S>
WEFT_HD bool has_news(Cell<S> pe, unsigned parity) {
  using Ports = typename S::Ports;
  const Inbox<S>& box = pe.inbox(parity);
  const bool moved = (Ports::of_links(box.came) | Ports::of_links(box.left)).any();
  return moved | (word_of(box.note) != 0);  // no branches
}

/// Reads the news of the cycle before, which there are. Returns what came by the links.
template <class S>
WEFT_HD typename S::Ports read_inbox(Pe<S> pe, Router<S>& r, const Now& now) {
  using Ports = typename S::Ports;
  Inbox<S>& box = pe.inbox(now.parity ^ 1U);
  const Ports came = Ports::of_links(box.came), left = Ports::of_links(box.left);
  if (word_of(box.note) != 0) {
    store_router(pe, r);
    read_notes(pe, now.parity ^ 1U);
    reload_router(pe, r);
  }
  box = {};
  r.held.increment(came);
  r.downstream.decrement(left);
  return came;
}

}  // namespace weft::pe
