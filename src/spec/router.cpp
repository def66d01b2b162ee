#include "spec/router.hpp"

#include <algorithm>

#include "spec/control.hpp"

namespace weft::spec {

std::vector<Ports> fold(const Route& route) {
  std::vector<Ports> positions{{route.rx, route.tx}};
  for (const SwitchPosition& named : route.positions) {
    Ports next = positions.back();
    (named.side == SwitchPosition::Side::rx ? next.rx : next.tx) = PortSet(named.port);
    positions.push_back(next);
  }
  return positions;
}

Channel::Channel(const Route& route_)
    : route(route_),
      positions(fold(route_)),
      position(route_.initial),
      torn_down(route_.teardown) {}

bool Channel::has_queue(Port port) const {
  return std::ranges::any_of(positions, [port](const Ports& ports) { return ports.rx.has(port); });
}

bool Channel::swaps(Port port) const {
  switch (port) {
    case Port::north:
    case Port::south:
      return route.swap_north_south;
    case Port::east:
    case Port::west:
      return route.swap_east_west;
    case Port::ramp:
      return route.swap_north_south && route.swap_east_west;
  }
  return false;
}

std::vector<int> Channel::offers(std::uint64_t cycle) const {
  std::vector<int> ports;
  if (torn_down) return ports;
  for (int port = 0; port < kPorts; ++port) {
    const Queue& q = queue[static_cast<std::size_t>(port)];
    if (now().rx.has(static_cast<Port>(port)) && !q.empty() && q.front().ready <= cycle)
      ports.push_back(port);
  }
  return ports;
}

bool Channel::obey(std::uint32_t payload) {
  const int last = static_cast<int>(positions.size()) - 1;
  switch (slot(payload, 0).command) {
    case Command::advance:
      if (position < last) {
        ++position;
        return true;
      }
      if (route.ring && last > 0) {
        position = 0;
        return true;
      }
      return false;
    case Command::reset:
      position = std::min(route.initial, last);
      return false;
    case Command::nop:
    case Command::teardown:
      return false;
  }
  return false;
}

std::uint32_t Channel::onward(std::uint32_t payload, bool advanced) const {
  const bool nop = slot(payload, 0).command == Command::nop;
  switch (route.pop) {
    case PopMode::no_pop:
      return payload;
    case PopMode::always_pop:
      return without_first(payload);
    case PopMode::pop_on_advance:
      return advanced ? without_first(payload) : payload;
    case PopMode::pop_on_advance_nop:
      return advanced || nop ? without_first(payload) : payload;
  }
  return payload;
}

bool Channel::set_position(std::uint32_t value) {
  if (value >= positions.size()) return false;
  position = static_cast<int>(value);
  return true;
}

namespace {

/// The set of five bits: W, E, S, N, RAMP.
PortSet port_set(std::uint32_t bits) {
  std::optional<Port> any;
  for (int port = 0; port < kPorts; ++port)
    if ((bits >> port & 1U) != 0) any = static_cast<Port>(port);
  if (!any) return {};
  const auto or_any = [&](Port port) {
    return (bits >> static_cast<unsigned>(port) & 1U) != 0 ? port : *any;
  };
  return {or_any(Port::west), or_any(Port::east), or_any(Port::south), or_any(Port::north),
          or_any(Port::ramp)};
}

}  // namespace

/// Position 0: outputs in bits 0-4, inputs in bits 5-9.
bool Channel::set_route(std::uint32_t bits) {
  route.tx = port_set(bits & 31U);
  route.rx = port_set(bits >> 5U & 31U);
  positions = fold(route);
  return static_cast<std::size_t>(position) < positions.size();
}

/// Positions 1 to 3 in four bits each (direction, then 1 for an input; the first direction past
/// RAMP ends the list), ring in bit 12, the present position in bits 13-14.
bool Channel::set_switch(std::uint32_t bits) {
  route.positions.clear();
  for (unsigned n = 0; n < 3; ++n) {
    const std::uint32_t code = bits >> 4 * n & 15U;
    if ((code & 7U) >= kPorts) break;
    const auto port = static_cast<Port>(code & 7U);
    route.positions.push_back((code & 8U) != 0 ? SwitchPosition::receive(port)
                                               : SwitchPosition::send(port));
  }
  route.ring = (bits >> 12U & 1U) != 0;
  positions = fold(route);
  return set_position(bits >> 13U & 3U);
}

bool Router::can_take(int color, Port port, const Machine& machine) const {
  const auto& c = channel[static_cast<std::size_t>(color)];
  if (!c) return false;
  const auto& into = c->swaps(port) ? channel[static_cast<std::size_t>(color ^ 1)] : c;
  // Beyond a far link are also those that are still on their way.
  const auto n = static_cast<std::size_t>(port);
  const int depth = machine.router_queue_depth + (beyond_far[n] ? machine.die_link_cycles : 0);
  return into && into->has_queue(port) && into->queue[n].size() < static_cast<std::size_t>(depth);
}

void Router::begin_cycle(const Machine& machine) {
  for (int color = 0; color < kColors; ++color) {
    auto& c = channel[static_cast<std::size_t>(color)];
    if (!c) continue;
    for (int port = 0; port < kPorts; ++port)
      c->room[static_cast<std::size_t>(port)] = can_take(color, static_cast<Port>(port), machine);
  }
  for (auto& register_ : link) register_.reset();
}

void Router::take(Wavelet wavelet, Port port) {
  if (channel[static_cast<std::size_t>(wavelet.color)]->swaps(port)) wavelet.color ^= 1;
  channel[static_cast<std::size_t>(wavelet.color)]->queue[static_cast<std::size_t>(port)].push_back(
      wavelet);
}

}  // namespace weft::spec
