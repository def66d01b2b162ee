#include "fabric/build/routes.hpp"

#include "base/pages.hpp"
#include "fabric/build/host_ports.hpp"
#include "fabric/build/strips.hpp"
#include "model/lanes/loops.hpp"
#include "model/router/switches.hpp"

namespace weft::fabric {
namespace {

using model::lane_bit;

/// A position as the switch register has it: direction, and 8 for an input.
std::uint8_t position_code(const Route& route, std::size_t n) {
  constexpr std::uint8_t kInvalid = 5;
  if (n > route.positions.size()) return kInvalid;
  const SwitchPosition& position = route.positions[n - 1];
  return static_cast<std::uint8_t>(static_cast<unsigned>(position.port) |
                                   (position.side == SwitchPosition::Side::rx ? 8U : 0U));
}

void set_switch(model::ColorState& c, model::SwitchState& w, const Route& route, int lane) {
  w.rx[0][lane] = route.rx.bits();
  w.tx[0][lane] = route.tx.bits();
  for (std::size_t n = 1; n < model::kMaxPositions; ++n) w.code[n][lane] = position_code(route, n);
  w.initial[lane] = static_cast<std::uint8_t>(route.initial);
  w.pop[lane] = static_cast<std::uint8_t>(route.pop);
  model::compose(w, lane);
  model::set_opens(c, w, lane);
  model::set_position(c, w, lane, route.initial);
}

/// The strip's state of a color, made when first asked for.
std::size_t color_state(State& s, std::size_t strip, int color) {
  std::int32_t& index = s.strip[strip].color_state[color];
  if (index < 0) {
    index = static_cast<std::int32_t>(s.colors.size());
    model::ColorState c{};
    c.filter = -1;
    for (std::int32_t& queue : c.queue) queue = -1;
    for (std::int32_t& link : c.beyond) link = -1;
    s.colors.push_back(c);
    s.switches.emplace_back();
    s.strip[strip].colors |= 1U << color;
  }
  return static_cast<std::size_t>(index);
}

void set_swaps(model::StripState& strip, model::ColorState& c, const Route& route, int color,
               Mask lanes) {
  const bool vertical = route.swap_north_south, horizontal = route.swap_east_west;
  const auto set = [&](Port port, bool swaps) {
    if (swaps) c.swap[static_cast<int>(port)] |= lanes;
  };
  for (const Port port : {Port::north, Port::south}) set(port, vertical);
  for (const Port port : {Port::east, Port::west}) set(port, horizontal);
  set(Port::ramp, vertical && horizontal);
  if (vertical || horizontal) strip.swaps |= 1U << color;
}

/// Leads a color to an input queue, which other colors may use too.
void lead_to_queue(State& s, std::size_t strip, int color, int q, Mask lanes) {
  const auto state_of = [&](int of) -> model::ColorState& {
    return s.colors[static_cast<std::size_t>(s.strip[strip].color_state[of])];
  };
  Mask shared = 0;
  for (std::uint32_t rest = s.strip[strip].colors; rest != 0; rest &= rest - 1) {
    model::ColorState& other = state_of(model::lowest(rest));
    const Mask both = other.to_queue[q] & lanes;
    other.shares |= both;
    shared |= both;
  }
  state_of(color).to_queue[q] |= lanes;
  state_of(color).inputs |= static_cast<std::uint8_t>(1U << q);
  state_of(color).shares |= shared;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1)
    s.core[strip].queue_color[q][model::lowest(rest)] = static_cast<std::uint8_t>(color);
}

void set_routes(State& s, const Layout& layout) {
  for (const Layout::Routing& routing : layout.routings()) {
    const Route& route = routing.route;
    for_strips(s, with_routers(s), routing.where, [&](std::size_t strip, Mask lanes) {
      const std::size_t index = color_state(s, strip, routing.color);
      model::ColorState& c = s.colors[index];
      model::SwitchState& w = s.switches[index];
      const Mask routed = c.routed & lanes;
      if (routed != 0)
        twice(fmt::format("a route for color {}", routing.color), place_of(s, strip, routed));
      c.routed |= lanes;
      for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        set_switch(c, w, route, model::lowest(rest));
      if (route.ring) w.ring |= lanes;
      if (route.teardown) c.torn_down |= lanes;
      set_swaps(s.strip[strip], c, route, routing.color, lanes);
      if (route.input_queue) lead_to_queue(s, strip, routing.color, *route.input_queue, lanes);
    });
  }
}

/// Where the host stands it has a queue for each color that it takes. Its router is held: the host
/// itself moves the wavelets.
void set_host_routes(State& s, const Layout& layout) {
  for (const Layout::HostStream& stream : layout.host_streams())
    for_strips(s, beyond(stream.where, stream.edge), [&](std::size_t strip, Mask lanes) {
      const std::size_t index = color_state(s, strip, stream.color);
      model::ColorState& c = s.colors[index];
      c.torn_down |= lanes;
      for (Mask rest = stream.input ? 0 : lanes; rest != 0; rest &= rest - 1)
        set_switch(c, s.switches[index], {.rx = opposite(stream.edge), .tx = Port::ramp},
                   model::lowest(rest));
    });
}

void set_filter(model::FilterState& f, const Filter& filter, int lane) {
  const Mask bit = lane_bit(lane);
  const auto counter = [&](const auto& c) {
    f.counter.at[lane] = c.counter;
    f.limit1.at[lane] = c.limit1;
    f.max_counter.at[lane] = c.max_counter;
    if (c.counter <= c.max_counter) f.in_window |= bit;
    if (c.count_data) f.count_data |= bit;
    if (c.count_control) f.count_control |= bit;
  };
  if (const auto* plain = std::get_if<CounterFilter>(&filter)) {
    counter(*plain);
    if (plain->filter_control) f.filter_control |= bit;
  } else if (const auto* sparse = std::get_if<SparseCounterFilter>(&filter)) {
    counter(*sparse);
    f.sparse |= bit;
    f.limit2.at[lane] = sparse->limit2.value_or(0);
    if (sparse->limit2) f.has_limit2 |= bit;
  } else if (const auto* range = std::get_if<RangeFilter>(&filter)) {
    f.limit1.at[lane] = range->min_index;
    f.max_counter.at[lane] = range->max_index;
    f.range |= bit;
  }
}

void check_filter_count(const State& s, std::size_t strip, Mask lanes, const Machine& machine) {
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    int filters = 0;
    for (const std::int32_t index : s.strip[strip].color_state)
      filters += index >= 0 && model::has(s.colors[static_cast<std::size_t>(index)].filtered,
                                          model::lowest(rest));
    if (filters > machine.filters_per_pe)
      throw Error(ErrorCategory::layout,
                  fmt::format("{} has {} filters", place_of(s, strip, rest), filters),
                  fmt::format("a router has {}", machine.filters_per_pe),
                  "take fewer, or raise the machine's filters_per_pe");
  }
}

void set_filters(State& s, const Layout& layout, const Machine& machine) {
  for (const Layout::Filtering& filtering : layout.filterings())
    for_strips(s, filtering.where, [&](std::size_t strip, Mask lanes) {
      const std::int32_t index = s.strip[strip].color_state[filtering.color];
      Mask led = 0;
      if (index >= 0)
        for (const Mask queue : s.colors[static_cast<std::size_t>(index)].to_queue) led |= queue;
      if ((lanes & ~led) != 0)
        throw Error(ErrorCategory::layout,
                    fmt::format("the filter of color {} at {} has nothing to filter",
                                filtering.color, place_of(s, strip, lanes & ~led)),
                    "no route of this color leads to the core there",
                    "add the route first, with ramp among its outputs");
      model::ColorState& c = s.colors[static_cast<std::size_t>(index)];
      if ((c.filtered & lanes) != 0)
        twice(fmt::format("a filter for color {}", filtering.color),
              place_of(s, strip, c.filtered & lanes));
      if (c.filter < 0) {
        c.filter = static_cast<std::int32_t>(s.filters.size());
        s.filters.emplace_back();
      }
      c.filtered |= lanes;
      for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        set_filter(s.filters[static_cast<std::size_t>(c.filter)], filtering.filter,
                   model::lowest(rest));
      check_filter_count(s, strip, lanes, machine);
    });
}

/// Colors whose routes some program may rewrite: any input may be opened later.
std::uint32_t rewritable_colors(const State& s) {
  std::uint32_t colors = 0;
  for (const Instruction& i : s.code)
    if (i.op == Op::setroute || i.op == Op::setswitch) colors |= 1U << i.a;
  return colors;
}

/// `items` in another order: element k was number order[k].
template <class T>
void reorder(std::vector<T>& items, const std::vector<std::int32_t>& order) {
  std::vector<T> ordered;
  base::reserve_on_large_pages(ordered, order.size());
  for (const std::int32_t index : order) ordered.push_back(items[static_cast<std::size_t>(index)]);
  items = std::move(ordered);
}

/// Numbers colors and filters strip by strip, as queues are: what neighbouring strips use lies side
/// by side.
void order_by_strip(State& s) {
  std::vector<std::int32_t> colors, filters;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    for (std::int32_t& index : s.strip[strip].color_state) {
      if (index < 0) continue;
      model::ColorState& c = s.colors[static_cast<std::size_t>(index)];
      colors.push_back(index);
      index = static_cast<std::int32_t>(colors.size()) - 1;
      if (c.filter < 0) continue;
      filters.push_back(c.filter);
      c.filter = static_cast<std::int32_t>(filters.size()) - 1;
    }
  reorder(s.colors, colors);
  reorder(s.switches, colors);
  reorder(s.filters, filters);
  s.tallies.resize(filters.size());
}

/// A queue for each input that some lane ever opens.
void add_port_queues(State& s) {
  const std::uint32_t rewritable = rewritable_colors(s);
  std::size_t queues = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    for (int color = 0; color < kColors; ++color) {
      const std::int32_t index = s.strip[strip].color_state[color];
      if (index < 0) continue;
      model::ColorState& c = s.colors[static_cast<std::size_t>(index)];
      for (int port = 0; port < kPorts; ++port)
        if (c.opens[port] != 0 || (rewritable >> color & 1U) != 0) {
          c.queue[port] = static_cast<std::int32_t>(queues++);
          c.ports |= static_cast<std::uint8_t>(1U << port);
        }
    }
  s.port_queues = base::ZeroedArray<model::PortQueue>(queues, base::Pages::large);
}

/// The lanes of a strip to which far links of this side lead.
model::Mask far_lanes(const State& s, std::size_t strip, Port side) {
  const int column = static_cast<int>(strip) % s.strips, row = static_cast<int>(strip) / s.strips;
  const model::Place at{static_cast<int>(strip), row, column};
  return model::where(model::kAllLanes, [&](int lane) {
    const int x = at.x(lane) - s.west, y = at.y(lane) - s.north;
    if (x < 0 || y < 0 || x >= s.width || y >= s.height) return false;
    const bool mesh_ends = (side == Port::west && x == 0) || (side == Port::north && y == 0) ||
                           (side == Port::east && x == s.width - 1) ||
                           (side == Port::south && y == s.height - 1);
    return !mesh_ends && s.timing.is_far(x, y, side);
  });
}

/// Where far links take longer than others, longer queues beyond them.
void add_far_queues(State& s) {
  if (s.timing.far_link == 0) return;
  std::size_t wavelets = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    for (int port = 0; port < kLinks; ++port) {
      const model::Mask lanes = far_lanes(s, strip, static_cast<Port>(port));
      if (lanes == 0) continue;
      for (const std::int32_t index : s.strip[strip].color_state) {
        const std::int32_t queue =
            index < 0 ? -1 : s.colors[static_cast<std::size_t>(index)].queue[port];
        if (queue < 0) continue;
        s.far_queues.push_back(
            {.lanes = lanes, .ring = wavelets, .first = {}, .held = {}, .shown = {}});
        model::PortQueue& q = s.port_queues[static_cast<std::size_t>(queue)];
        q.far = static_cast<std::uint32_t>(s.far_queues.size());
        q.more_room = lanes;
        wavelets += static_cast<std::size_t>(model::count(lanes)) * s.timing.far_depth();
      }
    }
  s.far_wavelets = base::ZeroedArray<model::FarWavelet>(wavelets);
}

/// Each color's state in the neighbouring strips.
void link_colors(State& s) {
  for (int row = 0; row < s.rows; ++row)
    for (int column = 0; column < s.strips; ++column) {
      const int strip = row * s.strips + column;
      const model::StripState& own = s.strip[static_cast<std::size_t>(strip)];
      const auto link = [&](Port port, int to_row, int to_column) {
        if (to_row < 0 || to_row >= s.rows || to_column < 0 || to_column >= s.strips) return;
        const int to = to_row * s.strips + to_column;
        const model::StripState& other = s.strip[static_cast<std::size_t>(to)];
        for (std::uint32_t rest = own.colors; rest != 0; rest &= rest - 1) {
          const int color = model::lowest(rest);
          s.colors[static_cast<std::size_t>(own.color_state[color])]
              .beyond[static_cast<int>(port)] = other.color_state[color];
        }
      };
      link(Port::west, row, column - 1);
      link(Port::east, row, column + 1);
      link(Port::south, row + 1, column);
      link(Port::north, row - 1, column);
    }
}

}  // namespace

void build_routers(State& s, const Layout& layout, const Machine& machine) {
  set_routes(s, layout);
  set_host_routes(s, layout);
  set_filters(s, layout, machine);
  order_by_strip(s);
  add_port_queues(s);
  add_far_queues(s);
  link_colors(s);
}

}  // namespace weft::fabric
