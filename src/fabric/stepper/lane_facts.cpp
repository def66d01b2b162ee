#include "fabric/stepper/lane_facts.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "model/core/group.hpp"
#include "model/core/work.hpp"

namespace weft::fabric {
namespace {

using model::has;
using model::Mask;

/// Entries of a queue in unary masks.
template <class QueueOfLanes>
std::vector<HeldWavelet> entries(const QueueOfLanes& q, int lane, int depth) {
  std::vector<HeldWavelet> held;
  for (int k = 0; k < depth && has(q.valid[k], lane); ++k)
    held.push_back({q.payload[k].at[lane], has(q.control[k], lane), true});
  return held;
}

/// Of a router's queue.
std::vector<HeldWavelet> entries(const State& s, const model::PortQueue& q, int lane) {
  const model::FarQueue* far = q.far == 0 ? nullptr : &s.far_queues[q.far - 1];
  if (far == nullptr || !has(far->lanes, lane)) return entries(q, lane, model::kMaxRouterDepth);
  std::vector<HeldWavelet> held;
  held.reserve(far->held[lane]);
  const std::size_t depth = s.timing.far_depth();
  const auto place =
      static_cast<std::size_t>(model::count(far->lanes & (model::lane_bit(lane) - 1)));
  for (std::size_t k = 0; k < far->held[lane]; ++k) {
    const model::FarWavelet& one =
        s.far_wavelets[far->ring + place * depth + (far->first[lane] + k) % depth];
    held.push_back({one.payload, one.control, true});
  }
  return held;
}

Ports ports(const Mask* masks, int lane) {
  Ports set;
  for (std::size_t port = 0; port < kPorts; ++port) set[port] = has(masks[port], lane);
  return set;
}

Filter filter_settings(const model::FilterState& f, int lane) {
  const auto counter = [&](auto filter) {
    filter.counter = f.counter.at[lane];
    filter.limit1 = f.limit1.at[lane];
    filter.max_counter = f.max_counter.at[lane];
    filter.count_data = has(f.count_data, lane);
    filter.count_control = has(f.count_control, lane);
    return filter;
  };
  if (has(f.range, lane))
    return RangeFilter{static_cast<std::uint16_t>(f.limit1.at[lane]),
                       static_cast<std::uint16_t>(f.max_counter.at[lane])};
  if (has(f.sparse, lane)) {
    SparseCounterFilter sparse = counter(SparseCounterFilter{});
    if (has(f.has_limit2, lane)) sparse.limit2 = f.limit2.at[lane];
    return sparse;
  }
  CounterFilter plain = counter(CounterFilter{});
  plain.filter_control = has(f.filter_control, lane);
  return plain;
}

Channel channel_of(const State& s, std::size_t index, int color, int lane) {
  const model::ColorState& c = s.colors[index];
  const model::SwitchState& w = s.switches[index];
  Channel channel;
  channel.color = color;
  channel.position = std::min(w.position[lane], w.last[lane]);
  channel.initial = std::min(w.initial[lane], w.last[lane]);
  channel.ring = has(w.ring, lane);
  channel.pop = static_cast<PopMode>(w.pop[lane]);
  channel.rx = ports(c.rx, lane);
  channel.tx = ports(c.tx, lane);
  channel.ever_rx = ports(c.opens, lane);
  for (int n = 0; n <= w.last[lane]; ++n) {
    channel.positions.push_back({Ports(w.rx[n][lane]), Ports(w.tx[n][lane])});
    channel.ever_tx |= channel.positions.back().tx;
  }
  channel.swaps = ports(c.swap, lane);
  channel.torn_down = has(c.torn_down, lane);
  for (int q = 0; q < kInputQueues; ++q)
    if (has(c.to_queue[q], lane)) channel.input_queue = q;
  for (int port = 0; port < kPorts; ++port)
    if (c.queue[port] >= 0)
      channel.queue[static_cast<std::size_t>(port)] =
          entries(s, s.port_queues[static_cast<std::size_t>(c.queue[port])], lane);
  if (has(c.filtered, lane)) {
    const auto filter = static_cast<std::size_t>(c.filter);
    const model::FilterTally& tally = s.tallies[filter];
    channel.filter = {filter_settings(s.filters[filter], lane), s.tally, tally.let_in.at[lane],
                      tally.control.at[lane], tally.refused.at[lane]};
  }
  return channel;
}

OperandFacts operand_at(std::uint32_t where) {
  using Kind = OperandFacts::Kind;
  switch (model::Operand::kind(where)) {
    case model::Operand::fabric_in:
      return {Kind::input, static_cast<int>(model::Operand::queue(where))};
    case model::Operand::fabric_out:
      return {Kind::output, static_cast<int>(model::Operand::queue(where)),
              static_cast<int>(model::Operand::color(where)), model::Operand::control(where)};
    case model::Operand::fifo:
      return {Kind::fifo, static_cast<int>(model::Operand::number(where))};
    case model::Operand::memory:
    case model::Operand::shaped:
      return {Kind::memory};
    default:
      return {Kind::scalar};
  }
}

DescriptorFacts descriptor_at(const State& s, const model::CoreState& core, int n, int lane) {
  const std::uint32_t where = core.where[n].at[lane];
  DescriptorFacts facts{operand_at(where),
                        core.base[n].at[lane],
                        core.length[n].at[lane],
                        core.stride[n].at[lane],
                        {}};
  if (model::Operand::kind(where) == model::Operand::shaped)
    facts.shape = shape_of(s.shapes[model::Operand::number(where)]);
  return facts;
}

/// Of each mask a bit.
template <std::size_t count>
std::uint32_t bits(const Mask (&masks)[count], int lane) {
  std::uint32_t all = 0;
  for (std::size_t n = 0; n < count; ++n) all |= (has(masks[n], lane) ? 1U : 0U) << n;
  return all;
}

/// Queues and microthreads.
void add_ramps(PeState& pe, const State& s, const model::CoreState& core, int lane) {
  for (int u = 0; u < model::kMicrothreads; ++u) {
    const model::Microthread& t = core.microthread[u];
    if (!has(t.live, lane)) continue;
    const model::Work work = model::work_in(t, lane);
    MicrothreadFacts facts{u, work.left, {}, VectorOptions::unpack(s.code[work.pc].imm)};
    facts.pc = work.pc - static_cast<std::uint32_t>(s.programs[core.program[lane]].first);
    std::ranges::transform(work.where, facts.operands.begin(), operand_at);
    pe.microthreads.push_back(facts);
  }
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    const model::RampQueue& queue = core.in[q];
    RampFacts& facts = pe.input[q];
    facts.claimed = has(core.input_claimed[q], lane);
    facts.wavelets = entries(queue, lane, model::kMaxRampDepth);
    for (std::size_t k = 0; k < facts.wavelets.size(); ++k)
      facts.wavelets[k].seen = has(queue.seen[k], lane);
    if (facts.wavelets.empty()) continue;
    facts.color = core.queue_color[q][lane];
    facts.blocked = has(core.queue_blocked[q], lane);
  }
  for (std::size_t q = 0; q < kOutputQueues; ++q) {
    RampFacts& facts = pe.output[q];
    facts.claimed = has(core.output_claimed[q], lane);
    facts.wavelets = entries(core.out[q], lane, model::kMaxRampDepth);
    if (!facts.wavelets.empty()) facts.color = core.out[q].color[lane];
  }
}

void add_fifos(PeState& pe, const State& s, const model::CoreState& core, int lane) {
  const model::TaskTable& program = s.programs[core.program[lane]];
  for (std::size_t n = 0; n < kFifos && program.fifo[n].capacity > 0; ++n) {
    const model::FifoState& f = s.fifos[static_cast<std::size_t>(core.fifo) + n];
    const std::uint32_t held = f.held.at[lane];
    pe.fifos.push_back({program.fifo[n].capacity, held, held > 0 ? f.head.at[lane] : 0,
                        has(f.was_empty, lane), has(f.was_full, lane)});
  }
}

void add_core(PeState& pe, const State& s, const model::CoreState& core, int lane,
              std::uint64_t cycle) {
  // The end of a task that a core came to early is left for the next visit.
  const bool ended = has(core.ending, lane) && core.wake[lane] < cycle;
  pe.running = has(core.running, lane) && !ended;
  pe.waiting = has(core.waiting, lane);
  if (pe.running)
    pe.pc = core.pc.at[lane] - static_cast<std::uint32_t>(s.programs[core.program[lane]].first);
  if (pe.running && !pe.waiting) pe.wake = core.wake[lane];
  pe.active_tasks = bits(core.local_active, lane);
  pe.blocked_tasks = bits(core.local_blocked, lane);
  pe.blocked_colors = bits(core.color_blocked, lane);
  pe.torn_down = core.pending.at[lane];
  for (std::size_t n = 0; n < kRegisters; ++n) pe.registers[n] = core.reg[n].at[lane];
  for (std::size_t n = 0; n < kDescriptors; ++n)
    pe.descriptors[n] = descriptor_at(s, core, static_cast<int>(n), lane);
  if (core.fifo >= 0) add_fifos(pe, s, core, lane);
}

ProgramCode code_of(std::span<const Instruction> all, const model::TaskTable& program) {
  ProgramCode code{
      .instructions = all.subspan(static_cast<std::size_t>(program.first),
                                  static_cast<std::size_t>(program.last - program.first)),
      .first = program.first};
  const auto in_program = [&](std::int32_t at) { return at < 0 ? -1 : at - program.first; };
  std::ranges::transform(program.data, code.data.begin(), in_program);
  std::ranges::transform(program.local, code.local.begin(), in_program);
  std::ranges::transform(program.control, code.control.begin(), in_program);
  for (const model::FifoPlace& fifo : program.fifo)
    for (const std::int32_t task : {fifo.push_task, fifo.pop_task})
      if (fifo.capacity > 0 && task >= 0) code.fifo_tasks |= 1U << task;
  return code;
}

}  // namespace

Shape shape_of(const model::ShapeState& state) {
  Shape shape;
  std::uint32_t inner = 1;
  for (std::size_t n = shape.size(); n-- > 0;) {
    const bool outermost = state.extent[n] == ~0U;
    const std::uint32_t extent = outermost ? state.elements / inner : state.extent[n];
    inner *= extent;
    shape[n] = {static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(state.stride[n])};
  }
  return shape;
}

std::vector<ProgramFacts> facts_of_programs(std::span<const Instruction> code,
                                            std::span<const model::TaskTable> programs) {
  std::vector<ProgramFacts> all;
  all.reserve(programs.size());
  for (const model::TaskTable& program : programs)
    all.push_back(program_facts(code_of(code, program)));
  return all;
}

PeState pe_state(const State& s, const std::vector<ProgramFacts>& programs, int x, int y,
                 std::uint64_t cycle) {
  const model::LaneAddress address = s.address_of(x, y);
  const auto strip = static_cast<std::size_t>(address.strip);
  PeState pe;
  pe.x = x;
  pe.y = y;
  if (!s.in_use(strip)) return pe;
  for (int color = 0; color < kColors; ++color) {
    const std::int32_t index = s.strip[strip].color_state[color];
    if (index >= 0 && has(s.colors[static_cast<std::size_t>(index)].routed, address.lane))
      pe.channels.push_back(channel_of(s, static_cast<std::size_t>(index), color, address.lane));
  }
  const model::CoreState& core = s.core[strip];
  add_ramps(pe, s, core, address.lane);
  pe.programmed = has(core.placed, address.lane);
  if (!pe.programmed) return pe;
  pe.program = programs[core.program[address.lane]];
  add_core(pe, s, core, address.lane, cycle);
  return pe;
}

const Fault& first_fault(const State& s) {
  const auto earlier = [](const Fault& a, const Fault& b) {
    if ((a.kind == FaultKind::none) != (b.kind == FaultKind::none))
      return b.kind == FaultKind::none;
    return std::tie(a.cycle, a.y, a.x) < std::tie(b.cycle, b.y, b.x);
  };
  return *std::ranges::min_element(s.faults, earlier);
}

}  // namespace weft::fabric
