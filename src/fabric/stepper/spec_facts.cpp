#include "fabric/stepper/spec_facts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace weft::fabric {
namespace {

std::vector<HeldWavelet> held(const spec::Queue& queue) {
  std::vector<HeldWavelet> wavelets;
  for (const spec::Wavelet& w : queue) wavelets.push_back({w.payload, w.control, true});
  return wavelets;
}

/// The core takes a wavelet when it has come to its end of the ramp.
std::vector<HeldWavelet> held_by_input(const spec::Queue& queue, std::uint64_t cycle) {
  std::vector<HeldWavelet> wavelets;
  for (const spec::Wavelet& w : queue) wavelets.push_back({w.payload, w.control, w.ready < cycle});
  return wavelets;
}

Ports bits(const PortSet& set) {
  Ports ports;
  for (std::size_t n = 0; n < kPorts; ++n) ports[n] = set.has(static_cast<Port>(n));
  return ports;
}

Channel channel_of(int color, const spec::Channel& c, bool tally) {
  Channel channel;
  channel.color = color;
  channel.input_queue = c.route.input_queue.value_or(-1);
  channel.position = std::min(c.position, static_cast<int>(c.positions.size()) - 1);
  channel.initial = std::min(c.route.initial, static_cast<int>(c.positions.size()) - 1);
  channel.ring = c.route.ring;
  channel.pop = c.route.pop;
  channel.rx = bits(c.now().rx);
  channel.tx = bits(c.now().tx);
  for (const spec::Ports& position : c.positions) {
    channel.positions.push_back({bits(position.rx), bits(position.tx)});
    channel.ever_rx |= channel.positions.back().rx;
    channel.ever_tx |= channel.positions.back().tx;
  }
  for (std::size_t n = 0; n < kPorts; ++n) {
    channel.swaps[n] = c.swaps(static_cast<Port>(n));
    channel.queue[n] = held(c.queue[n]);
  }
  channel.torn_down = c.torn_down;
  if (c.filter && tally)
    channel.filter = {*c.filter, true, c.let_in, c.control_let_in, c.refused};
  else if (c.filter)
    channel.filter = {.settings = *c.filter};
  return channel;
}

OperandFacts operand_of(const spec::Operand& o) {
  using From = spec::Operand::Kind;
  using Kind = OperandFacts::Kind;
  switch (o.kind) {
    case From::memory:
      return {Kind::memory};
    case From::input:
      return {Kind::input, o.queue};
    case From::output:
      return {Kind::output, o.queue, o.color, o.control};
    case From::fifo:
      return {Kind::fifo, o.fifo};
    case From::scalar:
    case From::absent:
      break;
  }
  return {};
}

DescriptorFacts descriptor_of(const spec::Descriptor& d) {
  using From = spec::Descriptor::Kind;
  using Kind = OperandFacts::Kind;
  DescriptorFacts facts{.base = d.base, .length = d.length, .stride = d.stride, .shape = {}};
  switch (d.kind) {
    case From::memory:
      facts.shape = d.shape;
      break;
    case From::input:
      facts.names = {Kind::input, d.queue};
      break;
    case From::output:
      facts.names = {Kind::output, d.queue, d.color, d.control};
      break;
    case From::fifo:
      facts.names = {Kind::fifo, d.fifo};
      break;
  }
  return facts;
}

/// A bit for each that is set.
template <std::size_t count>
std::uint32_t bits(const std::array<bool, count>& set) {
  std::uint32_t all = 0;
  for (std::size_t n = 0; n < count; ++n) all |= (set[n] ? 1U : 0U) << n;
  return all;
}

/// Queues and microthreads.
void add_ramps(PeState& pe, const spec::Core& core, std::uint64_t cycle) {
  const auto claimed = [&](OperandFacts::Kind kind, std::size_t queue) {
    return std::ranges::any_of(pe.microthreads, [&](const MicrothreadFacts& t) {
      return std::ranges::any_of(t.operands, [&](const OperandFacts& o) {
        return o.kind == kind && o.number == static_cast<int>(queue);
      });
    });
  };
  for (std::size_t n = 0; n < core.microthread.size(); ++n) {
    if (!core.microthread[n]) continue;
    const spec::VectorWork& work = core.microthread[n]->work;
    MicrothreadFacts facts{static_cast<int>(n), work.left, {}, work.options, work.pc};
    std::ranges::transform(work.operand, facts.operands.begin(), operand_of);
    pe.microthreads.push_back(facts);
  }
  for (std::size_t q = 0; q < core.input.size(); ++q) {
    const spec::Queue& queue = core.input[q];
    const int color = queue.empty() ? 0 : queue.back().color;
    pe.input[q] = {color, !queue.empty() && core.color_blocked[static_cast<std::size_t>(color)],
                   claimed(OperandFacts::Kind::input, q), held_by_input(queue, cycle)};
  }
  for (std::size_t q = 0; q < core.output.size(); ++q) {
    const spec::Queue& queue = core.output[q];
    pe.output[q] = {queue.empty() ? 0 : queue.back().color, false,
                    claimed(OperandFacts::Kind::output, q), held(queue)};
  }
}

void add_core(PeState& pe, const spec::Core& core) {
  pe.running = core.running;
  pe.waiting = core.waiting;
  if (pe.running) pe.pc = core.pc;
  if (pe.running && !pe.waiting) pe.wake = core.wake;
  pe.active_tasks = bits(core.active);
  pe.blocked_tasks = bits(core.blocked);
  pe.blocked_colors = bits(core.color_blocked);
  pe.torn_down = core.pending;
  pe.registers = core.reg;
  std::ranges::transform(core.dsr, pe.descriptors.begin(), descriptor_of);
  for (std::size_t n = 0; n < core.fifo.size(); ++n) {
    const spec::FifoFill& fill = core.fifo[n];
    pe.fifos.push_back({core.program->fifos[n].capacity, fill.held, fill.held > 0 ? fill.head : 0,
                        fill.found_empty, fill.found_full});
  }
}

}  // namespace

ProgramFacts facts_of(const Program& program) {
  ProgramCode code{.instructions = program.code,
                   .data = program.data_entry,
                   .local = program.local_entry,
                   .control = program.control_entry};
  for (const Fifo& fifo : program.fifos)
    for (const int task : {fifo.push_task, fifo.pop_task})
      if (task >= 0) code.fifo_tasks |= 1U << task;
  return program_facts(code);
}

PeState pe_state(const spec::Fabric& fabric, int x, int y, bool tally) {
  const spec::Pe& from = fabric.pe(x, y);
  PeState pe;
  pe.x = x;
  pe.y = y;
  for (std::size_t color = 0; color < kColors; ++color)
    if (const auto& channel = from.router.channel[color])
      pe.channels.push_back(channel_of(static_cast<int>(color), *channel, tally));
  add_ramps(pe, from.core, fabric.cycle());
  pe.programmed = from.core.program != nullptr;
  if (pe.programmed) add_core(pe, from.core);
  return pe;
}

}  // namespace weft::fabric
