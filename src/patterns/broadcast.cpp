#include <fmt/format.h>

#include "patterns/place.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

void check_root(const Rect& where, int x, int y, const std::string& name) {
  if (x < 0 || x >= where.width || y < 0 || y >= where.height)
    throw Error(ErrorCategory::program, fmt::format("{} cannot begin at ({}, {})", name, x, y),
                fmt::format("its rectangle has {} x {} PEs", where.width, where.height),
                "begin at a PE inside, counted from the rectangle's first");
}

}  // namespace

/// `line`: one line, or many side by side. `more`: where the PEs of the line send to as well.
void Broadcast::route_line(Design& design, const Rect& line, Along along, int root,
                           PortSet more) const {
  using patterns::places;
  const int length = patterns::length_of(line, along);
  const Port down = patterns::to_first(along), up = patterns::to_last(along);
  const auto with = [&](std::initializer_list<Port> ports) {
    PortSet all(ports);
    for (const Port port : {Port::west, Port::east, Port::south, Port::north})
      if (more.has(port)) all = all | port;
    return all;
  };
  const auto route = [&](int first, int end, Port from, std::initializer_list<Port> to) {
    if (first < end)
      design.route(places(line, along, first, end), color_, {.rx = from, .tx = with(to)});
  };
  route(0, std::min(root, 1), up, {Port::ramp});
  route(1, root, up, {down, Port::ramp});
  route(root + 1, length - 1, down, {up, Port::ramp});
  route(std::max(root + 1, length - 1), length, down, {Port::ramp});
}

Broadcast::Broadcast(Design& design, const Rect& where, Along along, int root,
                     const std::string& name)
    : where_(where),
      alone_(patterns::length_of(where, along) == 1),
      root_(patterns::places(where, along, root, root + 1)),
      color_(design.color(name)) {
  check_root(where, along == Along::rows ? root : 0, along == Along::rows ? 0 : root, name);
  route_line(design, where, along, root, {});
  PortSet out;
  if (root > 0) out = out | patterns::to_first(along);
  if (root + 1 < patterns::length_of(where, along)) out = out | patterns::to_last(along);
  if (!out.empty()) design.route(root_, color_, {.rx = Port::ramp, .tx = out});
}

Broadcast::Broadcast(Design& design, const Rect& where, int x, int y, const std::string& name)
    : where_(where),
      alone_(where.width == 1 && where.height == 1),
      root_{where.x + x, where.y + y, 1, 1},
      color_(design.color(name)) {
  check_root(where, x, y, name);
  PortSet up_and_down, out;
  if (y > 0) up_and_down = up_and_down | Port::north;
  if (y + 1 < where.height) up_and_down = up_and_down | Port::south;
  route_line(design, {where.x, where.y + y, where.width, 1}, Along::rows, x, up_and_down);
  out = up_and_down;
  if (x > 0) out = out | Port::west;
  if (x + 1 < where.width) out = out | Port::east;
  if (!out.empty()) design.route(root_, color_, {.rx = Port::ramp, .tx = out});
  // The columns, from their PEs beside the root's row on.
  route_line(design, where, Along::columns, y, {});
}

void Broadcast::broadcast(PeProgram& pe, const PeVector& v) const {
  patterns::check_inside(pe, where_, "broadcast");
  if (alone_) return;
  if (pe.where([root = root_](int x, int y) { return patterns::contains(root, x, y); }))
    pe.send(color_, v);
  else
    pe.receive(v, color_);
}

std::uint64_t Broadcast::cycles(const Machine& machine, std::uint64_t n, int links) {
  return patterns::first_element(machine) + (links > 0 ? patterns::travel(machine, links) : 0) +
         (n - 1) + patterns::go_on(machine);
}

}  // namespace weft::inline v0
