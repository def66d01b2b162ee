#include <fmt/format.h>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

/// The PE at (x, y) of the rectangle.
Rect root_at(const Rect& where, int x, int y, const std::string& name) {
  if (x < 0 || x >= where.width || y < 0 || y >= where.height)
    throw Error(ErrorCategory::program,
                fmt::format("{} begins outside its rectangle, at ({}, {})", name, x, y),
                fmt::format("its rectangle has {} x {} PEs", where.width, where.height),
                "begin at a PE inside, counted from the rectangle's first");
  return {where.x + x, where.y + y, 1, 1};
}

/// The PEs at `root` of the rectangle's lines.
Rect roots_at(const Rect& where, Along along, int root, const std::string& name) {
  const bool rows = along == Along::rows;
  root_at(where, rows ? root : 0, rows ? 0 : root, name);
  return patterns::places(where, along, root, root + 1);
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
    : place_(patterns::place_in(design, where, name)),
      alone_(patterns::length_of(where, along) == 1),
      root_(roots_at(where, along, root, name)),
      color_(design.color(name, where)) {
  route_line(design, where, along, root, {});
  PortSet out;
  if (root > 0) out = out | patterns::to_first(along);
  if (root + 1 < patterns::length_of(where, along)) out = out | patterns::to_last(along);
  if (!out.empty()) design.route(root_, color_, {.rx = Port::ramp, .tx = out});
}

Broadcast::Broadcast(Design& design, const Rect& where, int x, int y, const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      alone_(where.width == 1 && where.height == 1),
      root_(root_at(where, x, y, name)),
      color_(design.color(name, where)) {
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

bool Broadcast::sends(PeProgram& pe) const {
  return pe.where([root = root_](int x, int y) { return patterns::contains(root, x, y); });
}

std::optional<PeOperation> Broadcast::issue(PeProgram& pe, const PeVector& v) const {
  patterns::check_place(pe, place_, "broadcast");
  patterns::check_written("broadcast", v);
  if (alone_) return {};
  return sends(pe) ? pe.send(color_, v) : pe.receive(v, color_);
}

void Broadcast::broadcast(PeProgram& pe, const PeVector& v, CallLine) const { issue(pe, v); }

std::vector<PeOperation> Broadcast::start(PeProgram& pe, const PeVector& v, CallLine) const {
  return patterns::started(issue(pe, v));
}

std::uint64_t Broadcast::cycles(const Machine& machine, std::uint64_t n, int links) {
  patterns::check_elements(n);
  patterns::check_links(links);
  return patterns::first_element(machine) + (links > 0 ? patterns::travel(machine, links) : 0) +
         (n - 1) + patterns::go_on(machine);
}

}  // namespace weft::inline v0
