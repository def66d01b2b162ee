#pragma once

#include <cstdint>

#include "model/lanes/loops.hpp"
#include "model/router/links.hpp"
#include "model/router/route.hpp"

/// Strips whose wavelets are all stuck: their step 1 is left out until something comes, room grows
/// beyond a link or on the ramp, or a program writes to the router. For the clock they stay busy.
/// The switch is Accelerations::shortcuts.
namespace weft::fast {

using namespace model;

/// The strip's wavelets may move again. Neighbours that other threads step say so too, all in steps
/// 2 and 3: only step 1 sets the mark, and tells them that there is one.
WEFT_INLINE void look_again(StripState& strip) {
  __atomic_store_n(&strip.stuck, false, __ATOMIC_RELAXED);
}

/// f(port, strip) for the strips beside a strip.
template <class F>
WEFT_INLINE void each_beside(const View& v, const Place& at, F f) {
  if (at.column > 0) f(Port::west, v.strip[at.index - 1]);
  if (at.column + 1 < v.strips) f(Port::east, v.strip[at.index + 1]);
  if (at.row + 1 < v.rows) f(Port::south, v.strip[at.index + v.strips]);
  if (at.row > 0) f(Port::north, v.strip[at.index - v.strips]);
}

/// Wavelets of these colors left the strip: those beyond its ports may move again. (Where colors
/// are swapped, the room of another color at any port may have grown.)
[[gnu::noinline, gnu::cold]] WEFT_OWN void look_again_beside(const View& v, const Place& at,
                                                             std::uint32_t left) {
  StripState& strip = v.strip[at.index];
  std::uint32_t ports = strip.swaps != 0 ? ~0U : 0U;
  for_each(left, [&](int color) { ports |= v.colors[strip.color_state[color]].ports; });
  bool others = false;
  each_beside(v, at, [&](Port port, StripState& beside) {
    const bool stuck = __atomic_load_n(&beside.stuck, __ATOMIC_RELAXED);
    const bool may_move = (ports >> static_cast<int>(port) & 1U) != 0;
    if (stuck && may_move) look_again(beside);  // its cache line may be another thread's
    others |= stuck && !may_move;
  });
  __atomic_store_n(&strip.stuck_beside, others, __ATOMIC_RELAXED);
}

/// The hooks `Base`, with this acceleration.
template <class Base>
struct Stuck : Base {
  template <class L>
  WEFT_INLINE static Done route(const View& v, const Place& at, std::uint64_t now) {
    StripState& strip = v.strip[at.index];
    if (!strip.stuck) return Base::template route<L>(v, at, now);
    clear_departures(strip, now);
    v.route_wake[at.index] = now + 1;
    return Done::idle;
  }
  template <class L>
  WEFT_INLINE static Done deliver(const View& v, const Place& at, std::uint64_t now) {
    const Done did = Base::template deliver<L>(v, at, now);
    const Shortcut& way = v.strip[at.index].way;
    // All has left by a shortcut, so the strip itself is not stuck; others may wait for its room.
    if (did != Done::no && !way.keeps_room) published(v, at, 0, way.color_bit);
    return did;
  }
  WEFT_INLINE static void stays(const View& v, const Place& at, StripState& strip) {
    if (strip.busy == 0 || !v.fast.shortcuts || v.host != nullptr) return;
    strip.stuck = true;
    each_beside(v, at, [](Port, StripState& beside) {
      __atomic_store_n(&beside.stuck_beside, true, __ATOMIC_RELAXED);
    });
  }
  WEFT_INLINE static void published(const View& v, const Place& at, std::uint32_t came,
                                    std::uint32_t left) {
    StripState& strip = v.strip[at.index];
    if (came != 0) look_again(strip);
    if (__atomic_load_n(&strip.stuck_beside, __ATOMIC_RELAXED) && left != 0) [[unlikely]]
      look_again_beside(v, at, left);
  }
  WEFT_INLINE static void written(const View& v, int strip, std::uint32_t colors) {
    Base::written(v, strip, colors);
    look_again(v.strip[strip]);
  }
  WEFT_INLINE static void took_input(StripState& strip) { look_again(strip); }
};

}  // namespace weft::fast
