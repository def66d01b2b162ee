#pragma once

#include "isa/control.hpp"
#include "pe/state.hpp"

/// Switch positions, control wavelets that change them, and a core's writes of routes and switches.
namespace weft::pe {

/// Composes the positions anew from position 0 and the codes of the others: each names one side,
/// the other stays as it was.
WEFT_HD void compose(Switch& s) {
  constexpr unsigned kInput = 8;
  s.last = 0;
  for (int n = 1; n < kMaxPositions; ++n) {
    const unsigned direction = s.code[n] % kInput;
    if (direction >= kPorts) return;
    const auto port = static_cast<std::uint8_t>(1U << direction);
    s.rx[n] = s.code[n] >= kInput ? port : s.rx[n - 1];
    s.tx[n] = s.code[n] >= kInput ? s.tx[n - 1] : port;
    s.last = static_cast<std::uint8_t>(n);
  }
}

/// The inputs that some position opens.
WEFT_HD unsigned ever_open(const Switch& s) {
  unsigned inputs = 0;
  for (int n = 0; n <= s.last; ++n) inputs |= s.rx[n];
  return inputs;
}

/// Puts a switch at a position.
template <class S>
WEFT_HD void set_position(Router<S>& r, Switch& s, int color, int position) {
  using Ports = typename S::Ports;
  s.position = static_cast<std::uint8_t>(position);
  const unsigned rx = s.rx[position];
  const Ports others = ~Ports::every(color_bit(color));
  r.rx = (r.rx & others) | color_at<Ports>(rx, color);
  r.tx = (r.tx & others) | color_at<Ports>(s.tx[position], color);
  r.mark(Mark::merging, color, (rx & (rx - 1U)) != 0);
}

WEFT_HD bool pops(Pop mode, std::uint32_t command, bool advanced) {
  return mode == Pop::always_pop || (mode != Pop::no_pop && advanced) ||
         (mode == Pop::on_advance_nop && command == isa::kNop);
}

/// A control wavelet has left by the present position: its first command acts on this router.
/// Returns the payload that travels on.
template <class S>
WEFT_HD std::uint32_t obey(Router<S>& r, Switch& s, int color, std::uint32_t payload,
                           bool& torn_down) {
  const std::uint32_t command = isa::command(payload, 0);
  bool advanced = false;
  if (command == isa::kAdvance) {
    advanced = s.position < s.last || (s.ring && s.last > 0);
    if (advanced) set_position(r, s, color, s.position < s.last ? s.position + 1 : 0);
  } else if (command == isa::kReset) {
    set_position(r, s, color, s.initial < s.last ? s.initial : s.last);
  } else if (command == isa::kTeardown) {
    torn_down = true;
    r.mark(Mark::torn_down, color, true);
  }
  return pops(s.pop, command, advanced) ? isa::popped(payload) : payload;
}

/// The neighbours, and the own ramp, learn which queues a color has from the next cycle on.
template <class S>
WEFT_HD void tell_queues(Pe<S> pe, unsigned parity, int color) {
  using Ports = typename S::Ports;
  const unsigned open = ever_open(pe.far().switches[color]);
  for (int side = 0; side < kLinks; ++side) {
    if (!pe.has_beyond(side)) continue;
    std::uint8_t& note = pe.beyond(side).inbox(parity).note[opposite(side)];
    note = static_cast<std::uint8_t>(note | Note::route(color, (open >> side & 1U) != 0));
  }
  const Ports ramp = Ports::one(kRamp, color_bit(color));
  Ports& no_queue = pe.router().no_queue;
  no_queue = (open >> kRamp & 1U) != 0 ? no_queue & ~ramp : no_queue | ramp;
}

enum class RouteRegister : std::uint8_t { position, route, positions, release };

/// The core writes a route's or a switch's register, once a cycle at most. Returns whether the
/// position that results is there.
template <class S>
WEFT_HD_RARE bool write_route(Cell<S> cell, unsigned parity, RouteRegister which, int real_color,
                              std::uint32_t value) {
  const Pe<S> pe = pe_of(cell);
  const std::uint8_t color = pe.rules().number[real_color];
  if (color == kNone || !pe.far().switches[color].routed) return false;
  Router<S>& r = pe.router();
  Switch& s = pe.far().switches[color];
  std::uint32_t position = s.position;
  switch (which) {
    case RouteRegister::release:
      r.mark(Mark::torn_down, color, false);
      return true;
    case RouteRegister::position:
      position = value;
      break;
    case RouteRegister::route:
      s.tx[0] = static_cast<std::uint8_t>(value & 31U);
      s.rx[0] = static_cast<std::uint8_t>(value >> 5U & 31U);
      break;
    case RouteRegister::positions:
      for (unsigned n = 1; n < kMaxPositions; ++n)
        s.code[n] = static_cast<std::uint8_t>(value >> (4U * n - 4U) & 15U);
      s.ring = (value >> 12U & 1U) != 0;
      position = value >> 13U & 3U;
      break;
  }
  if (which != RouteRegister::position) {
    compose(s);
    tell_queues(pe, parity, color);
  }
  if (position > s.last) return false;
  set_position(r, s, color, static_cast<int>(position));
  return true;
}

}  // namespace weft::pe
