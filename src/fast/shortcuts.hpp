#pragma once

#include "fast/straight.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/router/deliver.hpp"
#include "model/router/links.hpp"
#include "model/wakes.hpp"

/// Steps 1 and 2 of a strip, each with a shortcut for most of their work: one color, whose
/// wavelets come by one side and leave by the other. A shortcut decides as `route` and `deliver`
/// would; they take all that is not so plain. One thread steps the strips of a row: a link to the
/// east or west is read and written in the same phase. The switch is Accelerations::shortcuts.
namespace weft::fast {

/// f(link), which is a constant there.
template <class F>
WEFT_INLINE auto with_link(Port link, F f) {
  switch (link) {
    case Port::west:
      return f(std::integral_constant<Port, Port::west>{});
    case Port::east:
      return f(std::integral_constant<Port, Port::east>{});
    case Port::south:
      return f(std::integral_constant<Port, Port::south>{});
    default:
      return f(std::integral_constant<Port, Port::north>{});
  }
}

/// The link by which a color leaves, if all its wavelets came by the opposite one and there is no
/// other link to leave by; else Port::ramp.
WEFT_INLINE Port through(const ColorState& c) {
  constexpr auto from_to = [](Port in, Port out) {
    return 1U << static_cast<unsigned>(in) << 8U | 1U << static_cast<unsigned>(out);
  };
  switch (static_cast<unsigned>(c.filled) << 8U | c.exits) {
    case from_to(Port::west, Port::east):
      return Port::east;
    case from_to(Port::east, Port::west):
      return Port::west;
    case from_to(Port::north, Port::south):
      return Port::south;
    case from_to(Port::south, Port::north):
      return Port::north;
    default:
      return Port::ramp;
  }
}

/// Finds the way of the strip's only busy color, if it has one.
WEFT_INLINE bool find_way(const View& v, StripState& strip) {
  if (!single(strip.busy)) return false;
  const std::int32_t color = strip.color_state[lowest(strip.busy)];
  const ColorState& c = v.colors[color];
  const Port link = through(c);
  if (link == Port::ramp) return false;
  const int in = static_cast<int>(opposite(link)), out = static_cast<int>(link);
  strip.way = {
      .color_bit = strip.busy,
      .color = color,
      .queue = c.queue[in],
      .downstream = c.beyond[out],
      .upstream = c.beyond[in],
      .link = link,
      .keeps_room = c.ports == 1U << in && v.timing.router_depth > 1,
      .plain = straight_lanes(c, in, out),
  };
  return true;
}

/// Step 1 of a strip whose only busy color has a way, by the link. False, and nothing is done,
/// unless all that its queue holds leaves, and nothing else.
template <class L, Port link>
WEFT_INLINE bool route_straight(const View& v, const Place& at, StripState& strip,
                                std::uint64_t now) {
  using Shape = typename L::Shape;
  constexpr int n = static_cast<int>(link), port = static_cast<int>(opposite(link));
  const Shortcut& way = strip.way;
  ColorState& c = v.colors[way.color];
  PortQueue& q = v.port_queues[way.queue];
  const Mask go = q.valid[0];
  const Mask room_there = way.downstream < 0 ? Mask{0} : v.colors[way.downstream].room[port];
  const Mask ready = way.plain & neighbours<link, Shape>(c.room[port], room_there) & ~q.control[0];
  if (go == 0 || ((go & ~ready) | q.valid[1]) != 0) return false;
  if (!way.keeps_room && c.filled != 1U << port) return false;  // another queue of it may hold some
  if (v.data) copy(widened(go, 0), strip.link[n].at, q.payload[0].at);
  clear_departures(strip, now);
  strip.straight = true;
  note_sent(strip, c, way.color_bit, n, go);
  L::Hooks::template passes<L>(v, at, lowest(way.color_bit), n, 0, 0, go, now);
  q.valid[0] = 0;
  wake_now(v.deliver_wake[at.index], now);
  wake_beyond<L, link>(v, at, go, now);
  return true;
}

/// Whether something may come from the rows beside a row, in this cycle.
struct RowsBeside {
  bool north, south;
};

/// Whether something left the rows beside a strip's in this cycle.
WEFT_INLINE RowsBeside rows_beside(const View& v, int row, std::uint64_t now) {
  return {row > 0 && v.left_row[row - 1] == now, row + 1 < v.rows && v.left_row[row + 1] == now};
}

/// Step 2 of a strip that one color has left by route_straight. Nothing is done if anything else
/// comes than this color from the opposite side.
template <class L, Port link>
WEFT_INLINE Done deliver_straight(const View& v, const Place& at, RowsBeside rows,
                                  StripState& strip, std::uint64_t now) {
  using Shape = typename L::Shape;
  constexpr Port side = opposite(link);
  constexpr int n = static_cast<int>(link);
  const Shortcut& way = strip.way;
  std::uint32_t wanted = 0, unwanted = 0;  // colors
  const StripState* other = &strip;        // from where nothing comes
  const auto look = [&](Port to, bool there, int away) {
    if (!there || (&strip + away)->left_cycle != now) return;
    const std::uint32_t sent = (&strip + away)->sent[static_cast<int>(opposite(to))];
    if (to == side) {
      wanted = sent;
      other = &strip + away;
    } else {
      unwanted |= sent;
    }
  };
  look(Port::west, at.column > 0, -1);
  look(Port::east, at.column + 1 < v.strips, 1);
  look(Port::south, rows.south, v.strips);
  look(Port::north, rows.north, -v.strips);
  if ((unwanted | (wanted & ~way.color_bit)) != 0) return Done::no;

  const bool comes = wanted != 0 && way.upstream >= 0;
  const Mask from_there = comes ? v.colors[way.upstream].sent[n] : Mask{0};
  const Mask in = neighbours<side, Shape>(v.colors[way.color].sent[n], from_there);
  const Mask control = in & neighbours<side, Shape>(strip.link_control[n], other->link_control[n]);
  if (!v.data && control != 0) return Done::no;
  PortQueue& q = v.port_queues[way.queue];
  q.valid[0] = in;  // which was empty
  q.control[0] = (q.control[0] & ~in) | control;
  if (v.data)
    copy_from<side, Shape>(widened(in, 0), q.payload[0].at, strip.link[n].at, other->link[n].at);
  // Where more has come that can go on, the color is busy as before, and its room the same.
  if (!way.keeps_room || (in & way.plain) == 0) {
    publish_room(v, strip, lowest(way.color_bit));
    L::Hooks::published(strip, 0, way.color_bit, now);
  }
  v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;
  v.deliver_wake[at.index] = kNever;
  return in != 0 ? Done::moved : Done::idle;
}

/// The hooks `Base`, with this acceleration.
template <class Base>
struct Shortcuts : Base {
  template <class L>
  WEFT_INLINE static Done route(const View& v, const Place& at, std::uint64_t now) {
    static_assert(L::kRowWakes);  // one thread steps a row
    StripState& strip = v.strip[at.index];
    if (!v.fast.shortcuts || strip.busy == 0 || !leaves_at_once(v, now)) return Done::no;
    const auto go_by = [&](auto link) { return route_straight<L, link()>(v, at, strip, now); };
    return (strip.busy == strip.way.color_bit || find_way(v, strip)) &&
                   with_link(strip.way.link, go_by)
               ? Done::moved
               : Done::no;
  }
  template <class L>
  WEFT_INLINE static Done deliver(const View& v, const Place& at, std::uint64_t now) {
    StripState& strip = v.strip[at.index];
    if (strip.left_cycle != now || !strip.straight || (strip.outputs_held | strip.swaps) != 0)
      return Done::no;
    const RowsBeside rows = rows_beside(v, at.row, now);
    const auto take_from = [&](auto link) {
      return deliver_straight<L, link()>(v, at, rows, strip, now);
    };
    return with_link(strip.way.link, take_from);
  }
  template <class L>
  WEFT_INLINE static Done route_color(const View& v, const Place& at, StripState& strip,
                                      ColorState& c, int color, Mask among, Taken& taken,
                                      std::uint64_t now) {
    const Straight s = v.fast.shortcuts ? find_straight(v, c, among, now) : Straight{};
    if (s.heads == 0) return Done::no;
    return pass_straight<L>(v, at, strip, c, color, s, taken, now) ? Done::moved : Done::idle;
  }
  WEFT_INLINE static void router_changed(StripState& strip) { strip.way.color_bit = 0; }
  WEFT_INLINE static void left_row(const View& v, int row, std::uint64_t now) {
    v.left_row[row] = now;
  }
};

}  // namespace weft::fast
