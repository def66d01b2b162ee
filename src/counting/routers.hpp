#pragma once

#include "counting/windows.hpp"
#include "model/router/route.hpp"

/// Wavelets that leave routers, or are held there.
namespace weft::counting {

/// Lanes whose wavelet cannot leave, by the first reason that fits.
struct Held {
  Mask link = 0, room = 0, ramp = 0;
};

template <class L>
WEFT_INLINE Held reasons(const View& v, const ColorState& c, const Heads& heads, Mask stuck,
                         const Taken& taken) {
  Held held;
  for_each(c.exits, [&](int link) {
    const Mask wants = stuck & c.tx[link];
    held.link |= wants & taken.link[link];
    held.room |= wants & ~room_beyond<L>(v, c, static_cast<Port>(link), wants);
  });
  held.room &= ~held.link;
  held.ramp = heads.any & stuck & ~held.link & ~held.room;
  return held;
}

template <class L>
[[gnu::noinline]] void count_held(const View& v, int strip, int color, const Held& held, Mask rest,
                                  std::uint64_t now) {
  StripCounts& s = counts_at<L>(v, strip, now);
  add(v.counts->tallies[v.strip[strip].color_state[color]].held,
      held.link | held.room | held.ramp | rest);
  add(of(s, Count::held_link), held.link);
  add(of(s, Count::held_room), held.room);
  add(of(s, Count::held_ramp), held.ramp);
  add(of(s, Count::held_rest), rest);
}

/// Cycles that the clock jumps over, from one to another: nothing moves in them, so what is stuck
/// stays so, for the same reason.
template <class L>
[[gnu::noinline]] void count_jump(const View& v, const Place& at, std::uint64_t first,
                                  std::uint64_t end) {
  const StripState& strip = v.strip[at.index];
  StripCounts& s = v.counts->strip[at.index];
  for_each(strip.busy, [&](int color) {
    const std::int32_t index = strip.color_state[color];
    const ColorState& c = v.colors[index];
    const Heads heads = find_heads<L>(v, at, c, color, kAllLanes, first);
    if (heads.any == 0) return;
    const Taken none;
    const Mask stuck = find_stuck<L>(v, at, c, heads, find_taps(v, c, heads), none);
    if (stuck == 0) return;
    const Held held = reasons<L>(v, c, heads, stuck, none);
    add_cycles<L>(v, at.index, stuck, v.counts->tallies[index].held, v.counts->sums[index].held,
                  series_of(Count::held), first, end);
    const auto count = [&](Mask lanes, Count what) {
      if (lanes != 0)
        add_cycles<L>(v, at.index, lanes, of(s, what), s.sum[static_cast<int>(what)], -1, first,
                      end);
    };
    count(held.room, Count::held_room);
    count(held.ramp, Count::held_ramp);
  });
}

template <class L>
WEFT_INLINE void count_left(const View& v, int strip, int color, const ColorState& c, Mask go,
                            const Taps& taps, std::uint64_t now) {
  StripCounts& s = counts_at<L>(v, strip, now);
  ColorTally& tally = v.counts->tallies[v.strip[strip].color_state[color]];
  for_each(c.exits, [&](int link) { add(tally.left[link], go & c.tx[link]); });
  if (taps.to_ramp == 0) return;
  add(tally.left[static_cast<int>(Port::ramp)], go & taps.accepted);
  add(of(s, Count::let_in), go & taps.accepted & c.filtered);
  add(of(s, Count::refused), go & taps.refused);
}

}  // namespace weft::counting
