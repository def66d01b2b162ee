#include "fabric/stepper/pe_facts.hpp"

#include <algorithm>

#include "fabric/stepper/lane_facts.hpp"

namespace weft::fabric {
namespace {

OperandFacts named_by(pe::Name name) {
  using Kind = OperandFacts::Kind;
  switch (name.kind()) {
    case pe::Kind::memory:
    case pe::Kind::shaped:
      return {Kind::memory};
    case pe::Kind::input:
      return {Kind::input, name.number()};
    case pe::Kind::data_output:
    case pe::Kind::control_output:
      return {Kind::output, name.number(), name.color(), name.kind() == pe::Kind::control_output};
    case pe::Kind::fifo:
      return {Kind::fifo, name.number()};
    default:
      return {};
  }
}

DescriptorFacts register_of(pe::CoreView c, const pe::Descriptor& d) {
  DescriptorFacts facts{named_by(d.name), d.base, d.length, d.stride, {}};
  if (d.name.kind() == pe::Kind::shaped)
    facts.shape = shape_of(c.rules().programs.shapes[d.name.number()]);
  return facts;
}

/// `all_seen`: the wavelets need not come to the core's end.
template <std::size_t count>
void set_ramps(std::array<RampFacts, count>& ramps, const pe::RampQueues& from, bool all_seen) {
  for (std::size_t n = 0; n < count; ++n) {
    const int q = static_cast<int>(n);
    const unsigned held = from.ramp.held(q), seen = from.ramp.seen(q);
    RampFacts& facts = ramps[n];
    if (held > 0) facts.color = from.marks.color[q];
    for (unsigned k = 0; k < held; ++k) {
      const pe::Wavelet w = from.wavelet(q, k);
      facts.wavelets.push_back({w.payload, w.control, all_seen || k < seen});
    }
  }
}

void add_queues(PeState& state, pe::CoreView c) {
  set_ramps(state.input, c.in(), false);
  set_ramps(state.output, c.out(), true);
  for (std::size_t q = 0; q < state.input.size(); ++q) {
    const bool holds = !state.input[q].wavelets.empty();
    state.input[q].blocked = holds && (c.near().blocked >> q & 1U) != 0;
    state.input[q].claimed = (c.near().claimed >> q & 1U) != 0;
  }
  for (std::size_t q = 0; q < state.output.size(); ++q)
    state.output[q].claimed = (c.far().claimed_outputs >> q & 1U) != 0;
}

void add_microthreads(PeState& state, pe::CoreView c) {
  for (int u = 0; u < model::kMicrothreads; ++u) {
    if ((c.near().live >> u & 1U) == 0) continue;
    const pe::Work& work = c.far().work[u];
    MicrothreadFacts facts{u, work.left, {}, VectorOptions::unpack(c.code(work.pc).imm)};
    facts.pc = work.pc - static_cast<std::uint32_t>(c.tasks().first);
    std::ranges::transform(work.name, facts.operands.begin(), named_by);
    state.microthreads.push_back(facts);
  }
}

}  // namespace

Channel pe_channel(const pe::Switch& s, int color) {
  Channel channel;
  channel.color = color;
  channel.position = std::min(s.position, s.last);
  channel.initial = std::min(s.initial, s.last);
  channel.ring = s.ring;
  channel.pop = static_cast<PopMode>(s.pop);
  channel.ever_rx = pe::ever_open(s);
  for (int n = 0; n <= s.last; ++n) {
    channel.positions.push_back({Ports(s.rx[n]), Ports(s.tx[n])});
    channel.ever_tx |= channel.positions.back().tx;
  }
  channel.swaps = s.swaps;
  return channel;
}

FilterFacts pe_filter(const pe::Filter& f, bool tally) {
  FilterFacts facts{.settings = {},
                    .tallied = tally,
                    .let_in = f.let_in,
                    .control = f.control_let_in,
                    .refused = f.refused};
  const auto set = [&](auto settings) {
    settings.counter = pe::counter_of(f);
    settings.limit1 = f.limit1;
    settings.max_counter = f.max_counter;
    settings.count_data = f.count_data;
    settings.count_control = f.count_control;
    return settings;
  };
  if (f.kind == pe::Filter::Kind::range) {
    facts.settings = RangeFilter{static_cast<std::uint16_t>(f.limit1),
                                 static_cast<std::uint16_t>(f.max_counter)};
  } else if (f.kind == pe::Filter::Kind::sparse) {
    SparseCounterFilter sparse = set(SparseCounterFilter{});
    if (f.has_limit2) sparse.limit2 = f.limit2;
    facts.settings = sparse;
  } else {
    CounterFilter counter = set(CounterFilter{});
    counter.filter_control = f.filter_control;
    facts.settings = counter;
  }
  return facts;
}

void add_pe_core(PeState& state, pe::CoreView c, const std::vector<ProgramFacts>& programs) {
  const pe::Core& core = c.near();
  const pe::FarCore& far = c.far();
  add_queues(state, c);
  add_microthreads(state, c);
  state.programmed = far.program != pe::kNoProgram;
  if (!state.programmed) return;
  state.program = programs[far.program];
  state.running = core.running;
  state.waiting = core.waiting;
  if (core.running) state.pc = core.pc - static_cast<std::uint32_t>(c.tasks().first);
  if (core.goes_on()) state.wake = pe::in_full(core.due, c.cycle);
  state.active_tasks = far.active;
  state.blocked_tasks = far.blocked;
  state.blocked_colors = far.blocked_colors;
  state.torn_down = far.pending;
  for (int r = 0; r < kRegisters; ++r) state.registers[static_cast<std::size_t>(r)] = c.reg(r);
  for (std::size_t n = 0; n < kDescriptors; ++n) state.descriptors[n] = register_of(c, far.dsr[n]);
  for (std::size_t n = 0; n < kFifos && c.tasks().fifo[n].capacity > 0; ++n) {
    const pe::FifoFill& fill = far.fifo[n];
    state.fifos.push_back({c.tasks().fifo[n].capacity, fill.held, fill.held > 0 ? fill.head : 0,
                           fill.found_empty, fill.found_full});
  }
}

}  // namespace weft::fabric
