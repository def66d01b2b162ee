#pragma once

#include "model/core/group.hpp"
#include "model/core/halt.hpp"
#include "model/hooks.hpp"
#include "model/lanes/loops.hpp"
#include "model/router/room.hpp"
#include "model/router/switches.hpp"
#include "model/wakes.hpp"

/// A core writes registers of its own router.
namespace weft::model::format {

using isa::Word;

/// One lane's write of a filter register. Returns whether it was allowed.
WEFT_INLINE bool write_filter(Group& g, Op op, const ColorState& c, int lane, Word value) {
  if (!has(c.filtered, lane)) return false;
  FilterState& f = g.v.filters[c.filter];
  if (has(f.range, lane)) return false;
  Vector& to = op == Op::fcount ? f.counter : op == Op::flimit ? f.limit1 : f.max_counter;
  to.at[lane] = value;
  const bool inside = f.counter.at[lane] <= f.max_counter.at[lane];
  f.in_window = inside ? f.in_window | lane_bit(lane) : f.in_window & ~lane_bit(lane);
  return op != Op::fcount || value <= f.limit1.at[lane];
}

/// One lane's write of a route or switch register. Returns whether it was allowed.
WEFT_INLINE bool write_switch(Group& g, Op op, int index, int lane, Word value) {
  ColorState& c = g.v.colors[index];
  if (!has(c.routed, lane)) return false;
  SwitchState& s = g.v.switches[index];
  int position = s.position[lane];
  if (op == Op::texit) {
    c.torn_down &= ~lane_bit(lane);
    return true;
  }
  if (op == Op::setpos) position = static_cast<int>(value);
  if (op == Op::setroute) {
    s.tx[0][lane] = static_cast<std::uint8_t>(value & 31U);
    s.rx[0][lane] = static_cast<std::uint8_t>(value >> 5U & 31U);
  }
  if (op == Op::setswitch) {
    for (unsigned n = 1; n < kMaxPositions; ++n)
      s.code[n][lane] = static_cast<std::uint8_t>(value >> (4 * n - 4) & 15U);
    s.ring = (value >> 12U & 1U) != 0 ? s.ring | lane_bit(lane) : s.ring & ~lane_bit(lane);
    position = static_cast<int>(value >> 13U & 3U);
  }
  if (op != Op::setpos) {
    compose(s, lane);
    set_opens(c, s, lane);
  }
  if (position < 0 || position > s.last[lane]) return false;
  set_position(c, s, lane, position);
  return true;
}

/// Writes a register of the PE's own router. The lane's route or filter must be there.
template <class L, class F>
WEFT_INLINE void router(Group& g, const Instruction& i, F) {
  g.cost = g.v.timing.router_write;
  StripState& strip = g.v.strip[g.at.index];
  const int index = strip.color_state[i.a];
  const Word* value = g.core.reg[i.d].at;
  const bool on_filter = i.op == Op::fcount || i.op == Op::flimit || i.op == Op::fmax;
  if (index >= 0) L::Hooks::before_filter(g.v, g.at.index, i.a, g.now + 1);
  const Mask allowed = where(g.lanes, [&](int lane) {
    if (index < 0) return false;
    return on_filter ? write_filter(g, i.op, g.v.colors[index], lane, value[lane])
                     : write_switch(g, i.op, index, lane, value[lane]);
  });
  for_each(g.lanes & ~allowed, [&](int lane) {
    halt<L>(g.v, g.at, g.core, lane,
            on_filter ? FaultKind::bad_filter : FaultKind::bad_switch_position, g.time(lane), i.a,
            value[lane], g.pc);
  });
  g.lanes = allowed;
  if (index >= 0) L::Hooks::written(g.v, g.at.index, 1U << i.a);
  if (on_filter || index < 0) return;
  L::Hooks::template switched<L>(g.v, g.at, i.a, g.lanes, g.now);
  L::Hooks::router_changed(strip);
  publish_rooms(g.v, strip, 1U << i.a);
  L::Hooks::published(strip, 0, 1U << i.a, g.now);
  strip.busy |= 1U << i.a;
  wake_route<L>(g.v, g.at, g.now + 1);
  wake_deliver<L>(g.v, g.at, g.now + 1);  // what the core had sent may find room now
}

}  // namespace weft::model::format
