#pragma once

#include "counting/cores.hpp"
#include "counting/routers.hpp"

/// The observer of a step that counts.
namespace weft::counting {

/// The hooks `Base`, with all that is counted. `Lanes`: a lane policy of these.
template <class Base, class Lanes>
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
  WEFT_INLINE static void passes(const View& v, const Place& at, int color, int out, Mask taken,
                                 Mask no_room, Mask go, std::uint64_t now) {
    counts_at<L>(v, at.index, now);
    count_by_port<L>(v, at.index, color, out, go);
    if ((taken | no_room) == 0) return;
    const bool ramp = out == static_cast<int>(Port::ramp);
    const Held held = ramp ? Held{.ramp = taken | no_room} : Held{.link = taken, .room = no_room};
    count_held<L>(v, at.index, color, held, 0, now);
  }
  template <class L>
  WEFT_INLINE static void sent(const View& v, const Place& at, Mask lanes, std::uint64_t now) {
    counts_at<L>(v, at.index, now);
    count<L>(v, at.index, Count::sent, lanes);
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
  WEFT_INLINE static void end_elements(const View& v, const Place& at, const CoreState& core, int u,
                                       Mask lanes, std::uint64_t now) {
    end_streams(v, at.index, core, u, now);
    StripCounts& s = v.counts->strip[at.index];
    lanes &= core.placed;  // one with a fault has done none
    count<Lanes>(v, at.index, Count::elements, lanes);
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
    come_to_phase<L>(v, at.index, lanes, pc, now);
    count<L>(v, at.index, Count::tasks, lanes);
    s.computes |= lanes;
    s.in_task |= lanes;
    if constexpr (kByLine<L>)
      if (begin_together(v, at.index, lanes, pc, now)) return;
    fill(lanes, s.line.at, line_at(v, s, lowest(lanes), pc));
    fill(lanes, s.line_since.at, static_cast<std::uint32_t>(now));
    begin_instructions(s, lanes, pc, now);
  }
  template <class L>
  WEFT_INLINE static void issues_group(const Group& g) {
    count_issue<L>(g);
  }
  WEFT_INLINE static void waits(const Group& g, const Microthread& t, Mask lanes) {
    StripCounts& s = g.v.counts->strip[g.at.index];
    for_each(lanes, [&](int lane) WEFT_INLINED {
      end_computing(s, lane, t.first[lane]);
      earlier(s.soonest, s.until[lane]);
    });
    s.starting |= lanes;
  }
  WEFT_INLINE static void ends_task(const Group& g) {
    StripCounts& s = g.v.counts->strip[g.at.index];
    if constexpr (kByLine<Lanes>) {
      if (s.together.are && g.lanes == g.v.counts->all_lanes) {
        end_together(g);
        return;
      }
      part(s);
    }
    leave_group(s);
    for_each(g.lanes, [&](int lane) WEFT_INLINED {
      end_task_cycles(g.v, g.at.index, lane, g.time(lane) + 1);
      end_computing(s, lane, g.time(lane) + 1);
    });
    s.in_task &= ~g.lanes;
  }
  WEFT_INLINE static void halts(const View& v, const Place& at, int lane, std::uint64_t cycle) {
    StripCounts& s = v.counts->strip[at.index];
    if (!has(s.in_task, lane)) return;
    if constexpr (kByLine<Lanes>) part(s);
    leave_group(s);
    end_task_cycles(v, at.index, lane, cycle + 1);
    end_computing(s, lane, cycle + 1);
    s.soonest = 0;  // to be looked at: it may have been about to start
    s.in_task &= ~lane_bit(lane);
  }
  template <class L>
  WEFT_INLINE static void end_cores(const View& v, const Place& at, const CoreState& core,
                                    std::uint64_t now, std::uint64_t wake) {
    end_visit<L>(v, at.index, core, now, wake);
  }
};

}  // namespace weft::counting
