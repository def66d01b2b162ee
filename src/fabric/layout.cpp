#include "weft/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/names.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr int kMaxSide = 4096;
constexpr std::size_t kMaxPositions = 3;  // past position 0

[[noreturn]] void refuse_layout(const std::string& what, const std::string& why,
                                const std::string& remedy) {
  throw Error(ErrorCategory::layout, what, why, remedy);
}

void check_color(int color) {
  if (color < 0 || color >= kColors)
    refuse_layout(fmt::format("color {} does not exist", color), "a link has colors 0 to 23",
                  "choose one of these");
}

/// Every port that some position sends to.
std::uint8_t ever_sent(const Route& route) {
  unsigned bits = route.tx.bits();
  for (const SwitchPosition& position : route.positions)
    if (position.side == SwitchPosition::Side::tx) bits |= PortSet(position.port).bits();
  return static_cast<std::uint8_t>(bits);
}

/// The rectangle reaches the fabric's edge on this side.
bool meets_edge(const Rect& r, Port side, int width, int height) {
  switch (side) {
    case Port::west:
      return r.x == 0;
    case Port::east:
      return r.x + r.width == width;
    case Port::north:
      return r.y == 0;
    case Port::south:
      return r.y + r.height == height;
    case Port::ramp:
      break;
  }
  return false;
}

/// The outermost PEs of a rectangle on one side.
Rect edge_of(Rect r, Port side) {
  if (side == Port::east) r.x += r.width - 1;
  if (side == Port::south) r.y += r.height - 1;
  (side == Port::west || side == Port::east ? r.width : r.height) = 1;
  return r;
}

bool inside(const Rect& r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

template <class F>
bool all_pes(const Rect& r, F f) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x)
      if (!f(x, y)) return false;
  return true;
}

}  // namespace

Layout::Layout(int width, int height) : width_(width), height_(height) {
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide)
    refuse_layout(fmt::format("invalid size of a fabric: {} x {} PEs", width, height),
                  fmt::format("each side must be from 1 to {}", kMaxSide),
                  "choose sides in this range");
}

void Layout::check(const Rect& r, const char* what) const {
  if (r.width < 1 || r.height < 1 || r.x < 0 || r.y < 0 || r.width > width_ - r.x ||
      r.height > height_ - r.y)
    refuse_layout(fmt::format("{} for PEs {}..{} x {}..{} is outside the fabric", what, r.x,
                              r.x + r.width - 1, r.y, r.y + r.height - 1),
                  fmt::format("the fabric has PEs 0..{} x 0..{}", width_ - 1, height_ - 1),
                  "give a rectangle inside it");
}

ProgramHandle Layout::add(Program program) {
  programs_.push_back(std::make_shared<const Program>(std::move(program)));
  return {programs_.size() - 1};
}

void Layout::place(const Rect& where, ProgramHandle program) {
  check(where, "a program");
  if (program.index >= programs_.size())
    refuse_layout(fmt::format("unknown program: {}", program.index),
                  fmt::format("{} were added to this layout", programs_.size()),
                  "place what add() of the same layout returned");
  placements_.push_back({where, programs_[program.index]});
}

void Layout::place(const Rect& where, const Program& program) {
  check(where, "a program");  // before a copy is made
  place(where, add(program));
}

void Layout::route(const Rect& where, int color, const Route& route) {
  check(where, "a route");
  check_color(color);
  const std::string name =
      fmt::format("the route of color {} at PE ({}, {})", color, where.x, where.y);
  if (route.positions.size() > kMaxPositions)
    refuse_layout(fmt::format("{} has {} positions past the first", name, route.positions.size()),
                  "a switch has four positions", "name at most three");
  if (route.rx.empty() || route.tx.empty())
    refuse_layout(name + " is incomplete", "position 0 needs an input and an output side",
                  "give rx and tx at least one port each");
  if (route.initial < 0 || static_cast<std::size_t>(route.initial) > route.positions.size())
    refuse_layout(fmt::format("{} starts at position {}", name, route.initial),
                  fmt::format("its last position is {}", route.positions.size()),
                  "start at one it has");
  const std::uint8_t sent = ever_sent(route);
  const auto leads = [&](Port port) { return (sent >> static_cast<unsigned>(port) & 1) != 0; };
  const auto off_fabric = [&](Port port) {
    return leads(port) && meets_edge(where, port, width_, height_) &&
           !leads_to_host(edge_of(where, port), port, color);
  };
  const char* off = off_fabric(Port::west)    ? "west"
                    : off_fabric(Port::east)  ? "east"
                    : off_fabric(Port::north) ? "north"
                    : off_fabric(Port::south) ? "south"
                                              : nullptr;
  if (off != nullptr)
    refuse_layout(
        name + " leads off the fabric", fmt::format("it sends {} from the {} edge", off, off),
        "give the edge PEs a route that ends there, or first a host stream (host_output)");
  if (leads(Port::ramp) && !route.input_queue)
    refuse_layout(name + " leads to the core but not to a queue",
                  "the ramp output ends in an input queue",
                  "set Route::input_queue to one of 0 to 7");
  if (route.input_queue && (*route.input_queue < 0 || *route.input_queue >= kInputQueues))
    refuse_layout(fmt::format("{} leads to input queue {}", name, *route.input_queue),
                  "a core has input queues 0 to 7", "choose one of these");
  routings_.push_back({where, color, route});
}

bool Layout::leads_to_host(const Rect& where, Port edge, int color) const {
  return all_pes(where, [&](int x, int y) {
    return std::ranges::any_of(host_streams_, [&](const HostStream& s) {
      return !s.input && s.edge == edge && s.color == color && inside(s.where, x, y);
    });
  });
}

void Layout::add_host_stream(HostStream stream) {
  const std::string name = "host stream " + stream.name;
  check(stream.where, name.c_str());
  check_color(stream.color);
  if (stream.edge == Port::ramp || !meets_edge(stream.where, stream.edge, width_, height_) ||
      stream.where != edge_of(stream.where, stream.edge))
    refuse_layout(fmt::format("{} is not at an edge", name),
                  fmt::format("PEs {}..{} x {}..{} have no port {} that leads off the fabric",
                              stream.where.x, stream.where.x + stream.where.width - 1,
                              stream.where.y, stream.where.y + stream.where.height - 1,
                              port_name(static_cast<int>(stream.edge))),
                  "give a part of the outermost row or column on the side of its port");
  for (const HostStream& other : host_streams_) {
    if (other.name == stream.name)
      refuse_layout(fmt::format("there is a {} already", name), "streams are found by their names",
                    "give each its own");
    const bool alike =
        other.input == stream.input && other.edge == stream.edge && other.color == stream.color;
    if (alike && !all_pes(stream.where, [&](int x, int y) { return !inside(other.where, x, y); }))
      refuse_layout(fmt::format("host streams {} and {} share a port", other.name, stream.name),
                    fmt::format("both have color {} at the same PE", stream.color),
                    "give them colors of their own, or PEs of their own");
  }
  if (stream.limit == 0U)
    refuse_layout(name + " has a limit of 0 words", "the host could never take one",
                  "give at least 1, or none");
  host_streams_.push_back(std::move(stream));
}

void Layout::host_input(const std::string& name, const Rect& where, Port edge, int color) {
  add_host_stream({.name = name, .input = true, .where = where, .edge = edge, .color = color});
}

void Layout::host_output(const std::string& name, const Rect& where, Port edge, int color,
                         std::optional<std::size_t> limit) {
  add_host_stream({.name = name, .where = where, .edge = edge, .color = color, .limit = limit});
}

void Layout::name_color(int color, const std::string& name) {
  check_color(color);
  color_names_[color] = name;
}

void Layout::filter(const Rect& where, int color, const Filter& filter) {
  check(where, "a filter");
  check_color(color);
  const std::string name =
      fmt::format("the filter of color {} at PE ({}, {})", color, where.x, where.y);
  std::visit(
      [&](const auto& f) {
        if constexpr (requires { f.counter; }) {
          if (f.counter > f.limit1)
            refuse_layout(name + " cannot start",
                          fmt::format("its counter {} is past limit1 = {}", f.counter, f.limit1),
                          "start the counter at 0 to limit1");
        } else if (f.min_index > f.max_index) {
          refuse_layout(name + " accepts nothing",
                        fmt::format("its range {}..{} is empty", f.min_index, f.max_index),
                        "give min_index at most max_index");
        }
      },
      filter);
  filterings_.push_back({where, color, filter});
}

}  // namespace weft::inline v0
