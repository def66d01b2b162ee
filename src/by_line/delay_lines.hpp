#pragma once

#include "by_line/bundle.hpp"
#include "model/lanes/lane_sums.hpp"
#include "model/router/room.hpp"

/// Wavelets that all lines of a bundle send alike, on their way through strips which pass them
/// straight on, are not stepped from router to router. Such a delayed wavelet stays in a slot of a
/// delay line, whose slots move by a strip a cycle. A strip is visited only where its filter lets
/// one through.
///
/// A delay line leads from one stepped strip to the next: a strip that does anything else with the
/// color's wavelets, or in which one had to wait. There delayed wavelets enter a router's queue,
/// and wavelets that leave it enter the delay line again. A strip is stepped as soon as it is no
/// longer known to pass wavelets on, until it does again (stepped_strips.hpp).
namespace weft::by_line {

/// A color of a bundle that leads one way along the lines. Places are its strips, in the order in
/// which wavelets come to them.
struct DelayLine {
  Port in, out;              ///< by which sides of a strip they come and leave
  bool south;                ///< places are numbered as strips are, else the other way round
  int length;                ///< places
  Mask all;                  ///< lanes with lines
  std::uint64_t past_until;  ///< no cycle from this one on is past for any PE

  /// Bits by place: stepped strips; strips to be looked at again, as something there has changed.
  std::uint64_t *stepped, *changed;
  bool any_changed;

  /// By place: the stepped strip before it; of stepped strips, also the next one (`length`: none).
  std::int32_t *stepped_before, *stepped_after;
  /// Of stepped strips: the number of the next wavelet to enter the delay line there, and a cycle
  /// before which all of them did, or passed the place before it was stepped (0: there were none).
  /// Wavelets that pass a strip have numbers of the stepped strip before it.
  std::uint64_t *next_entry, *last_start;

  /// By place, of strips with a filter that are not stepped (else kNever): the number of the next
  /// wavelet that it lets through in some lane; that of the first one which its counter has not
  /// counted; and the cycle in which the former comes (kNever: it is not under way).
  std::uint64_t *next_accepted, *next_uncounted, *accepted_at;
  std::uint64_t soonest;  ///< none of these cycles is earlier

  /// For end_stepping, by wavelet: the cycle in which it would be at place 0.
  std::uint64_t* coming;

  /// A wavelet keeps its slot, as its place and the cycle go on together.
  std::uint64_t* taken;  ///< bits by slot
  Vector* payload;       ///< by slot
  int slots;             ///< a power of two, at least 64 and `length`
  int under_way;         ///< wavelets in slots
  int begun;             ///< of these, that entered in this cycle

  WEFT_INLINE int strip(int place) const { return south ? place : length - 1 - place; }
  WEFT_INLINE int place(int strip) const { return south ? strip : length - 1 - strip; }
  /// The slot of what is in the place's router in step 1 of a cycle.
  WEFT_INLINE int slot(int place, std::uint64_t cycle) const {
    const auto distance = static_cast<std::uint64_t>(place) - cycle;
    return static_cast<int>(distance & static_cast<std::uint64_t>(slots - 1));
  }
  WEFT_INLINE bool is_stepped(int place) const { return has(stepped[place / 64], place % 64); }
  WEFT_INLINE bool is_at(int place, std::uint64_t cycle) const {
    return has(taken[slot(place, cycle) / 64], slot(place, cycle) % 64);
  }
  WEFT_INLINE void set(std::uint64_t* bits, int n, bool value) const {
    bits[n / 64] = value ? bits[n / 64] | lane_bit(n % 64) : bits[n / 64] & ~lane_bit(n % 64);
  }
  WEFT_INLINE void look_again(int place) {
    set(changed, place, true);
    any_changed = true;
  }
};

/// The delay line of a color, or null.
WEFT_INLINE DelayLine* delay_line_of(const View& v, int color) {
  return (v.bundle->delayed_colors >> color & 1U) != 0 ? &v.bundle->delay_lines[color] : nullptr;
}

WEFT_INLINE ColorState& color_at(const View& v, const DelayLine& r, int place, int color) {
  return v.colors[v.strip[r.strip(place)].color_state[color]];
}

/// f(slots of the delay line as a mask, the place of the lowest) for the places from `last` down to
/// `first`, a word of the delay line at a time, until f returns true.
template <class F>
WEFT_INLINE void down_the_slots(const DelayLine& r, int first, int last, std::uint64_t cycle, F f) {
  int slot = r.slot(last, cycle);
  for (int left = last - first + 1; left > 0;) {
    const int bit = slot % 64, n = bit + 1 < left ? bit + 1 : left;
    const Mask part = r.taken[slot / 64] >> (bit + 1 - n) & (n == 64 ? kAllLanes : lane_bit(n) - 1);
    if (f(part, first + left - n)) return;
    left -= n;
    slot = (slot - n) & (r.slots - 1);
  }
}

/// Delayed wavelets in the places from `first` to `last` in step 1 of the cycle.
WEFT_INLINE std::uint64_t wavelets_in(const DelayLine& r, int first, int last,
                                      std::uint64_t cycle) {
  std::uint64_t wavelets = 0;
  down_the_slots(r, first, last, cycle, [&](Mask part, int) {
    wavelets += static_cast<std::uint64_t>(count(part));
    return false;
  });
  return wavelets;
}

/// The number of the first delayed wavelet that has not passed the place before `cycle`.
WEFT_INLINE std::uint64_t next_number(const DelayLine& r, int place, std::uint64_t cycle) {
  const int stepped = r.stepped_before[place];
  return r.next_entry[stepped] - wavelets_in(r, stepped + 1, place, cycle);
}

/// The filter's counter is that of all delayed wavelets that have passed before `cycle`.
[[gnu::noinline]] WEFT_OWN void count_passed(const View& v, DelayLine& r, int place, int color,
                                             std::uint64_t cycle) {
  if (r.next_accepted[place] == kNever) return;
  const std::uint64_t number = next_number(r, place, cycle);
  const std::uint64_t more = number - r.next_uncounted[place];
  if (more == 0) return;
  r.next_uncounted[place] = number;
  FilterState& f = v.filters[color_at(v, r, place, color).filter];
  // Not further than the delayed wavelet that the first of the lanes lets through: no counter turns
  // twice.
  f.in_window = count_on(r.all, f.counter.at, f.limit1.at, f.max_counter.at,
                         static_cast<std::uint32_t>(more));
  v.strip[r.strip(place)].filtered += more * lines_in(*v.bundle, r.all);
  if (v.bundle->refused != nullptr)
    v.bundle->refused[r.strip(place)] += static_cast<std::uint32_t>(more);
}

/// Something has changed a strip's switch or filter, or stopped it.
WEFT_INLINE void look_at_delay_lines(const View& v, int strip, std::uint32_t colors) {
  for (std::uint32_t rest = v.bundle->delayed_colors & colors; rest != 0; rest &= rest - 1) {
    DelayLine& r = v.bundle->delay_lines[lowest(rest)];
    r.look_again(r.place(strip));
  }
}

/// A wavelet enters the delay line at a stepped strip.
[[gnu::noinline]] WEFT_OWN void enter(const View& v, DelayLine& r, int stepped,
                                      const std::uint32_t* payload, std::uint64_t now) {
  const std::uint64_t number = r.next_entry[stepped]++;
  const int end = r.stepped_after[stepped];
  const std::uint64_t start = now - static_cast<std::uint64_t>(stepped);
  std::uint64_t soonest = kNever;
  for (int place = stepped + 1; place < end; ++place) {
    const std::uint64_t comes = start + static_cast<std::uint64_t>(place);
    const bool stays = r.next_accepted[place] == number;
    r.accepted_at[place] = stays ? comes : r.accepted_at[place];
    const std::uint64_t candidate = stays ? comes : kNever;
    soonest = candidate < soonest ? candidate : soonest;
  }
  earlier(r.soonest, soonest);
  if (now < r.past_until)
    for (int place = stepped + 1; place < end; ++place)
      if (start + static_cast<std::uint64_t>(place) <= v.bundle->from[r.strip(place)])
        give_up(v, now);
  const int slot = r.slot(stepped, now);
  r.set(r.taken, slot, true);
  if (v.data) copy(r.all, r.payload[slot].at, payload);
  r.last_start[stepped] = now + 1;
  ++r.under_way;
  ++r.begun;
}

/// The hooks `Base`, with delay lines. The switch is Accelerations::delay_lines: without it no
/// color of a bundle has one.
template <class Base>
struct WithDelayLines : Base {
  /// The filter counts the delayed wavelets that have passed before the cycle.
  WEFT_INLINE static void before_filter(const View& v, int strip, int color, std::uint64_t cycle) {
    if (DelayLine* r = delay_line_of(v, color); r != nullptr)
      count_passed(v, *r, r->place(strip), color, cycle);
  }

  WEFT_INLINE static void written(const View& v, int strip, std::uint32_t colors) {
    look_at_delay_lines(v, strip, colors);
  }

  WEFT_INLINE static void routed(const View& v, int strip, int color, bool changed) {
    DelayLine* r = delay_line_of(v, color);
    if (r == nullptr) return;
    const int place = r->place(strip);
    const std::int32_t queue = color_at(v, *r, place, color).queue[static_cast<int>(r->in)];
    const bool waits = queue >= 0 && v.port_queues[queue].valid[0] != 0;
    if (changed || (waits && !r->is_stepped(place))) r->look_again(place);
  }

  /// They enter the delay line, if they can: all lanes at once, data, from one input of a stepped
  /// strip.
  WEFT_INLINE static int take_along(const View& v, const Place& at, int color, const Mask* from,
                                    Mask go, Mask control, std::uint64_t now) {
    DelayLine* r = delay_line_of(v, color);
    if (r == nullptr || go != r->all || control != 0) return -1;
    const int link = static_cast<int>(r->out), stepped = r->place(at.index);
    const ColorState& c = color_at(v, *r, stepped, color);
    if (c.tx[link] != go || !r->is_stepped(stepped) || r->stepped_after[stepped] <= stepped + 1)
      return -1;
    for (int port = 0; port < kPorts; ++port)
      if (from[port] == go) {
        enter(v, *r, stepped, v.port_queues[c.queue[port]].payload[0].at, now);
        return link;
      }
    return -1;
  }
};

}  // namespace weft::by_line
