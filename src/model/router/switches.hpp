#pragma once

#include "isa/control.hpp"
#include "model/state/router_state.hpp"

/// Switch positions, and the control wavelets that change them.
namespace weft::model {

/// Composes a lane's positions anew from position 0 (rx[0], tx[0]) and the codes of the others:
/// each names one side, the other stays as it was.
WEFT_INLINE void compose(SwitchState& s, int lane) {
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

/// The ports that a lane opens at some position. (The strip's `exits` only grow.)
WEFT_INLINE void set_opens(ColorState& c, const SwitchState& s, int lane) {
  constexpr unsigned kToLinks = (1U << kLinks) - 1;
  unsigned inputs = 0, outputs = 0;
  for (int n = 0; n <= s.last[lane]; ++n) {
    inputs |= s.rx[n][lane];
    outputs |= s.tx[n][lane];
  }
  c.exits = static_cast<std::uint8_t>(c.exits | (outputs & kToLinks));
  for (int port = 0; port < kPorts; ++port) {
    const bool open = (inputs >> port & 1U) != 0;
    c.opens[port] = open ? c.opens[port] | lane_bit(lane) : c.opens[port] & ~lane_bit(lane);
  }
}

/// Puts a lane's switch at a position.
WEFT_INLINE void set_position(ColorState& c, SwitchState& s, int lane, int position) {
  s.position[lane] = static_cast<std::uint8_t>(position);
  for (int port = 0; port < kPorts; ++port) {
    const Mask bit = lane_bit(lane);
    c.rx[port] = (s.rx[position][lane] >> port & 1) != 0 ? c.rx[port] | bit : c.rx[port] & ~bit;
    c.tx[port] = (s.tx[position][lane] >> port & 1) != 0 ? c.tx[port] | bit : c.tx[port] & ~bit;
  }
}

enum class Pop : std::uint8_t { no_pop, always_pop, on_advance, on_advance_nop };

/// Whether a router takes the first command off a control wavelet.
WEFT_INLINE bool pops(Pop mode, std::uint32_t command, bool advanced) {
  return mode == Pop::always_pop || (mode != Pop::no_pop && advanced) ||
         (mode == Pop::on_advance_nop && command == isa::kNop);
}

/// A control wavelet that passed: its first command acts on this router. Returns the payload that
/// travels on; `torn_down` tells that the color is to be held here.
WEFT_INLINE std::uint32_t obey(ColorState& c, SwitchState& s, int lane, std::uint32_t payload,
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
  return pops(static_cast<Pop>(s.pop[lane]), command, advanced) ? isa::popped(payload) : payload;
}

}  // namespace weft::model
