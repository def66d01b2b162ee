#include "weft/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
  const char* off = leads(Port::west) && where.x == 0                         ? "west"
                    : leads(Port::east) && where.x + where.width == width_    ? "east"
                    : leads(Port::north) && where.y == 0                      ? "north"
                    : leads(Port::south) && where.y + where.height == height_ ? "south"
                                                                              : nullptr;
  if (off != nullptr)
    refuse_layout(name + " leads off the fabric",
                  fmt::format("it sends {} from the {} edge", off, off),
                  "give the edge PEs a route that ends there");
  if (leads(Port::ramp) && !route.input_queue)
    refuse_layout(name + " leads to the core but not to a queue",
                  "the ramp output ends in an input queue",
                  "set Route::input_queue to one of 0 to 7");
  if (route.input_queue && (*route.input_queue < 0 || *route.input_queue >= kInputQueues))
    refuse_layout(fmt::format("{} leads to input queue {}", name, *route.input_queue),
                  "a core has input queues 0 to 7", "choose one of these");
  routings_.push_back({where, color, route});
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
