#pragma once

#include "isa/elements.hpp"
#include "model/tasks.hpp"

/// Vector instructions with a fabric operand: at most one element a cycle.
namespace weft::model {

/// The PE's memory word at a byte address that was checked.
WEFT_HD std::uint32_t& memory_word(const View& v, Place at, int lane, std::uint32_t address) {
  return v.memory[(static_cast<std::uint64_t>(at.index) * v.memory_words + address / 4) * kLanes +
                  static_cast<std::uint64_t>(lane)];
}

/// The fault of an access of `bytes` bytes, or none.
WEFT_HD FaultKind access_fault(const View& v, std::uint32_t address, std::uint32_t bytes) {
  if (address % bytes != 0) return FaultKind::memory_misaligned;
  return address >= v.timing.memory_bytes ? FaultKind::memory_out_of_range : FaultKind::none;
}

/// Where an element of two or four bytes stands in its word.
struct Field {
  std::uint32_t shift, mask;

  WEFT_HD static Field at(std::uint32_t address, std::uint32_t bytes) {
    return bytes == 4 ? Field{0, ~0U} : Field{(address & 2U) * 8, 0xffffU};
  }
  WEFT_HD std::uint32_t get(std::uint32_t word) const { return word >> shift & mask; }
  WEFT_HD std::uint32_t put(std::uint32_t word, std::uint32_t value) const {
    return (word & ~(mask << shift)) | (value & mask) << shift;
  }
};

/// Lanes in which input queue q has a wavelet to take.
WEFT_HD Mask filled(const CoreState& core, int q) { return core.in[q].seen[0]; }

/// Lanes in which output queue q can take one more.
WEFT_HD Mask vacant(const View& v, const CoreState& core, int q) {
  return ~core.out[q].valid[v.timing.output_depth[q] - 1];
}

/// All fabric operands of a lane's microthread are ready.
WEFT_HD bool all_ready(const View& v, const CoreState& core, const Microthread& t, int lane) {
  bool ready = true;
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t where = t.where[k].at[lane];
    const int q = static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in) ready &= has(filled(core, q), lane);
    if (Operand::kind(where) == Operand::fabric_out) ready &= has(vacant(v, core, q), lane);
  }
  return ready;
}

/// Lanes in which microthread u could do an element now.
WEFT_HD Mask able(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  const Mask under_way = t.live & ~t.starting;
  Mask ready = under_way & t.input_only & filled(core, u);
  if (u < kOutputQueues) ready |= under_way & t.output_only & vacant(v, core, u);
  for (Mask rest = under_way & ~t.input_only & ~t.output_only; rest != 0; rest &= rest - 1)
    if (all_ready(v, core, t, lowest(rest))) ready |= lane_bit(lowest(rest));
  return ready;
}

/// A microthread's queues are free again, and what it was to do at its end is done.
WEFT_HD void finish(CoreState& core, Microthread& t, int lane, const Instruction& instruction,
                    std::uint64_t now, std::uint32_t scalar_cycles) {
  const Mask bit = lane_bit(lane);
  t.live &= ~bit;
  t.input_only &= ~bit;
  t.output_only &= ~bit;
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t where = t.where[k].at[lane];
    if (Operand::kind(where) == Operand::fabric_in)
      core.input_claimed[Operand::queue(where)] &= ~bit;
    if (Operand::kind(where) == Operand::fabric_out)
      core.output_claimed[Operand::queue(where)] &= ~bit;
  }
  const VectorOptions options = VectorOptions::unpack(instruction.imm);
  if (!options.async) {
    core.waiting &= ~bit;
    core.wake[lane] = now + scalar_cycles;
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    activate_local(core, options.task_id, bit);
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked(core, options.task_kind, options.task_id, bit, false);
  }
}

/// One element of microthread u in one lane. Sets the lane's bit in the queues it took from and put
/// to.
template <class L>
WEFT_HD void step_element(const View& v, Place at, CoreState& core, int u, int lane,
                          std::uint64_t now, Mask* took) {
  Microthread& t = core.microthread[u];
  const Mask bit = lane_bit(lane);
  // A control wavelet that a microthread meets is taken off its queue and starts no task.
  bool met_control = false;
  for (int k = 1; k < 3; ++k) {
    const std::uint32_t where = t.where[k].at[lane];
    if (Operand::kind(where) != Operand::fabric_in) continue;
    if (has(core.in[Operand::queue(where)].control[0], lane)) {
      took[Operand::queue(where)] |= bit;
      met_control = true;
    }
  }
  if (met_control) return;

  const Instruction& instruction = v.code[t.pc.at[lane]];
  const isa::Widths widths = isa::widths_of(isa::cost_of(instruction.op));
  std::uint32_t value[3] = {};
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t where = t.where[k].at[lane];
    switch (Operand::kind(where)) {
      case Operand::memory: {
        const std::uint32_t address = t.at[k].at[lane];
        const FaultKind fault = access_fault(v, address, widths.bytes[k]);
        if (fault != FaultKind::none) {
          t.live &= ~bit;
          return halt(v, at, core, lane, fault, now, -1, address);
        }
        value[k] = Field::at(address, widths.bytes[k]).get(memory_word(v, at, lane, address));
        break;
      }
      case Operand::fabric_in:
        value[k] = core.in[Operand::queue(where)].payload[0].at[lane];
        took[Operand::queue(where)] |= bit;
        break;
      case Operand::scalar:
        value[k] = t.at[k].at[lane];
        break;
      case Operand::fabric_out:
      case Operand::absent:
        break;
    }
  }

  const std::uint32_t result = isa::element(instruction.op, value[0], value[1], value[2]);
  const std::uint32_t to = t.where[0].at[lane];
  if (Operand::kind(to) == Operand::memory) {
    const std::uint32_t address = t.at[0].at[lane];
    std::uint32_t& word = memory_word(v, at, lane, address);
    word = Field::at(address, widths.bytes[0]).put(word, result);
  } else {
    const std::uint32_t q = Operand::queue(to);
    RampQueue& out = core.out[q];
    const std::uint8_t color = static_cast<std::uint8_t>(Operand::color(to));
    if (has(out.valid[0], lane) && out.color[lane] != color) {
      t.live &= ~bit;
      return halt(v, at, core, lane, FaultKind::queue_color_changed, now, color, q);
    }
    out.color[lane] = color;
    const int slot = delay_slot(now + v.timing.ramp);
    Vector payload;
    payload.at[lane] = result;
    push<L>(out, bit, Operand::control(to) ? bit : 0, payload.at, slot);
    core.outputs_arriving[slot] |= 1U << q;
    core.outputs_held |= 1U << q;
    wake_deliver(v, at, now + v.timing.ramp);
  }
  for (int k = 0; k < 3; ++k)
    if (Operand::kind(t.where[k].at[lane]) == Operand::memory)
      t.at[k].at[lane] += t.step[k].at[lane];
  if (--t.left.at[lane] == 0) finish(core, t, lane, instruction, now, v.timing.scalar);
}

/// Step 3a. Every microthread that has its data and its room does one element.
template <class L>
WEFT_HD bool step_microthreads(const View& v, Place at, CoreState& core, std::uint64_t now) {
  bool any = false;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const int u = lowest(rest);
    Microthread& t = core.microthread[u];
    L::for_each(t.starting, [&](int lane) {
      if (t.first[lane] <= now) t.starting &= ~lane_bit(lane);
    });
    const Mask ready = able(v, core, u);
    Mask took[kInputQueues] = {};
    L::for_each(ready, [&](int lane) { step_element<L>(v, at, core, u, lane, now, took); });
    for (int q = 0; q < kInputQueues; ++q)
      if (took[q] != 0) pop<L>(core.in[q], took[q], static_cast<int>(v.timing.input_depth[q]));
    any |= ready != 0;
    if (t.live == 0) core.live &= ~(1U << u);
  }
  return any;
}

}  // namespace weft::model
