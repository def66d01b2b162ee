#pragma once

#include <utility>

#include "by_line/delay_lines.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/queues.hpp"
#include "model/router/rest.hpp"
#include "model/router/room.hpp"
#include "model/wakes.hpp"

/// Where wavelets enter a delay line, and leave it (delay_lines.hpp).
namespace weft::by_line {

/// f(delay line, color) for the colors that have one.
template <class F>
void each_delay_line(const View& v, F f) {
  for (std::uint32_t rest = v.bundle->delayed_colors; rest != 0; rest &= rest - 1)
    f(v.bundle->delay_lines[lowest(rest)], lowest(rest));
}

/// The cycle, not before `cycle`, in which the n-th of the delayed wavelets under way comes to the
/// place, the nearest being number 0; kNever: there are fewer.
WEFT_INLINE std::uint64_t comes_at(const DelayLine& r, int place, std::uint64_t n,
                                   std::uint64_t cycle) {
  std::uint64_t comes = kNever;
  down_the_slots(r, r.stepped_before[place] + 1, place, cycle, [&](Mask part, int lowest_place) {
    const auto here = static_cast<std::uint64_t>(count(part));
    if (n >= here) {
      n -= here;
      return false;
    }
    for (n = here - 1 - n; n > 0; --n) part &= part - 1;
    comes = cycle + static_cast<std::uint64_t>(place - lowest_place - lowest(part));
    return true;
  });
  return comes;
}

/// Wavelets that filters refuse before one of them lets one through in its lane.
WEFT_INLINE std::uint64_t refused(const FilterState& f, Mask lanes) {
  if ((f.in_window & lanes) != 0) return 0;
  std::uint32_t least = ~std::uint32_t{0};
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t left =
        has(lanes, lane) ? f.limit1.at[lane] - f.counter.at[lane] : ~std::uint32_t{0};
    least = left < least ? left : least;
  }
  return std::uint64_t{least} + 1;
}

/// Some counter is past its limit.
WEFT_INLINE bool past_limit(const FilterState& f, Mask lanes) {
  bool past = false;
  for (int lane = 0; lane < kLanes; ++lane)
    past |= has(lanes, lane) && f.counter.at[lane] > f.limit1.at[lane];
  return past;
}

/// Whether a strip's routers pass delayed wavelets on, in all lanes, and its filters count them.
template <class L>
bool passes_on(const View& v, const DelayLine& r, int place, int color) {
  const int strip = r.strip(place);
  const std::int32_t index = v.strip[strip].color_state[color];
  if (place == 0 || index < 0 || v.bundle->stopped[strip] != kNever) return false;
  const ColorState& c = v.colors[index];
  const int in = static_cast<int>(r.in), out = static_cast<int>(r.out),
            ramp = static_cast<int>(Port::ramp);
  if ((c.torn_down & r.all) != 0) return false;
  for (int port = 0; port < kPorts; ++port) {
    if (c.rx[port] != (port == in ? r.all : 0)) return false;
    if (port != out && port != ramp && c.tx[port] != 0) return false;
  }
  const bool last = place == r.length - 1;  // wavelets end there
  if (c.tx[out] != (last ? 0 : r.all)) return false;
  if (!last && v.links_rest && may_rest<L>(v, {strip, strip, 0}, r.out) != 0) return false;
  if (c.tx[ramp] == 0) return !last;
  if (c.tx[ramp] != r.all || c.filtered != r.all || (c.shares & r.all) != 0) return false;
  const FilterState& f = v.filters[c.filter];
  if (((f.range | f.sparse | f.filter_control | ~f.count_data) & r.all) != 0) return false;
  return !past_limit(f, r.all);
}

/// Finds the next delayed wavelet that a strip's filter lets through. Its counter stands at
/// `counted`.
WEFT_OWN void schedule_next_accept(const View& v, DelayLine& r, int place, int color,
                                   std::uint64_t cycle) {
  const ColorState& c = color_at(v, r, place, color);
  if (c.tx[static_cast<int>(Port::ramp)] == 0) {
    r.next_accepted[place] = r.accepted_at[place] = kNever;
    return;
  }
  const std::uint64_t before = refused(v.filters[c.filter], r.all);
  r.next_accepted[place] = r.next_uncounted[place] + before;
  r.accepted_at[place] = comes_at(r, place, before, cycle);
  earlier(r.soonest, r.accepted_at[place]);
}

/// Strips from place `first` to before `end` know that a delayed wavelet passes them, which would
/// be at place 0 in cycle `start`; if not before `cycle`, then at its earliest in that before it.
WEFT_OWN void note_pass(const View& v, const DelayLine& r, int first, int end, std::uint64_t start,
                        std::uint64_t cycle = kNever) {
  for (int place = first; place < end; ++place) {
    const std::uint64_t after = start + static_cast<std::uint64_t>(place) + 1;
    const std::uint64_t passed = after < cycle ? after : cycle;
    std::uint64_t& known = v.bundle->stepped_until[r.strip(place)];
    if (known < passed) known = passed;
  }
}

/// As note_pass, of the last wavelet that entered at this stepped strip, for the strips up to the
/// next one.
WEFT_OWN void note_passed(const View& v, const DelayLine& r, int stepped, std::uint64_t cycle) {
  if (r.last_start[stepped] == 0) return;
  const std::uint64_t start = r.last_start[stepped] - 1 - static_cast<std::uint64_t>(stepped);
  note_pass(v, r, stepped + 1, r.stepped_after[stepped], start, cycle);
}

/// Between two cycles, the later being `cycle`, or step 1 of the former and what follows: a strip
/// is stepped from now on.
WEFT_OWN void begin_stepping(const View& v, DelayLine& r, int place, int color,
                             std::uint64_t cycle) {
  const int stepped = r.stepped_before[place], end = r.stepped_after[stepped];
  count_passed(v, r, place, color, cycle);
  note_passed(v, r, stepped, cycle);
  r.next_accepted[place] = r.accepted_at[place] = kNever;
  r.next_entry[place] = next_number(r, place, cycle);
  const std::uint64_t last = r.last_start[stepped] + static_cast<std::uint64_t>(place - stepped);
  r.last_start[place] = r.last_start[stepped] == 0 ? 0 : (last < cycle ? last : cycle);
  r.stepped_after[place] = end;
  r.stepped_after[stepped] = place;
  r.set(r.stepped, place, true);
  for (int beyond = place + 1; beyond < end; ++beyond) {
    r.stepped_before[beyond] = place;
    if (r.next_accepted[beyond] >= r.next_entry[place])
      r.accepted_at[beyond] = kNever;  // it ends here first
  }
  if (end < r.length) r.stepped_before[end] = place;
}

/// As begin_stepping: a stepped strip, in which no wavelet is, lets delayed wavelets pass from now
/// on. Those that come to it have numbers of the stepped strip before it, and from now on so have
/// those beyond it.
WEFT_OWN void end_stepping(const View& v, DelayLine& r, int place, int color, std::uint64_t cycle) {
  const int stepped = r.stepped_before[place], end = r.stepped_after[place];
  note_passed(v, r, place, kNever);
  const std::uint64_t number = next_number(r, place, cycle), more = number - r.next_entry[place];
  r.stepped_after[stepped] = end;
  r.set(r.stepped, place, false);
  // The cycles in which delayed wavelets that come to the stepped strip would be at place 0.
  std::uint64_t coming = 0;
  down_the_slots(r, stepped + 1, place, cycle, [&](Mask part, int lowest_place) {
    for (; part != 0; part &= ~lane_bit(highest(part)))
      r.coming[coming++] = cycle - static_cast<std::uint64_t>(lowest_place + highest(part));
    return false;
  });
  if (coming > 0) note_pass(v, r, place, end, r.coming[coming - 1]);
  for (int beyond = place + 1; beyond < end; ++beyond) {
    r.stepped_before[beyond] = stepped;
    if (r.next_accepted[beyond] == kNever) continue;
    r.next_accepted[beyond] += more;
    r.next_uncounted[beyond] += more;
    const std::uint64_t n = r.next_accepted[beyond] - number;
    if (n >= coming) continue;
    r.accepted_at[beyond] = r.coming[n] + static_cast<std::uint64_t>(beyond);
    earlier(r.soonest, r.accepted_at[beyond]);
  }
  if (end < r.length) r.stepped_before[end] = stepped;
  r.next_uncounted[place] = number;
  schedule_next_accept(v, r, place, color, cycle);
}

/// Before step 1 of the cycle: the delayed wavelet at a new stepped strip, if there is one, waits
/// in the router's queue.
template <class L>
void wait_in_router(const View& v, DelayLine& r, int place, int color, std::uint64_t cycle) {
  if (!r.is_at(place, cycle)) return;
  const int slot = r.slot(place, cycle), strip = r.strip(place);
  r.set(r.taken, slot, false);
  --r.under_way;
  PortQueue& q = v.port_queues[color_at(v, r, place, color).queue[static_cast<int>(r.in)]];
  push(v, q, r.all, 0, [&](Mask lanes, std::uint32_t* d) { copy(lanes, d, r.payload[slot].at); });
  publish_room(v, v.strip[strip], color);
  wake_route<L>(v, {strip, strip, 0}, cycle);
}

/// The contrary, after a cycle's step 3: a wavelet that waits alone in a stepped strip's router
/// enters the delay line. Returns whether nothing is left in the router.
WEFT_OWN bool rejoin(const View& v, DelayLine& r, int place, int color, std::uint64_t cycle) {
  const int strip = r.strip(place);
  PortQueue& q = v.port_queues[color_at(v, r, place, color).queue[static_cast<int>(r.in)]];
  if (q.valid[0] == 0) return true;
  if (q.valid[0] != r.all || q.valid[1] != 0 || (q.control[0] & r.all) != 0) return false;
  const int slot = r.slot(place, cycle);
  r.set(r.taken, slot, true);
  ++r.under_way;
  r.last_start[place] = cycle + 1;
  if (v.bundle->stepped_until[strip] <= cycle) v.bundle->stepped_until[strip] = cycle + 1;
  if (v.data) copy(r.all, r.payload[slot].at, q.payload[0].at);
  pop(v, q, r.all);
  publish_room(v, v.strip[strip], color);
  if (v.strip[strip].busy == 0) v.route_wake[strip] = kNever;
  return true;
}

/// When parts of a cycle end; after the cores, whether something has moved in it.
enum class After : std::uint8_t { route, idle_cores, cores };

/// A stepped strip of which something has changed.
template <class L>
void look_at_stepped(const View& v, DelayLine& r, int place, int color, After after,
                     std::uint64_t now) {
  if (!passes_on<L>(v, r, place, color)) return;
  // A wavelet that had to wait when nothing moved has to wait still.
  if (after == After::cores && now + 1 >= r.past_until && rejoin(v, r, place, color, now + 1))
    return end_stepping(v, r, place, color, now + 1);
  r.look_again(place);
}

/// As look_at_stepped, of a strip that passes wavelets on.
template <class L>
void look_at_passing(const View& v, DelayLine& r, int place, int color, After after,
                     std::uint64_t now) {
  const int strip = r.strip(place);
  const bool passes = passes_on<L>(v, r, place, color);
  const std::int32_t queue = color_at(v, r, place, color).queue[static_cast<int>(r.in)];
  if (passes && (after != After::route || v.port_queues[queue].valid[0] == 0)) {
    count_passed(v, r, place, color, now + 1);
    r.next_uncounted[place] = next_number(r, place, now + 1);
    return schedule_next_accept(v, r, place, color, now + 1);
  }
  if (v.bundle->stopped[strip] != kNever && (r.is_at(place, now + 1) || r.is_at(place, now)))
    give_up(v, now);  // it was to have nothing to do in this cycle
  begin_stepping(v, r, place, color, now + 1);
  r.look_again(place);
  if (after != After::route) wait_in_router<L>(v, r, place, color, now + 1);
}

/// Looks again at the strips of which something has changed.
template <class L>
void look_at_changed(const View& v, DelayLine& r, int color, After after, std::uint64_t now) {
  if (!r.any_changed) return;
  r.any_changed = false;
  for (int word = 0; word * 64 < r.length; ++word)
    for (Mask rest = std::exchange(r.changed[word], 0); rest != 0; rest &= rest - 1) {
      const int place = word * 64 + lowest(rest);
      if (r.is_stepped(place))
        look_at_stepped<L>(v, r, place, color, after, now);
      else
        look_at_passing<L>(v, r, place, color, after, now);
    }
}

}  // namespace weft::by_line
