#include <algorithm>

#include "differential/random_case.hpp"

/// Host streams of random fabrics: parts of edges, whose routes then open their ports.
namespace weft::test {
namespace {

/// A part of an edge.
Rect part_of(const Case& c, Port edge, Dice& dice) {
  const bool column = edge == Port::west || edge == Port::east;
  const int length = column ? c.height : c.width;
  const int first = dice.roll(0, length - 1);
  const int count = dice.roll(1, length - first);
  return {column ? (edge == Port::west ? 0 : c.width - 1) : first,
          column ? first : (edge == Port::north ? 0 : c.height - 1), column ? 1 : count,
          column ? count : 1};
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// One record for each PE.
void split_routes(Case& c) {
  std::vector<Layout::Routing> split;
  for (const Layout::Routing& r : c.routes)
    for (int y = r.where.y; y < r.where.y + r.where.height; ++y)
      for (int x = r.where.x; x < r.where.x + r.where.width; ++x)
        split.push_back({{x, y, 1, 1}, r.color, r.route});
  c.routes = std::move(split);
}

/// Opens the port of a stream at one PE, beside what the route opens or instead of it.
void open_port(Case& c, const Layout::HostStream& s, const Rect& pe, int queue, Dice& dice) {
  auto at = std::ranges::find_if(
      c.routes, [&](const Layout::Routing& r) { return r.color == s.color && r.where == pe; });
  if (at == c.routes.end())
    at = c.routes.insert(at, {pe, s.color, {.rx = Port::ramp, .tx = Port::ramp}});
  Route& route = at->route;
  route.input_queue = queue;
  PortSet& side = s.input ? route.rx : route.tx;
  side = dice.chance(60) ? PortSet(s.edge) : side | s.edge;
  if (dice.chance(70)) route.teardown = false;
  route.swap_east_west = route.swap_north_south = false;  // else another color needs the route
}

/// Takes outputs off the fabric from a route to which no stream belongs any more.
void close_edges(const Case& c, Layout::Routing& r) {
  const bool off[kLinks] = {r.where.x == 0, r.where.x + 1 == c.width, r.where.y + 1 == c.height,
                            r.where.y == 0};
  unsigned tx = r.route.tx.bits();
  for (int port = 0; port < kLinks; ++port) {
    const auto led = [&](const Layout::HostStream& s) {
      return !s.input && s.color == r.color && static_cast<int>(s.edge) == port &&
             overlap(s.where, r.where);
    };
    if (off[port] && std::ranges::none_of(c.host, led)) tx &= ~(1U << port);
  }
  r.route.tx = tx == 0 ? PortSet(Port::ramp) : port_set(tx);
}

}  // namespace

void add_host(Case& c, const Plan& plan, Dice& dice) {
  c.machine.host_link_cycles = dice.pick({1, 1, 2, 3, 7, 23, 40});
  split_routes(c);
  for (int n = dice.roll(1, 5); n > 0; --n) {
    const auto color =
        static_cast<std::size_t>(dice.roll(0, static_cast<int>(plan.colors.size()) - 1));
    const auto edge = static_cast<Port>(dice.roll(0, kLinks - 1));
    Layout::HostStream s{.name = "s" + std::to_string(c.host.size()),
                         .input = dice.chance(55),
                         .where = part_of(c, edge, dice),
                         .edge = edge,
                         .color = plan.colors[color]};
    const auto alike = [&](const Layout::HostStream& other) {
      return other.input == s.input && other.edge == s.edge && other.color == s.color &&
             overlap(other.where, s.where);
    };
    if (std::ranges::any_of(c.host, alike)) continue;
    if (!s.input && dice.chance(30)) s.limit = static_cast<std::size_t>(dice.roll(1, 6));
    for (int y = s.where.y; y < s.where.y + s.where.height; ++y)
      for (int x = s.where.x; x < s.where.x + s.where.width; ++x)
        open_port(c, s, {x, y, 1, 1}, plan.input_queue[color], dice);
    c.host.push_back(s);
  }
  // A later stream may have taken another one's port away.
  std::erase_if(c.host, [&](const Layout::HostStream& s) {
    return std::ranges::any_of(c.routes, [&](const Layout::Routing& r) {
      return r.color == s.color && overlap(r.where, s.where) &&
             !(s.input ? r.route.rx : r.route.tx).has(s.edge);
    });
  });
  for (Layout::Routing& r : c.routes) close_edges(c, r);
  const int stops = c.stops ? static_cast<int>(c.stops->size()) : 20;
  for (std::size_t n = 0; n < c.host.size(); ++n)
    for (int k = c.host[n].input ? dice.roll(1, 3) : 0; k > 0; --k)
      c.sends.push_back({n, static_cast<std::size_t>(dice.chance(60) ? 0 : dice.roll(0, stops)),
                         dice.roll(1, 12)});
  c.receives = dice.chance(50);
}

}  // namespace weft::test
