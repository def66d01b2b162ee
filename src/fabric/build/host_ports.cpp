#include "fabric/build/host_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/names.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

/// The ports that some position of a route opens, a bit each.
unsigned ever_opened(const Route& route, SwitchPosition::Side side) {
  unsigned ports = side == SwitchPosition::Side::rx ? route.rx.bits() : route.tx.bits();
  for (const SwitchPosition& p : route.positions)
    if (p.side == side) ports |= 1U << static_cast<unsigned>(p.port);
  return ports;
}

bool swaps(const Route& route, Port port) {
  return port == Port::north || port == Port::south ? route.swap_north_south : route.swap_east_west;
}

const Route* route_of(const Layout& layout, int x, int y, int color) {
  for (const Layout::Routing& r : layout.routings())
    if (r.color == color && x >= r.where.x && x < r.where.x + r.where.width && y >= r.where.y &&
        y < r.where.y + r.where.height)
      return &r.route;
  return nullptr;
}

/// The route that what comes from the host takes: that of another color where colors are swapped.
const Route* route_from_host(const Layout& layout, int x, int y, const Layout::HostStream& s) {
  const Route* route = route_of(layout, x, y, s.color);
  return route != nullptr && swaps(*route, s.edge) ? route_of(layout, x, y, s.color ^ 1) : route;
}

void check_port(const Layout& layout, int x, int y, const Layout::HostStream& s) {
  const Route* route = s.input ? route_from_host(layout, x, y, s) : route_of(layout, x, y, s.color);
  const auto side = s.input ? SwitchPosition::Side::rx : SwitchPosition::Side::tx;
  if (route != nullptr && (ever_opened(*route, side) >> static_cast<unsigned>(s.edge) & 1U) != 0)
    return;
  const char* port = port_name(static_cast<int>(s.edge));
  throw Error(ErrorCategory::layout,
              fmt::format("host stream {} has no route at PE ({}, {})", s.name, x, y),
              s.input
                  ? fmt::format("no position of color {} there receives from the {}", s.color, port)
                  : fmt::format("no position of color {} there sends to the {}", s.color, port),
              fmt::format("give the color a route there with this port among its {}",
                          s.input ? "inputs (rx)" : "outputs (tx)"));
}

template <class F>
void for_each_pe(const Rect& r, F f) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) f(x, y);
}

bool has_stream(const Layout& layout, Port edge) {
  return std::ranges::any_of(layout.host_streams(),
                             [&](const Layout::HostStream& s) { return s.edge == edge; });
}

}  // namespace

Surroundings surroundings_of(const Layout& layout) {
  return {.west = has_stream(layout, Port::west) ? model::kStripWidth : 0,
          .north = has_stream(layout, Port::north) ? model::kStripHeight : 0,
          .east = has_stream(layout, Port::east) ? 1 : 0,
          .south = has_stream(layout, Port::south) ? 1 : 0};
}

Rect beyond(Rect where, Port edge) {
  where.x += edge == Port::east ? 1 : edge == Port::west ? -1 : 0;
  where.y += edge == Port::south ? 1 : edge == Port::north ? -1 : 0;
  return where;
}

void check_host_streams(const Layout& layout) {
  for (const Layout::HostStream& s : layout.host_streams())
    for_each_pe(s.where, [&](int x, int y) { check_port(layout, x, y, s); });
}

void add_host_ports(State& s, const Layout& layout) {
  if (layout.host_streams().empty()) return;
  std::map<std::tuple<int, int, Port>, engine::HostPort> ports;
  for (const Layout::HostStream& stream : layout.host_streams())
    for_each_pe(stream.where, [&](int x, int y) {
      const Rect there = beyond({x, y, 1, 1}, stream.edge);
      const model::LaneAddress host = s.address_of(there.x, there.y), pe = s.address_of(x, y);
      engine::HostPort& port = ports[{host.strip, host.lane, stream.edge}];
      port.x = x;
      port.y = y;
      port.edge = stream.edge;
      port.strip = host.strip;
      port.lane = host.lane;
      port.pe_strip = pe.strip;
      port.pe_lane = pe.lane;
      port.pe_row = pe.strip / s.strips;
      engine::HostWords words{.color = stream.color};
      if (stream.limit) words.limit = *stream.limit;
      (stream.input ? port.input : port.output).push_back(std::move(words));
    });
  const auto rows = static_cast<std::size_t>(s.rows);
  s.host.first.assign(rows + 1, 0);
  for (auto& [at, port] : ports) {
    std::ranges::sort(port.input, {}, &engine::HostWords::color);
    std::ranges::sort(port.output, {}, &engine::HostWords::color);
    s.host.port.push_back(std::move(port));
    ++s.host.first[static_cast<std::size_t>(s.host.port.back().strip / s.strips) + 1];
  }
  for (std::size_t row = 0; row < rows; ++row) s.host.first[row + 1] += s.host.first[row];
  for (auto* wake : {&s.host.input_wake, &s.host.input_timed, &s.host.output_timed})
    wake->assign(rows, model::kNever);
}

}  // namespace weft::fabric
