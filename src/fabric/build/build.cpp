#include <fmt/format.h>

#include <vector>

#include "engine/step_functions.hpp"
#include "fabric/build/dry_run.hpp"
#include "fabric/build/host_ports.hpp"
#include "fabric/build/program_numbers.hpp"
#include "fabric/build/routes.hpp"
#include "fabric/build/state.hpp"
#include "fabric/build/strips.hpp"
#include "fabric/build/timing.hpp"
#include "isa/table.hpp"
#include "model/router/room.hpp"

namespace weft::fabric {
namespace {

using model::kNever;
using model::lane_bit;

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

/// Appends a program's code, jumps made absolute.
void add_program(State& s, const Program& p) {
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
    const isa::OperandKind imm = isa::info(isa::format_of(i.op)).imm;
    if (imm == isa::OperandKind::target) i.imm += first;
    if (imm == isa::OperandKind::shape) i.imm += static_cast<std::int32_t>(s.shapes.size());
    s.code.push_back(i);
  }
  for (const Shape& shape : p.shapes) s.shapes.push_back(shape_state(shape));
  for (std::size_t n = 0; n < p.fifos.size(); ++n) {
    const Fifo& f = p.fifos[n];
    t.fifo[n] = {f.address, f.capacity, f.bytes, f.push_task, f.pop_task};
  }
  t.first = first;
  t.last = static_cast<std::int32_t>(s.code.size());
  t.memory_bytes = p.memory_bytes;
  s.programs.push_back(t);
}

void place_programs(State& s, const Layout& layout) {
  const std::vector<std::uint16_t> numbers = program_numbers(layout);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const Layout::Placement& placement = layout.placements()[n];
    const Program& p = *placement.program;
    if (p.memory_bytes > s.timing.memory_bytes)
      throw Error(ErrorCategory::layout,
                  fmt::format("program {} exceeds a PE's memory: it needs {} bytes", p.name,
                              p.memory_bytes),
                  fmt::format("a PE has {} bytes", s.timing.memory_bytes),
                  "make its arrays smaller, or raise the machine's pe_memory_bytes");
    const std::uint16_t number = numbers[n];
    if (number == s.programs.size()) add_program(s, p);
    for_strips(s, placement.where, [&](std::size_t strip, Mask lanes) {
      model::CoreState& core = s.core[strip];
      if ((core.placed & lanes) != 0) twice("a program", place_of(s, strip, core.placed & lanes));
      if (core.placed == 0) core.fifo = -1;
      core.placed |= lanes;
      s.strip[strip].programmed = true;
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
      if (p.started_local == 0) return;
      s.core_wake[strip] = 0;
      s.core_row[strip / static_cast<std::size_t>(s.strips)] = 0;
    });
  }
}

/// The room that routers have before the first cycle.
void publish_rooms(State& s) {
  const model::View v = s.view();
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    model::publish_rooms(v, v.strip[strip], v.strip[strip].colors);
}

/// A color starts unblocked where a data task is bound to it, or where the program says so.
void block_colors(State& s, const Layout& layout) {
  for (const Layout::Placement& placement : layout.placements()) {
    const Program& p = *placement.program;
    for_strips(s, placement.where, [&](std::size_t strip, Mask lanes) {
      model::CoreState& core = s.core[strip];
      for (int color = 0; color < kColors; ++color)
        if (p.data_entry[static_cast<std::size_t>(color)] == Program::kUnbound &&
            (p.unblocked_colors >> color & 1U) == 0)
          core.color_blocked[color] |= lanes;
      for (int q = 0; q < kInputQueues; ++q)
        for (Mask rest = lanes; rest != 0; rest &= rest - 1)
          core.queue_blocked[q] |= core.color_blocked[core.queue_color[q][model::lowest(rest)]] &
                                   lane_bit(model::lowest(rest));
    });
  }
}

/// Words from a strip's memory to the next one's, an odd number of pages: streams take 0.91 to 0.94
/// of the time. PEs mostly have a power of two of words, and the same word of all strips would
/// share few sets of the caches and of the table of pages (TLB).
std::size_t words_apart(std::size_t words) {
  constexpr std::size_t kPage = 4096 / sizeof(model::Vector);
  return ((words + kPage - 1) / kPage | 1) * kPage;
}

}  // namespace

model::View State::view() {
  model::View v{};
  v.width = width;
  v.height = height;
  v.strips = strips;
  v.rows = rows;
  v.west = west;
  v.north = north;
  v.host = host.port.empty() ? nullptr : &host;
  v.timing = timing;
  v.horizon = kNever;
  v.data = data;
  v.crowd = &crowd;
  v.links_rest = timing.link_busy != 0 && timing.crowd == 0;  // of a crowd, a clock tells
  v.fast = fast;
  v.run_sweep = engine::step_functions().run_sweep;
  v.code = code.data();
  v.private_cycles = private_cycles.data();
  v.programs = programs.data();
  v.strip = strip.data();
  v.core = core.data();
  v.memory = memory.data();
  v.memory_words = memory_words;
  v.colors = colors.data();
  v.switches = switches.data();
  v.shapes = shapes.data();
  v.filters = filters.data();
  v.tallies = tally ? tallies.data() : nullptr;
  v.fifos = fifos.data();
  v.port_queues = port_queues.data();
  v.far_queues = far_queues.data();
  v.far_wavelets = far_wavelets.data();
  v.route_wake = route_wake.data();
  v.deliver_wake = deliver_wake.data();
  v.core_wake = core_wake.data();
  v.route_row = route_row.data();
  v.deliver_row = deliver_row.data();
  v.core_row = core_row.data();
  v.left_row = left_row.data();
  v.faults = faults.data();
  v.fault_row = fault_row.data();
  v.counts = counts ? &counts->view : nullptr;
  v.events = events;
  return v;
}

State build(const Layout& layout, const Machine& machine, const Accelerations& accelerate,
            std::optional<OwnStrips> own) {
  check_machine(machine);
  check_host_streams(layout);
  State s;
  s.width = layout.width();
  s.height = layout.height();
  const Surroundings around = surroundings_of(layout);
  s.west = around.west;
  s.north = around.north;
  s.strips = model::strips_across(s.west + s.width + around.east);
  s.rows = model::strips_down(s.north + s.height + around.south);
  s.own = own.value_or(OwnStrips{.rows = {0, s.rows}});
  s.timing = timing_of(machine);
  if (!links_rest(machine, s.width, s.height)) {
    s.timing.link_busy = 0;
    s.timing.crowd = 0;
  }
  if (!has_far_links(machine, s.width, s.height)) {
    s.timing.far_link = 0;
    s.timing.late = s.timing.hop - 1;
  }
  s.memory_words = words_apart(s.timing.memory_bytes / 4);
  const std::size_t strips = s.strip_count();
  const auto rows = static_cast<std::size_t>(s.rows);
  s.strip = base::ZeroedArray<model::StripState>(strips, base::Pages::large);
  s.core = base::ZeroedArray<model::CoreState>(strips, base::Pages::large);
  s.memory = base::ZeroedArray<std::uint32_t>(strips * s.memory_words * kLanes);
  for (auto* wake : {&s.route_wake, &s.deliver_wake, &s.core_wake})
    wake->assign(strips + kLanes, kNever);  // read with up to kLanes after them, which are ignored
  for (auto* row : {&s.route_row, &s.deliver_row, &s.core_row, &s.left_row, &s.fault_row})
    row->assign(rows, kNever);
  s.faults.assign(strips, Fault{});
  for (std::size_t i = 0; i < strips; ++i)
    for (std::int32_t& index : s.strip[i].color_state) index = -1;

  place_programs(s, layout);
  s.fast = accelerate;
  if (accelerate.dry_run)
    s.private_cycles = dry_run(s);
  else
    s.private_cycles.assign(s.code.size(), 0);
  build_routers(s, layout, machine);
  add_host_ports(s, layout);
  block_colors(s, layout);
  publish_rooms(s);
  return s;
}

}  // namespace weft::fabric
