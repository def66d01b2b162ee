#pragma once

#include "model/deliver.hpp"
#include "model/links.hpp"
#include "model/router.hpp"
#include "model/turned_queue.hpp"

/// Steps 1 and 2 of a strip, each with a short way for what is most of their work: one color, whose
/// wavelets come by one side and leave by the other. What is decided there is what `route` and
/// `deliver` would decide; they take all that is not so plain. One thread steps the strips of a
/// row: a link to the east or west is read and written in the same phase.
namespace weft::model {

/// The link by which a color leaves, if all its wavelets came by the opposite one and there is no
/// other link to leave by; else Port::ramp.
WEFT_HD Port through(const ColorState& c) {
  constexpr auto way = [](Port in, Port out) {
    return 1U << static_cast<unsigned>(in) << 8U | 1U << static_cast<unsigned>(out);
  };
  switch (static_cast<unsigned>(c.filled) << 8U | c.exits) {
    case way(Port::west, Port::east):
      return Port::east;
    case way(Port::east, Port::west):
      return Port::west;
    case way(Port::north, Port::south):
      return Port::south;
    case way(Port::south, Port::north):
      return Port::north;
    default:
      return Port::ramp;
  }
}

/// Step 1 of a strip in which one color has wavelets, and goes by the link. False, and nothing is
/// done, unless all that its queue holds leaves, and nothing else.
template <class L, Port link>
WEFT_HD bool route_straight(const View& v, const Place& at, StripState& strip, ColorState& c,
                            std::uint32_t color_bit, std::uint64_t now) {
  using Shape = typename L::Shape;
  constexpr int n = static_cast<int>(link), port = static_cast<int>(opposite(link));
  const std::int32_t queue = c.queue[port];
  PortQueue& q = v.port_queues[queue];
  const std::int32_t beyond = c.beyond[n];
  const Mask room_there = beyond < 0 ? Mask{0} : color_beside<L>(v, beyond).room[port];
  const Mask room = neighbours<link, Shape>(c.room[port], room_there);
  const Mask go = straight_heads(c, q, port, n, room);
  if (go == 0 || ((q.valid[0] ^ go) | q.valid[1]) != 0) return false;
  if (v.data) {
    if constexpr (turns(link)) {
      if (strip.turned_by != 0 && strip.turned_queue != queue) return false;
      strip.turned_queue = queue;
      copy_column(strip.link[n].at + kLastColumn<link>,
                  q.payload[0].at + place_of_last<link>(strip));
    } else {
      L::copy(go, strip.link[n].at, q.payload[0].at);
    }
  }
  none_left(strip, now);
  strip.straight = n + 1;
  note_sent(strip, c, color_bit, n, go, now);
  q.valid[0] = 0;
  L::publish(v.deliver_wake[at.index], now);
  wake_beyond<L, link>(v, at, go, now);
  return true;
}

/// Step 1 of a strip.
template <class L>
WEFT_HD bool route_strip(const View& v, const Place& at, std::uint64_t now) {
  if constexpr (L::kShortWays) {
    static_assert(L::kRowWakes);  // one thread steps a row
    StripState& strip = v.strip[at.index];
    if (const std::uint32_t busy = strip.busy; single(busy) && v.timing.hop == 1) {
      ColorState& c = v.colors[strip.color_state[lowest(busy)]];
      const auto go_by = [&](auto link) {
        return route_straight<L, link()>(v, at, strip, c, busy, now);
      };
      if (const Port link = through(c); link != Port::ramp && with_link(link, go_by)) return true;
    }
    turn_back(v, strip);
  }
  const Place place = at;  // so that `at` itself need not be in memory
  return route<L>(v, place, now);
}

/// What deliver_straight did.
enum class Delivered : std::uint8_t { not_yet, none, some };

/// Step 2 of a strip that one color has left by route_straight. Nothing is done if anything else
/// comes than this color from the opposite side.
template <class L, Port link>
WEFT_HD Delivered deliver_straight(const View& v, const Place& at, StripState& strip, ColorState& c,
                                   std::uint32_t color_bit, std::uint64_t now) {
  using Shape = typename L::Shape;
  constexpr Port side = opposite(link);
  constexpr int n = static_cast<int>(link), port = static_cast<int>(side);
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
  look(Port::south, at.row + 1 < v.rows, v.strips);
  look(Port::north, at.row > 0, -v.strips);
  if ((unwanted | (wanted & ~color_bit)) != 0) return Delivered::not_yet;

  Mask from_there = 0;
  if (wanted != 0 && c.beyond[port] >= 0)
    from_there = sent_by(color_beside<L>(v, c.beyond[port]), link, now);
  const Mask in = neighbours<side, Shape>(c.sent[n], from_there);
  const Mask control = in & neighbours<side, Shape>(strip.link_control[n], other->link_control[n]);
  if (!v.data && control != 0) return Delivered::not_yet;
  PortQueue& q = v.port_queues[c.queue[port]];
  q.valid[0] = in;  // which was empty
  q.control[0] = (q.control[0] & ~in) | control;
  if (v.data) {
    if constexpr (turns(link)) {
      copy_column(q.payload[0].at + place_of_last<link>(strip),
                  other->link[n].at + kLastColumn<link>);
      turn_on<link>(strip);
    } else {
      L::template copy_from<side, Shape>(in, q.payload[0].at, strip.link[n].at, other->link[n].at);
    }
  }
  if (c.ports == 1U << port) {  // as publish_room, of one
    c.room[port] = v.timing.router_depth > 1 ? c.opens[port] : c.opens[port] & ~in;
    c.filled = in != 0 ? std::uint8_t{1U << port} : std::uint8_t{0};
    strip.busy =
        (in & c.rx[port] & ~c.held) != 0 ? strip.busy | color_bit : strip.busy & ~color_bit;
  } else {
    publish_room(v, strip, lowest(color_bit));
  }
  v.route_wake[at.index] = strip.busy != 0 ? now + 1 : kNever;
  v.deliver_wake[at.index] = kNever;
  return in != 0 ? Delivered::some : Delivered::none;
}

/// What a color left in its queue, as it left by route_straight, goes to the link, as all else did.
template <class L>
WEFT_HD void put_on_link(const View& v, StripState& strip, const ColorState& c, Port link) {
  const int n = static_cast<int>(link), in = static_cast<int>(opposite(link));
  turn_back(v, strip);
  if (turns(link) && v.data)
    L::copy(c.sent[n], strip.link[n].at, v.port_queues[c.queue[in]].payload[0].at);
}

/// Step 2 of a strip.
template <class L>
WEFT_HD bool deliver_strip(const View& v, const Place& at, std::uint64_t now) {
  if constexpr (L::kShortWays) {
    StripState& strip = v.strip[at.index];
    if (strip.left_cycle == now && strip.straight != 0) {
      const auto link = static_cast<Port>(strip.straight - 1);
      ColorState& c = v.colors[strip.color_state[lowest(strip.left)]];
      const auto take_from = [&](auto way) {
        return deliver_straight<L, way()>(v, at, strip, c, strip.left, now);
      };
      if ((strip.outputs_held | strip.swaps) == 0)
        if (const Delivered did = with_link(link, take_from); did != Delivered::not_yet)
          return did == Delivered::some;
      put_on_link<L>(v, strip, c, link);
    } else {
      turn_back(v, strip);
    }
  }
  const Place place = at;  // so that `at` itself need not be in memory
  return deliver<L>(v, place, now);
}

}  // namespace weft::model
