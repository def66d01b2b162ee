#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fabric/state.hpp"
#include "fabric/timing.hpp"
#include "model/deliver.hpp"

namespace weft::fabric {
namespace {

using model::kLanes;
using model::kNever;
using model::lane_bit;
using model::Mask;

/// f(strip index, lanes) for every strip that a rectangle touches.
template <class F>
void for_strips(const State& s, const Rect& r, F f) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int column = r.x / kLanes; column <= (r.x + r.width - 1) / kLanes; ++column) {
      const int from = std::max(r.x - column * kLanes, 0);
      const int to = std::min(r.x + r.width - column * kLanes, kLanes);
      const Mask lanes = (model::kAllLanes >> (kLanes - (to - from))) << from;
      f(static_cast<std::size_t>(y * s.strips + column), lanes);
    }
}

std::string place_of(const State& s, std::size_t strip, Mask lanes) {
  const auto strips = static_cast<std::size_t>(s.strips);
  return fmt::format("PE ({}, {})",
                     strip % strips * kLanes + static_cast<std::size_t>(model::lowest(lanes)),
                     strip / strips);
}

[[noreturn]] void twice(const std::string& what, const std::string& where) {
  throw Error(Category::layout, fmt::format("{} has {} already", where, what),
              "two rectangles of the layout overlap", "give each PE one");
}

/// The outermost dimension in use has no end: an instruction with more elements goes on along it.
model::ShapeState shape_state(const Shape& shape) {
  constexpr std::uint32_t kEndless = ~0U;
  model::ShapeState state{};
  state.elements = 1;
  bool outermost = true;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const bool used = shape[n] != Dimension{} || n + 1 == shape.size();
    state.extent[n] = used && outermost ? kEndless : shape[n].extent;
    state.stride[n] = shape[n].stride;
    state.elements *= shape[n].extent;
    outermost = outermost && !used;
  }
  return state;
}

/// Appends a program's code, jumps made absolute, and returns its number.
std::uint16_t add_program(State& s, const Program& p) {
  model::TaskTable t{};
  const auto first = static_cast<std::int32_t>(s.code.size());
  const auto entry = [&](std::int32_t at) { return at == Program::kUnbound ? -1 : at + first; };
  for (int i = 0; i < kColors; ++i) t.data[i] = entry(p.data_entry[static_cast<std::size_t>(i)]);
  for (int i = 0; i < kLocalTasks; ++i)
    t.local[i] = entry(p.local_entry[static_cast<std::size_t>(i)]);
  for (int i = 0; i < kControlTasks; ++i)
    t.control[i] = entry(p.control_entry[static_cast<std::size_t>(i)]);
  t.high_data = p.high_data;
  t.high_local = p.high_local;
  t.high_control = p.high_control;
  for (Instruction i : p.code) {
    const Format format = info(i.op).format;
    if (format == Format::jump || format == Format::branch || format == Format::call)
      i.imm += first;
    if (format == Format::dsr_shape) i.imm += static_cast<std::int32_t>(s.shapes.size());
    s.code.push_back(i);
  }
  for (const Shape& shape : p.shapes) s.shapes.push_back(shape_state(shape));
  for (std::size_t n = 0; n < p.fifos.size(); ++n) {
    const Fifo& f = p.fifos[n];
    t.fifo[n] = {f.address, f.capacity, f.bytes, f.push_task, f.pop_task};
  }
  t.first = first;
  t.last = static_cast<std::int32_t>(s.code.size());
  s.programs.push_back(t);
  return static_cast<std::uint16_t>(s.programs.size() - 1);
}

void place_programs(State& s, const Layout& layout) {
  std::map<const Program*, std::uint16_t> numbers;
  for (const Layout::Placement& placement : layout.placements()) {
    const Program& p = *placement.program;
    if (p.memory_bytes > s.timing.memory_bytes)
      throw Error(Category::layout,
                  fmt::format("program {} does not fit: it needs {} bytes of PE memory", p.name,
                              p.memory_bytes),
                  fmt::format("a PE has {} bytes", s.timing.memory_bytes),
                  "make its arrays smaller, or raise pe_memory_bytes in the machine file");
    const std::uint16_t number = add_program(s, p);
    for_strips(s, placement.where, [&](std::size_t strip, Mask lanes) {
      model::CoreState& core = s.core[strip];
      if ((core.placed & lanes) != 0) twice("a program", place_of(s, strip, core.placed & lanes));
      if (core.placed == 0) core.fifo = -1;
      core.placed |= lanes;
      if (!p.fifos.empty() && core.fifo < 0) {
        core.fifo = static_cast<std::int32_t>(s.fifos.size());
        s.fifos.resize(s.fifos.size() + kFifos);
      }
      for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        core.program[model::lowest(rest)] = number;
      for (int id = 0; id < kLocalTasks; ++id) {
        if ((p.started_local >> id & 1U) != 0) core.local_active[id] |= lanes;
        if ((p.blocked_local >> id & 1U) != 0) core.local_blocked[id] |= lanes;
      }
      core.local_any |= p.started_local;
      if (p.started_local != 0) s.core_wake[strip] = 0;
    });
  }
}

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
    c.sent_cycle = kNever;
    c.filter = -1;
    for (std::int32_t& queue : c.queue) queue = -1;
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
  state_of(color).shares |= shared;
  for (Mask rest = lanes; rest != 0; rest &= rest - 1)
    s.core[strip].queue_color[q][model::lowest(rest)] = static_cast<std::uint8_t>(color);
}

void set_routes(State& s, const Layout& layout) {
  for (const Layout::Routing& routing : layout.routings()) {
    const Route& route = routing.route;
    for_strips(s, routing.where, [&](std::size_t strip, Mask lanes) {
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
      if (route.teardown) c.held |= lanes;
      set_swaps(s.strip[strip], c, route, routing.color, lanes);
      if (!route.input_queue) return;
      if (route.input_queue) lead_to_queue(s, strip, routing.color, *route.input_queue, lanes);
    });
  }
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
      throw Error(Category::layout,
                  fmt::format("{} has {} filters", place_of(s, strip, rest), filters),
                  fmt::format("a router has {}", machine.filters_per_pe),
                  "take fewer, or raise filters_per_pe in the machine file");
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
        throw Error(Category::layout,
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
        if (c.opens[port] != 0 || (rewritable >> color & 1U) != 0)
          c.queue[port] = static_cast<std::int32_t>(queues++);
    }
  s.port_queues = ZeroedArray<model::PortQueue>(queues);
}

/// The room that routers have before the first cycle.
void publish_rooms(State& s) {
  const model::View v = s.view();
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    model::publish_rooms(v, v.strip[strip], v.strip[strip].colors);
}

/// A color starts unblocked where a data task is bound to it, or where the program says so.
void block_colors(State& s, const Layout& layout) {
  std::size_t number = 0;
  for (const Layout::Placement& placement : layout.placements()) {
    const Program& p = *placement.program;
    const model::TaskTable& tasks = s.programs[number++];
    for_strips(s, placement.where, [&](std::size_t strip, Mask lanes) {
      model::CoreState& core = s.core[strip];
      for (int color = 0; color < kColors; ++color)
        if (tasks.data[color] < 0 && (p.unblocked_colors >> color & 1U) == 0)
          core.color_blocked[color] |= lanes;
      for (int q = 0; q < kInputQueues; ++q)
        for (Mask rest = lanes; rest != 0; rest &= rest - 1)
          core.queue_blocked[q] |= core.color_blocked[core.queue_color[q][model::lowest(rest)]] &
                                   lane_bit(model::lowest(rest));
    });
  }
}

}  // namespace

model::View State::view() {
  model::View v{};
  v.width = width;
  v.height = height;
  v.strips = strips;
  v.timing = timing;
  v.horizon = kNever;
  v.code = code.data();
  v.programs = programs.data();
  v.strip = strip.data();
  v.core = core.data();
  v.memory = memory.data();
  v.memory_words = memory_words;
  v.colors = colors.data();
  v.switches = switches.data();
  v.shapes = shapes.data();
  v.filters = filters.data();
  v.fifos = fifos.data();
  v.port_queues = port_queues.data();
  v.route_wake = route_wake.data();
  v.deliver_wake = deliver_wake.data();
  v.core_wake = core_wake.data();
  v.route_row = route_row.data();
  v.deliver_row = deliver_row.data();
  v.core_row = core_row.data();
  v.faults = faults.data();
  return v;
}

State build(const Layout& layout, const Machine& machine) {
  check(machine);
  State s;
  s.width = layout.width();
  s.height = layout.height();
  s.strips = (s.width + kLanes - 1) / kLanes;
  s.timing = timing_of(machine);
  s.memory_words = s.timing.memory_bytes / 4;
  const std::size_t strips = s.strip_count();
  const auto rows = static_cast<std::size_t>(s.height);
  s.strip = ZeroedArray<model::StripState>(strips);
  s.core = ZeroedArray<model::CoreState>(strips);
  s.memory = ZeroedArray<std::uint32_t>(strips * s.memory_words * kLanes);
  for (auto* wake : {&s.route_wake, &s.deliver_wake, &s.core_wake}) wake->assign(strips, kNever);
  for (auto* row : {&s.route_row, &s.deliver_row}) row->assign(rows, kNever);
  s.core_row.assign(rows, 0);
  s.faults.assign(rows, Fault{});
  for (std::size_t i = 0; i < strips; ++i)
    for (std::int32_t& index : s.strip[i].color_state) index = -1;

  place_programs(s, layout);
  set_routes(s, layout);
  set_filters(s, layout, machine);
  add_port_queues(s);
  block_colors(s, layout);
  publish_rooms(s);
  return s;
}

}  // namespace weft::fabric
