#pragma once

#include "by_line/stepped_strips.hpp"
#include "engine/clock.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/rows.hpp"

/// A cycle of a bundle, all of whose strips one thread steps.
namespace weft::by_line {

/// f(place) for the stepped strips at which a delayed wavelet arrives at the end of the cycle.
template <class F>
void each_arrival(const DelayLine& r, std::uint64_t now, F f) {
  if (r.under_way == 0) return;
  for (int word = 0; word * 64 < r.length; ++word)
    for (Mask rest = r.stepped[word]; rest != 0; rest &= rest - 1) {
      const int stepped = word * 64 + lowest(rest);
      if (stepped > 0 && r.is_at(stepped - 1, now)) f(stepped);
    }
}

/// A delayed wavelet in the router of this place cannot go on in this cycle, or perhaps cannot.
template <class L>
void keep_waiting(const View& v, DelayLine& r, int place, int color, std::uint64_t now) {
  begin_stepping(v, r, place, color, now);
  r.look_again(place);
  wait_in_router<L>(v, r, place, color, now);
}

/// Lanes in which the filter lets the delayed wavelet in the strip's router through, which has not
/// been counted.
WEFT_OWN Mask lets_through(const View& v, DelayLine& r, int place, int color, std::uint64_t now) {
  count_passed(v, r, place, color, now);
  return r.all & v.filters[color_at(v, r, place, color).filter].in_window;
}

/// Whether such a delayed wavelet may find the ramp full or taken in some of the lanes.
template <class L>
bool ramp_may_be_taken(const View& v, int strip, int color, Mask lanes, std::uint64_t now) {
  const StripState& s = v.strip[strip];
  Mask taken = ~ramp_room(v, v.colors[s.color_state[color]], v.core[strip]);
  for (std::uint32_t rest = s.busy & ~(1U << color); rest != 0; rest &= rest - 1)
    taken |= wants_ramp<L>(v, {strip, strip, 0}, lowest(rest), now);
  each_delay_line(v, [&](DelayLine& other, int name) {
    if (const int place = other.place(strip); name != color && other.accepted_at[place] <= now)
      taken |= lets_through(v, other, place, name, now);
  });
  return (taken & lanes) != 0;
}

/// The delayed wavelet in the strip's router goes to the cores of these lanes, which have room.
template <class L>
void let_through(const View& v, DelayLine& r, int place, int color, Mask lanes, std::uint64_t now) {
  const int strip = r.strip(place);
  send_to_core<L>(v, {strip, strip, 0}, color_at(v, r, place, color), color, lanes, 0,
                  r.payload[r.slot(place, now)].at, now);
  const auto wavelets = lines_in(*v.bundle, lanes);
  v.strip[strip].delivered += wavelets;
  v.strip[strip].filtered -= wavelets;  // they will be counted as if refused
  L::Hooks::template let_through<L>(v, strip, color, lanes, now);
  wake_core<L>(v, {strip, strip, 0}, now + v.timing.ramp);
  count_passed(v, r, place, color, now + 1);
  schedule_next_accept(v, r, place, color, now + 1);
}

/// Step 1, before that of any strip: delayed wavelets that would wait do, others go through
/// filters.
template <class L>
void deliver_to_cores(const View& v, std::uint64_t now) {
  each_delay_line(v, [&](DelayLine& r, int color) {
    r.begun = 0;
    each_arrival(r, now, [&](int stepped) {
      const ColorState& c = color_at(v, r, stepped - 1, color);
      if (room_beyond<L>(v, c, r.out, r.all) != r.all)
        keep_waiting<L>(v, r, stepped - 1, color, now);
    });
  });
  bool any = false;
  each_delay_line(v, [&](DelayLine& r, int color) {
    if (r.soonest > now) return;
    any = true;
    each_due(r.accepted_at, r.length, now, [&](int place) {
      const Mask lanes = lets_through(v, r, place, color, now);
      if (ramp_may_be_taken<L>(v, r.strip(place), color, lanes, now))
        keep_waiting<L>(v, r, place, color, now);
    });
  });
  if (!any) return;
  each_delay_line(v, [&](DelayLine& r, int color) {
    if (r.soonest > now) return;
    each_due(r.accepted_at, r.length, now, [&](int place) {
      const FilterState& f = v.filters[color_at(v, r, place, color).filter];
      let_through<L>(v, r, place, color, r.all & f.in_window, now);  // counted above
    });
    r.soonest = least_of(r.accepted_at, r.length);
  });
}

/// Notes that something of a color leaves the strip in this cycle.
WEFT_INLINE void note_left(StripState& strip, int color, std::uint64_t now) {
  if (strip.left_cycle != now) clear_departures(strip, now);
  strip.left |= 1U << color;
}

/// Step 1, after that of all strips: delayed wavelets go on by a place, or end. Returns whether
/// there were any.
template <class L>
bool move_delay_line(const View& v, DelayLine& r, int color, std::uint64_t now) {
  if (r.under_way == 0) return false;
  const int out = static_cast<int>(r.out);
  auto hops = static_cast<std::uint64_t>(r.under_way - r.begun);
  const auto take_off = [&](int place) {
    r.set(r.taken, r.slot(place, now), false);
    --r.under_way;
  };
  each_arrival(r, now, [&](int stepped) {  // as a wavelet on the link to it
    const int from = r.strip(stepped - 1), to = r.strip(stepped);
    StripState& strip = v.strip[from];
    ColorState& c = color_at(v, r, stepped - 1, color);
    note_left(strip, color, now);
    c.sent[out] = r.all;
    strip.sent[out] |= 1U << color;
    strip.link_control[out] &= ~r.all;
    if (v.data) copy(r.all, strip.link[out].at, r.payload[r.slot(stepped - 1, now)].at);
    wake_deliver<L>(v, {to, to, 0}, now);
    take_off(stepped - 1);
  });
  if (const int end = r.length - 1; !r.is_stepped(end) && r.is_at(end, now)) {
    note_left(v.strip[r.strip(end)], color, now);
    take_off(end);
    --hops;
  }
  v.strip[0].hops += hops * lines_in(*v.bundle, r.all);
  return true;
}

/// The strips of a bundle.
struct Strips {
  const View& v;
  engine::Activity& activity;

  template <class F>
  WEFT_INLINE void due(const std::uint64_t* wakes, std::uint64_t now, F f) const {
    each_due(wakes, v.rows, now, [&](int strip) { f(Place{strip, strip, 0}); });
  }
  WEFT_INLINE void did(Step step, const Place&, bool moved) {
    (step == Step::route ? activity.polled : activity.timed) = 1;
    if (moved) activity.moved = 1;
  }
};

/// Steps a cycle: a block of one.
template <class L>
engine::BlockFacts step_bundle_cycle(const View& v, std::uint64_t now) {
  engine::BlockFacts facts;
  engine::Activity& did = facts.activity;
  Strips strips{v, did};
  deliver_to_cores<L>(v, now);
  step_1<L>(v, strips, now);
  each_delay_line(v, [&](DelayLine& r, int color) {
    L::Hooks::template pass_along<L>(v, r, color, now);
    look_at_changed<L>(v, r, color, After::route, now);
    if (move_delay_line<L>(v, r, color, now)) did.moved = did.timed = 1;
  });
  step_2<L>(v, strips, now);
  if ((did.polled | did.timed) != 0) note_other(v, now);  // of wavelets, so far
  step_3<L>(v, strips, now);
  each_delay_line(v, [&](DelayLine& r, int color) {
    look_at_changed<L>(v, r, color, did.moved != 0 ? After::cores : After::idle_cores, now);
    if (r.under_way != 0) facts.next_timed = now + 1;
  });
  facts.next_polled = least_of(v.route_wake, v.rows);
  earlier(facts.next_timed, least_of(v.deliver_wake, v.rows));
  earlier(facts.next_timed, least_of(v.core_wake, v.rows));
  facts.fault = *v.bundle->fault;
  return facts;
}

}  // namespace weft::by_line
