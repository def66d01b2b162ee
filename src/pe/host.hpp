#pragma once

#include "pe/core_state.hpp"
#include "pe/counting.hpp"
#include "pe/state.hpp"
#include "pe/switches.hpp"

/// The host's part in a cycle, at the links of one PE, by whoever steps the PE: its words go before
/// the PE's step, and it takes what has left the PE after it.
namespace weft::pe {

/// f(link, port) for each link of the PE to the host.
template <class S, class F>
WEFT_HD void for_host_ports(Pe<S> pe, F f) {
  const HostPorts<S>& host = pe.arrays->host;
  for (int link = 0; link < kLinks; ++link) {
    const std::uint32_t n = pe.link(link).cell - host.cell;
    if (n < host.of_tile) f(link, host.port[n]);
  }
}

/// Colors of which words wait.
template <class S>
WEFT_HD Colors waiting(const HostPort<S>& port) {
  Colors colors = 0;
  for (Colors rest = port.inputs; rest != 0; rest &= rest - 1U) {
    const int color = lowest(rest);
    if (port.first[color] != port.end[color]) colors |= color_bit(color);
  }
  return colors;
}

/// The color that a word of the host has in the router.
template <class S>
WEFT_HD int into(Pe<S> pe, int link, int color) {
  return (pe.far().switches[color].swaps >> link & 1U) != 0 ? color ^ 1 : color;
}

/// Wavelets of a color in the router's queue at a link, before the PE's step.
template <class S>
WEFT_HD unsigned held_at(Pe<S> pe, int link, int color, unsigned parity) {
  const Colors came = pe.inbox(parity ^ 1U).came[link];
  return pe.router().held.number(S::Ports::one(link, color_bit(color))) + (came >> color & 1U);
}

/// The router has room there as the cycle begins.
template <class S>
WEFT_HD bool has_room_at(Pe<S> pe, int link, int color, unsigned parity) {
  const Switch& s = pe.far().switches[color];
  return s.routed && (ever_open(s) >> link & 1U) != 0 &&
         held_at(pe, link, color, parity) < pe.rules().timing.router_depth;
}

/// 1. Route, of the host: at each link that is free a word goes to the router, of the lowest color
/// for which there is room.
template <class S>
WEFT_HD_RARE Counted send_from_host(Cell<S> cell, Now now) {
  const Pe<S> pe = pe_of(cell);
  Counted counted{};
  for_host_ports(pe, [&](int link, HostPort<S>& port) {
    const Colors words = waiting(port);
    if (words == 0 || port.input_free > now.cycle) return;
    counted.note(Did::polled);
    if (port.input_free == now.cycle) counted.note(Did::timed);
    Colors may = 0;
    for (Colors rest = words; rest != 0; rest &= rest - 1U) {
      const int color = lowest(rest);
      if (has_room_at(pe, link, into(pe, link, color), now.parity)) may |= color_bit(color);
    }
    if (may == 0) return;
    const int color = first_color<S>(pe.rules(), may, 0), here = into(pe, link, color);
    const typename S::Ports own = S::Ports::one(link, color_bit(here));
    const unsigned tail = pe.router().head.number(own) + held_at(pe, link, here, now.parity);
    slot_of(pe, own, tail % S::kSlots) = pe.arrays->host.words[port.first[color]++];
    pe.inbox(now.parity).came[link] = static_cast<typename Inbox<S>::ColorBits>(color_bit(here));
    port.input_free = now.cycle + pe.rules().timing.host_link;
    counted.note(Did::moved);
    counted.word += kHop;
    if constexpr (S::kCounting) count_one(counts_of(pe), Count::from_host);
  });
  return counted;
}

/// A color may leave by the link where the host can take a wavelet.
template <class S>
WEFT_HD void open_or_close(Pe<S> pe, int link, const HostPort<S>& port, bool free) {
  Colors opens = 0;
  for (Colors rest = free ? port.outputs : 0; rest != 0; rest &= rest - 1U) {
    const int color = lowest(rest);
    if (port.room[color] != 0) opens |= color_bit(color);
  }
  using Ports = typename S::Ports;
  Ports& no_queue = pe.router().no_queue;
  no_queue = (no_queue | Ports::one(link, port.outputs)) & ~Ports::one(link, opens);
}

/// 2. Deliver, of the host. `timed`: a link is free again in the next cycle, and the PE may go on.
template <class S>
WEFT_HD_RARE Counted take_to_host(Cell<S> own, Now now) {
  const Pe<S> pe = pe_of(own);
  using Ports = typename S::Ports;
  Counted counted{};
  for_host_ports(pe, [&](int link, HostPort<S>& port) {
    const Cell<S> cell = pe.beyond(link);
    const int side = opposite(link);
    Inbox<S>& box = cell.inbox(now.parity);
    const bool took = box.came[side] != 0;
    if (took) {
      Router<S>& r = pe.router();
      const int color = lowest(box.came[side]);
      const Ports there = Ports::one(link, color_bit(color));
      const unsigned slot = r.downstream_tail.number(there) + S::kSlots - 1U;
      if ((box.note[side] & Note::kControl) == 0) {
        pe.arrays->host.came[port.came++] = {
            slot_beyond(pe, pe.link(link), color_bit(color), slot % S::kSlots),
            static_cast<std::uint32_t>(color)};
        --port.room[color];
      }
      r.downstream.decrement(there);
      port.output_free = now.cycle + pe.rules().timing.host_link;
    }
    box = {};
    const bool again = port.output_free == now.cycle + 1;
    if (took || again) open_or_close(pe, link, port, port.output_free <= now.cycle + 1);
    if (!again) return;
    counted.note(Did::moved);
    counted.note(Did::timed);
  });
  return counted;
}

/// Before cycles are stepped from this one on: the host has lent words, or taken some.
template <class S>
WEFT_HD_RARE void look_at_host(Cell<S> cell, std::uint64_t cycle) {
  const Pe<S> pe = pe_of(cell);
  for_host_ports(pe, [&](int link, const HostPort<S>& port) {
    open_or_close(pe, link, port, port.output_free <= cycle);
  });
}

/// When the host has something to do again, after a cycle that was stepped.
struct HostNext {
  std::uint64_t timed, polled;
};

template <class S>
WEFT_HD_RARE HostNext next_of_host(Cell<S> cell, std::uint64_t now) {
  const Pe<S> pe = pe_of(cell);
  HostNext next{model::kNever, model::kNever};
  for_host_ports(pe, [&](int, const HostPort<S>& port) {
    if (port.output_free > now + 1) model::earlier(next.timed, port.output_free - 1);
    if (waiting(port) == 0) return;
    if (port.input_free > now) model::earlier(next.timed, port.input_free);
    model::earlier(next.polled, port.input_free > now ? port.input_free : now + 1);
  });
  return next;
}

}  // namespace weft::pe
