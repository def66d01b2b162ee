#pragma once

#include "fabric/stepper/pe_state.hpp"
#include "pe/core_view.hpp"

/// The core's state of src/pe as PeState, to be compared.
namespace weft::test {

inline fabric::OperandFacts operand_facts(pe::Name name) {
  using Kind = fabric::OperandFacts::Kind;
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

/// As the program has it: a shape that is stepped has no end along its outermost dimension.
inline Shape shape_facts(const model::ShapeState& state) {
  Shape shape;
  std::uint32_t inner = 1;
  for (std::size_t n = shape.size(); n-- > 0;) {
    const std::uint32_t extent = state.extent[n] == ~0U ? state.elements / inner : state.extent[n];
    inner *= extent;
    shape[n] = {static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(state.stride[n])};
  }
  return shape;
}

inline fabric::DescriptorFacts descriptor_facts(pe::CoreView c, const pe::Descriptor& d) {
  fabric::DescriptorFacts facts{operand_facts(d.name), d.base, d.length, d.stride, {}};
  if (d.name.kind() == pe::Kind::shaped)
    facts.shape = shape_facts(c.rules().programs.shapes[d.name.number()]);
  return facts;
}

inline void set_microthreads(fabric::PeState& state, pe::CoreView c) {
  state.microthreads.clear();
  for (int u = 0; u < model::kMicrothreads; ++u) {
    if ((c.near().live >> u & 1U) == 0) continue;
    const pe::Work& w = c.far().work[u];
    fabric::MicrothreadFacts facts{u, w.left, {}, VectorOptions::unpack(c.code(w.pc).imm)};
    for (std::size_t k = 0; k < facts.operands.size(); ++k)
      facts.operands[k] = operand_facts(w.name[k]);
    state.microthreads.push_back(facts);
  }
}

/// Rewrites what cores have of a state.
inline void set_core_facts(fabric::PeState& state, pe::CoreView c) {
  for (std::size_t q = 0; q < state.input.size(); ++q) {
    const bool holds = c.in().ramp.held.number(static_cast<int>(q)) != 0;
    state.input[q].blocked = holds && (c.near().blocked >> q & 1U) != 0;
    state.input[q].claimed = (c.near().claimed >> q & 1U) != 0;
  }
  for (std::size_t q = 0; q < state.output.size(); ++q)
    state.output[q].claimed = (c.far().claimed_outputs >> q & 1U) != 0;
  set_microthreads(state, c);
  if (!state.programmed) return;
  state.running = c.near().running;
  state.waiting = c.near().waiting;
  const auto first = static_cast<std::uint32_t>(c.tasks().first);
  state.pc = c.near().running ? c.near().pc - first : 0;
  state.wake = c.near().running && !c.near().waiting ? pe::in_full(c.near().due, c.cycle) : 0;
  state.active_tasks = c.far().active;
  state.blocked_tasks = c.far().blocked;
  state.blocked_colors = c.far().blocked_colors;
  state.torn_down = c.far().pending;
  for (std::size_t r = 0; r < state.registers.size(); ++r)
    state.registers[r] = c.reg(static_cast<int>(r));
  for (std::size_t n = 0; n < state.descriptors.size(); ++n)
    state.descriptors[n] = descriptor_facts(c, c.far().dsr[n]);
  for (std::size_t n = 0; n < state.fifos.size(); ++n) {
    const pe::FifoFill& fill = c.far().fifo[n];
    state.fifos[n] = {c.tasks().fifo[n].capacity, fill.held, fill.held > 0 ? fill.head : 0,
                      fill.found_empty, fill.found_full};
  }
}

}  // namespace weft::test
