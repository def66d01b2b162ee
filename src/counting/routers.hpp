#pragma once

#include "counting/sums.hpp"
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
  counts_at<L>(v, strip, now);
  count_color_held<L>(v, strip, color, held.link | held.room | held.ramp | rest);
  count<L>(v, strip, Count::held_link, held.link);
  count<L>(v, strip, Count::held_room, held.room);
  count<L>(v, strip, Count::held_ramp, held.ramp);
  count<L>(v, strip, Count::held_rest, rest);
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
    if constexpr (kByLine<L>) counts_at<L>(v, at.index, first);
    add_cycles<L>(v, at.index, stuck, v.counts->tallies[index].held, v.counts->sums[index].held,
                  series_of(Count::held), first, end);
    const auto more = [&](Mask lanes, Count what) {
      if (lanes != 0)
        add_cycles<L>(v, at.index, lanes, of(s, what), s.sum[static_cast<int>(what)], -1, first,
                      end);
    };
    more(held.room, Count::held_room);
    more(held.ramp, Count::held_ramp);
  });
}

/// The same of lines.
template <class L>
void count_jump_of_lines(const View& v, const Place& at, std::uint64_t first, std::uint64_t end) {
  if (!have_own_clocks(v)) return count_jump<L>(v, at, first, end);
  while (first < end) {  // from end to end of a window
    const StripCounts& s = counts_at<L>(v, at.index, first);
    const std::uint64_t next = s.ends < end ? s.ends : end;
    count_jump<L>(v, at, first, next);
    first = next;
  }
}

template <class L>
WEFT_INLINE void count_left(const View& v, int strip, int color, const ColorState& c, Mask go,
                            const Taps& taps, std::uint64_t now) {
  counts_at<L>(v, strip, now);
  for_each(c.exits, [&](int link) { count_by_port<L>(v, strip, color, link, go & c.tx[link]); });
  if (taps.to_ramp == 0) return;
  count_by_port<L>(v, strip, color, static_cast<int>(Port::ramp), go & taps.accepted);
  count<L>(v, strip, Count::let_in, go & taps.accepted & c.filtered);
  count<L>(v, strip, Count::refused, go & taps.refused);
}

}  // namespace weft::counting
