#include <algorithm>

#include "model/lanes/neighbours.hpp"
#include "support/invariants.hpp"

namespace weft::test {
namespace {

using model::ColorState;
using model::has;
using model::kLanes;
using model::Mask;
using model::PortQueue;
using model::SwitchState;

bool opens(std::uint8_t ports, int port) { return (ports >> port & 1U) != 0; }

const ColorState* color_of(const StripCheck& check, int color) {
  const std::int32_t index = check.router().color_state[color];
  return index < 0 ? nullptr : &check.view.colors[index];
}

const PortQueue* queue_of(const StripCheck& check, const ColorState& c, int port) {
  return c.queue[port] < 0 ? nullptr : &check.view.port_queues[c.queue[port]];
}

void check_switch(StripCheck& check, const ColorState& c, const SwitchState& s, int color) {
  std::uint8_t exits = 0;
  for (int port = 0; port < kPorts; ++port) {
    const auto some = [&](const auto& ports, int lane) {
      return std::any_of(ports, ports + s.last[lane] + 1,
                         [&](const auto& position) { return opens(position[lane], port); });
    };
    check.same(
        c.rx[port],
        lanes_where(c.routed, [&](int lane) { return opens(s.rx[s.position[lane]][lane], port); }),
        "ColorState::rx", color);
    check.same(
        c.tx[port],
        lanes_where(c.routed, [&](int lane) { return opens(s.tx[s.position[lane]][lane], port); }),
        "ColorState::tx", color);
    check.same(c.opens[port], lanes_where(c.routed, [&](int lane) { return some(s.rx, lane); }),
               "ColorState::opens", color);
    if (c.opens[port] != 0) check.covers(c.ports, 1U << port, "ColorState::ports", color);
    if (port < kLinks && lanes_where(c.routed, [&](int lane) { return some(s.tx, lane); }) != 0)
      exits = static_cast<std::uint8_t>(exits | 1U << port);
  }
  check.covers(c.exits, exits, "ColorState::exits", color);
  check.within(c.torn_down, c.routed, "ColorState::torn_down", color);
}

/// An entry of a queue is there only if the one before it is.
void check_port_queue(StripCheck& check, const PortQueue& q, int color) {
  for (int k = 1; k < model::kMaxRouterDepth; ++k)
    check.within(
        q.valid[k],
        static_cast<std::uint32_t>(k) < check.view.timing.router_depth ? q.valid[k - 1] : Mask{0},
        "PortQueue::valid", color);
  if (check.view.timing.hop > 1)
    check.by(q.fresh_cycle, check.now, "PortQueue::fresh_cycle", color);
}

/// Lanes that far links lead to, and whose queue can take one more.
Mask more_room(const StripCheck& check, const PortQueue& q) {
  if (q.far == 0) return 0;
  const model::FarQueue& far = check.view.far_queues[q.far - 1];
  return lanes_where(far.lanes,
                     [&](int lane) { return far.held[lane] < check.view.timing.far_depth(); });
}

/// In these lanes it begins with the wavelets that came by far links.
void check_far_queue(StripCheck& check, const PortQueue& q, int color) {
  check.same(q.more_room, more_room(check, q), "PortQueue::more_room", color);
  if (q.far == 0) return;
  const model::FarQueue& far = check.view.far_queues[q.far - 1];
  const std::uint32_t depth = check.view.timing.router_depth;
  const auto all = [&](const auto& holds, const char* what) {
    check.same(lanes_where(far.lanes, holds), far.lanes, what, color);
  };
  all(
      [&](int lane) {
        std::uint32_t valid = 0;
        for (const Mask entry : q.valid) valid += model::has(entry, lane) ? 1U : 0U;
        return far.shown[lane] == valid;
      },
      "FarQueue::shown");
  all([&](int lane) { return far.shown[lane] == std::min(far.held[lane], depth); },
      "FarQueue::held");
}

Mask room_in(const StripCheck& check, const ColorState* c, int port) {
  const PortQueue* q = c == nullptr ? nullptr : queue_of(check, *c, port);
  if (q == nullptr) return 0;
  return c->opens[port] & (~q->valid[check.view.timing.router_depth - 1] | more_room(check, *q));
}

/// Room and contents of its queues. Returns whether a wavelet stands at an open input.
bool check_queues(StripCheck& check, const ColorState& c, int color) {
  std::uint32_t filled = 0, ports = 0;
  Mask open = 0;
  for (int port = 0; port < kPorts; ++port) {
    const PortQueue* q = queue_of(check, c, port);
    if (q != nullptr) check_port_queue(check, *q, color);
    const Mask own = room_in(check, &c, port);
    const Mask partner = c.swap[port] == 0 ? 0 : room_in(check, color_of(check, color ^ 1), port);
    check.same(c.room[port], (own & ~c.swap[port]) | (partner & c.swap[port]), "ColorState::room",
               color);
    if (q == nullptr) continue;
    ports |= 1U << port;
    check_far_queue(check, *q, color);
    if (q->valid[0] != 0) filled |= 1U << port;
    open |= q->valid[0] & c.rx[port] & ~c.torn_down;
  }
  check.equal(c.ports, ports, "ColorState::ports", color);
  check.equal(c.filled, filled, "ColorState::filled", color);
  return open != 0;
}

/// Where it leads in the core.
void check_ends(StripCheck& check, const ColorState& c, int color) {
  std::uint32_t inputs = 0;
  Mask shares = 0;
  for (int q = 0; q < kInputQueues; ++q) {
    if (c.to_queue[q] != 0) inputs |= 1U << q;
    for (int other = 0; other < kColors; ++other)
      if (const ColorState* o = color_of(check, other); o != nullptr && other != color)
        shares |= o->to_queue[q] & c.to_queue[q];
  }
  check.equal(c.inputs, inputs, "ColorState::inputs", color);
  check.same(c.shares, shares, "ColorState::shares", color);
  check.equal(c.filter >= 0 ? 1 : 0, c.filtered != 0 ? 1 : 0, "ColorState::filter", color);
  if (c.filter < 0) return;
  const model::FilterState& f = check.view.filters[c.filter];
  const Mask counts = c.filtered & ~f.range;
  check.same(
      f.in_window & counts,
      lanes_where(counts, [&](int lane) { return f.counter.at[lane] <= f.max_counter.at[lane]; }),
      "FilterState::in_window", color);
}

/// Departures in this cycle.
void check_departures(StripCheck& check) {
  const model::StripState& strip = check.router();
  if (strip.left_cycle != check.now) return;
  for (int link = 0; link < kLinks; ++link) {
    std::uint32_t sent = 0;
    for (int color = 0; color < kColors; ++color)
      if (const ColorState* c = color_of(check, color);
          c != nullptr && (strip.left >> color & 1U) != 0 && c->sent[link] != 0)
        sent |= 1U << color;
    // Of colors that left, all links are written; of those by a shortcut their own.
    check.covers(strip.left, strip.sent[link], "StripState::left", link);
    check.covers(sent, strip.sent[link], "ColorState::sent", link);
  }
}

/// Whether some program writes routes, switches or teardowns: then colors are busy in case.
bool rewrites(const fabric::State& state) {
  return std::ranges::any_of(state.code, [](const Instruction& i) {
    return i.op == Op::setroute || i.op == Op::setswitch || i.op == Op::setpos || i.op == Op::texit;
  });
}

}  // namespace

void check_routers(StripCheck& check) {
  const model::StripState& strip = check.router();
  std::uint32_t colors = 0, swaps = 0, busy = 0;
  for (int color = 0; color < kColors; ++color) {
    const ColorState* c = color_of(check, color);
    if (c == nullptr) continue;
    colors |= 1U << color;
    if (std::ranges::any_of(c->swap, [](Mask lanes) { return lanes != 0; })) swaps |= 1U << color;
    check_switch(check, *c, check.view.switches[strip.color_state[color]], color);
    if (check_queues(check, *c, color)) busy |= 1U << color;
    check_ends(check, *c, color);
  }
  check.equal(strip.colors, colors, "StripState::colors");
  check.equal(strip.swaps, swaps, "StripState::swaps");
  if (rewrites(check.state))
    check.covers(strip.busy, busy, "StripState::busy");
  else
    check.equal(strip.busy, busy, "StripState::busy");
  check_departures(check);
}

}  // namespace weft::test
