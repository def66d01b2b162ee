#include <algorithm>
#include <exception>
#include <vector>

#include "engine/ticker.hpp"
#include "fabric/stepper.hpp"
#include "spec/fabric.hpp"

/// The fabric of the specification, asked and answered as any other.
namespace weft::fabric {
namespace {

std::vector<HeldWavelet> held(const spec::Queue& queue) {
  std::vector<HeldWavelet> wavelets;
  for (const spec::Wavelet& w : queue) wavelets.push_back({w.payload, w.control});
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
  channel.held = c.held;
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
      return {Kind::output, o.queue, o.color};
    case From::fifo:
      return {Kind::fifo, o.fifo};
    case From::scalar:
    case From::absent:
      break;
  }
  return {};
}

ProgramFacts facts_of(const Program& program) {
  ProgramFacts tasks;
  for (std::size_t color = 0; color < kColors; ++color)
    if (program.data_entry[color] != Program::kUnbound) tasks.data_tasks |= 1U << color;
  tasks.control_tasks = std::ranges::any_of(program.control_entry,
                                            [](auto entry) { return entry != Program::kUnbound; });
  return program_facts(program.code, tasks);
}

/// Queues and microthreads.
void add_ramps(PeState& pe, const spec::Core& core) {
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
    MicrothreadFacts facts{static_cast<int>(n), work.left, {}, work.options};
    std::ranges::transform(work.operand, facts.operands.begin(), operand_of);
    pe.microthreads.push_back(facts);
  }
  for (std::size_t q = 0; q < core.input.size(); ++q) {
    const spec::Queue& queue = core.input[q];
    const int color = queue.empty() ? 0 : queue.back().color;
    pe.input[q] = {color, !queue.empty() && core.color_blocked[static_cast<std::size_t>(color)],
                   claimed(OperandFacts::Kind::input, q), held(queue)};
  }
  for (std::size_t q = 0; q < core.output.size(); ++q) {
    const spec::Queue& queue = core.output[q];
    pe.output[q] = {queue.empty() ? 0 : queue.back().color, false,
                    claimed(OperandFacts::Kind::output, q), held(queue)};
  }
}

class SpecStepper : public Stepper {
 public:
  SpecStepper(const Layout& layout, const Machine& machine, bool tally)
      : fabric_(layout, machine), tally_(tally) {}

  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override {
    for_pes(fabric_, where, words, [&](std::vector<std::uint32_t>& memory, auto part) {
      std::ranges::copy(part, memory.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override {
    for_pes(fabric_, where, words, [&](const std::vector<std::uint32_t>& memory, auto part) {
      std::ranges::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(first),
                          static_cast<std::ptrdiff_t>(part.size()), part.begin());
    });
  }

  engine::RunResult run(std::uint64_t cycle, const engine::RunOptions& options) override {
    engine::Ticker ticker(options);
    engine::RunResult result{engine::Stop::limit, cycle, 0, {}};
    while (result.stop == engine::Stop::limit && result.cycle < options.limit) {
      constexpr engine::Stop kStops[] = {engine::Stop::quiet, engine::Stop::limit,
                                         engine::Stop::fault};
      result.stop = kStops[static_cast<int>(fabric_.run(result.cycle + 1))];
      result.cycle = fabric_.cycle();
      try {
        ticker.tick(result.cycle);
      } catch (...) {
        result.thrown = std::current_exception();
        break;
      }
    }
    return result;
  }

  Fault first_fault() const override { return fabric_.fault(); }
  bool anything_left() const override { return fabric_.anything_left(); }
  engine::Totals totals() const override {
    return {fabric_.wavelets, fabric_.hops, fabric_.delivered, fabric_.filtered};
  }

  PeState pe_state(int x, int y) const override {
    const spec::Pe& from = fabric_.pe(x, y);
    const spec::Core& core = from.core;
    PeState pe;
    pe.x = x;
    pe.y = y;
    for (std::size_t color = 0; color < kColors; ++color)
      if (const auto& channel = from.router.channel[color])
        pe.channels.push_back(channel_of(static_cast<int>(color), *channel, tally_));
    add_ramps(pe, core);
    pe.programmed = core.program != nullptr;
    if (!pe.programmed) return pe;
    pe.running = core.running;
    pe.waiting = core.waiting;
    pe.program = facts_of(*core.program);
    for (std::size_t color = 0; color < kColors; ++color)
      if (core.color_blocked[color]) pe.blocked_colors |= 1U << color;
    for (std::size_t n = 0; n < core.fifo.size(); ++n)
      pe.fifos.push_back({core.program->fifos[n].capacity, core.fifo[n].held});
    return pe;
  }

 private:
  /// f(memory, its part of the words) for each PE of a rectangle.
  template <class Fabric, class Words, class F>
  static void for_pes(Fabric& fabric, const Rect& where, Words words, F f) {
    const auto pes = static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
    const std::size_t each = words.size() / pes;
    std::size_t n = 0;
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x)
        f(fabric.pe(x, y).core.memory, words.subspan(n++ * each, each));
  }

  spec::Fabric fabric_;
  bool tally_;
};

}  // namespace

std::unique_ptr<Stepper> make_spec_stepper(const Layout& layout, const Machine& machine,
                                           bool tally) {
  return std::make_unique<SpecStepper>(layout, machine, tally);
}

}  // namespace weft::fabric
