#pragma once

#include "counting/cores.hpp"
#include "counting/routers.hpp"

/// The observer of a step that counts.
namespace weft::counting {

/// The hooks `Base`, with all that is counted.
template <class Base>
struct Counting : Base {
  template <class L>
  WEFT_INLINE static void held(const View& v, const Place& at, const ColorState& c, int color,
                               const Heads& heads, const Taken& taken, Mask stuck, Mask rest,
                               std::uint64_t now) {
    if ((stuck | rest) != 0)
      count_held<L>(v, at.index, color, reasons<L>(v, c, heads, stuck, taken), rest, now);
  }
  template <class L>
  WEFT_INLINE static void left(const View& v, const Place& at, const ColorState& c, int color,
                               Mask go, const Taps& taps, std::uint64_t now) {
    count_left<L>(v, at.index, color, c, go, taps, now);
  }
  template <class L>
  WEFT_INLINE static void passes(const View& v, const Place& at, int color, int link, Mask taken,
                                 Mask no_room, Mask go, std::uint64_t now) {
    counts_at<L>(v, at.index, now);
    add(v.counts->tallies[v.strip[at.index].color_state[color]].left[link], go);
    if ((taken | no_room) != 0)
      count_held<L>(v, at.index, color, {.link = taken, .room = no_room}, 0, now);
  }
  template <class L>
  WEFT_INLINE static void sent(const View& v, const Place& at, Mask lanes, std::uint64_t now) {
    add(of(counts_at<L>(v, at.index, now), Count::sent), lanes);
  }

  template <class L>
  WEFT_INLINE static void begin_cores(const View& v, const Place& at, const CoreState& core,
                                      std::uint64_t now) {
    begin_visit<L>(v, at.index, core, now);
  }
  WEFT_INLINE static Mask begin_elements(const View& v, const Place& at, const CoreState& core,
                                         int u) {
    StripCounts& s = v.counts->strip[at.index];
    const Microthread& t = core.microthread[u];
    const Mask begun = t.live & ~t.starting;
    const Lacks lacks = lacks_of(v, core, u, begun);
    s.lacks_data |= lacks.data;
    s.lacks_room |= lacks.room;
    return begun & ~lacks.data & ~lacks.room;
  }
  WEFT_INLINE static void end_elements(const View& v, const Place& at, const CoreState& core,
                                       Mask lanes) {
    StripCounts& s = v.counts->strip[at.index];
    lanes &= core.placed;  // one with a fault has done none
    add(of(s, Count::elements), lanes);
    s.moved |= lanes;
  }
  template <class L>
  WEFT_INLINE static void end_microthreads(const View& v, const Place& at, const CoreState& core,
                                           std::uint64_t now) {
    const Mask resumed = v.counts->strip[at.index].waited & ~core.waiting & core.running;
    if (resumed != 0) begin_computing<L>(v, at.index, resumed, now + 1);
  }
  template <class L>
  WEFT_INLINE static void takes_task(const View& v, const Place& at, Mask lanes, std::uint32_t pc,
                                     std::uint64_t now) {
    StripCounts& s = v.counts->strip[at.index];
    begin_computing<L>(v, at.index, lanes, now);
    add(of(s, Count::tasks), lanes);
    s.computes |= lanes;
    s.in_task |= lanes;
    fill(lanes, s.line.at, line_at(v, s, lowest(lanes), pc));
    fill(lanes, s.line_since.at, static_cast<std::uint32_t>(now));
  }
  template <class L>
  WEFT_INLINE static void issues_group(const Group& g) {
    count_issue<L>(g);
  }
  WEFT_INLINE static void waits(const Group& g, const Microthread& t, Mask lanes) {
    StripCounts& s = g.v.counts->strip[g.at.index];
    for_each(lanes, [&](int lane) WEFT_INLINED { end_computing(s, lane, t.first[lane]); });
    s.starting |= lanes;
  }
  WEFT_INLINE static void ends_task(const Group& g) {
    StripCounts& s = g.v.counts->strip[g.at.index];
    for_each(g.lanes, [&](int lane) WEFT_INLINED {
      end_line(g.v, s, lane, g.time(lane) + 1);
      end_computing(s, lane, g.time(lane) + 1);
    });
    s.in_task &= ~g.lanes;
  }
  WEFT_INLINE static void halts(const View& v, const Place& at, int lane, std::uint64_t cycle) {
    StripCounts& s = v.counts->strip[at.index];
    if (!has(s.in_task, lane)) return;
    end_line(v, s, lane, cycle + 1);
    end_computing(s, lane, cycle + 1);
    s.in_task &= ~lane_bit(lane);
  }
  template <class L>
  WEFT_INLINE static void end_cores(const View& v, const Place& at, const CoreState& core,
                                    std::uint64_t now, std::uint64_t wake) {
    end_visit<L>(v, at.index, core, now, wake);
  }
};

}  // namespace weft::counting
