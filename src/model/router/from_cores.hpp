#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/ramp/ramp_queue.hpp"
#include "model/router/arrivals.hpp"
#include "model/wakes.hpp"

/// Arrivals in a strip's routers from their cores.
namespace weft::model {

/// For one output queue's seen heads, color by color: f(color, lanes).
template <class F>
WEFT_INLINE void by_color(const RampQueue& q, Mask lanes, F f) {
  while (lanes != 0) {
    const std::uint8_t color = q.color[lowest(lanes)];
    const Mask group = (lanes & (lanes - 1)) == 0 ? lanes : equal(lanes, q.color, color);
    f(static_cast<int>(color), group);
    lanes &= ~group;
  }
}

/// Lanes of `lanes` whose router can take a wavelet of this color from the ramp.
WEFT_INLINE Mask on_ramp_room(const View& v, const StripState& strip, int color, Mask lanes) {
  const int index = strip.color_state[color];
  return index < 0 ? Mask{0} : lanes & v.colors[index].room[static_cast<int>(Port::ramp)];
}

/// Lanes of which several output queues have a wavelet for the router.
WEFT_INLINE Mask several_ready(const CoreState& core, std::uint32_t queues) {
  Mask one = 0, several = 0;
  for (; queues != 0; queues &= queues - 1) {
    const Mask ready = core.out[lowest(queues)].seen[0];
    several |= one & ready;
    one |= ready;
  }
  return several;
}

/// Arrivals from the cores.
struct FromCores {
  std::uint32_t came = 0;  ///< colors
  bool leads_out = false;  ///< some wavelet's color does (L::Hooks::leads_out)
};

/// Pulls from the core: one wavelet a router, output queues by rotating priority.
template <class L>
WEFT_INLINE FromCores pull_ramp(const View& v, Place at, std::uint64_t now) {
  StripState& strip = v.strip[at.index];
  CoreState& core = v.core[at.index];
  make_visible(core.out, core.outputs_arriving[delay_slot(now)], delay_slot(now));
  FromCores from;
  Mask taken = 0;
  const std::uint32_t held = strip.outputs_held;
  const auto contested = [&] { return several_ready(core, held); };
  L::Hooks::by_clock(v, held, contested, now, [&](Mask among, std::uint64_t clock) WEFT_INLINED {
    const unsigned turn = static_cast<unsigned>(clock % 8);  // lowest (queue xor clock mod 8) first
    for (std::uint32_t rest = in_turn(held, turn); rest != 0; rest &= rest - 1) {
      const int n = lowest(rest) ^ static_cast<int>(turn);
      RampQueue& out = core.out[n];
      Mask gone = 0;
      by_color(out, out.seen[0] & among & ~taken, [&](int color, Mask lanes) WEFT_INLINED {
        if (L::Hooks::leads_out(v, color)) {
          from.leads_out = true;
          return;
        }
        const Mask go = on_ramp_room(v, strip, color, lanes);
        if (go == 0) return;
        const auto put = [&](Mask into, std::uint32_t* d) { copy(into, d, out.payload[0].at); };
        from.came |= take_in(v, at, color, Port::ramp, go, out.control[0], now, put);
        L::Hooks::template sent_color<L>(v, at, n, color, go, now);
        gone |= go;
      });
      if (gone != 0) pop(v, out, gone);
      taken |= gone;
      if (out.valid[0] == 0) strip.outputs_held &= ~(1U << n);
    }
  });
  if (taken == 0) return from;
  L::Hooks::template sent<L>(v, at, taken, now);
  strip.wavelets += L::Hooks::pes(v, taken);
  wake_core<L>(v, at, now);  // a full queue may have kept a core waiting
  return from;
}

}  // namespace weft::model
