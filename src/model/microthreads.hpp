#pragma once

#include "isa/elements.hpp"
#include "model/fifos.hpp"
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

/// The input queues, a bit each, that hold a control wavelet where a lane's element wants data. It
/// is taken off, and starts no task.
WEFT_HD std::uint32_t meets_control(const CoreState& core, const Work& w, int lane) {
  std::uint32_t queues = 0;
  for (int k = 1; k < 3; ++k) {
    const std::uint32_t q = Operand::queue(w.where[k]);
    if (Operand::kind(w.where[k]) == Operand::fabric_in && has(core.in[q].control[0], lane))
      queues |= 1U << q;
  }
  return queues;
}

/// All operands of a lane's microthread are ready, or there is a FIFO to tell that it is not.
WEFT_HD bool all_ready(const View& v, const CoreState& core, const Microthread& t, int lane) {
  const Work& w = t.work[lane];
  for (const std::uint32_t where : w.where) {
    const int q = static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in && !has(filled(core, q), lane)) return false;
    if (Operand::kind(where) == Operand::fabric_out && !has(vacant(v, core, q), lane)) return false;
  }
  if (meets_control(core, w, lane) != 0) return true;
  const FifoLack lack = fifo_lack(v, core, lane, w.where);
  return !lack.any || !lack.noted || !VectorOptions::unpack(v.code[w.pc].imm).async;
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
  for (const std::uint32_t where : t.work[lane].where) {
    if (Operand::kind(where) == Operand::fabric_in)
      core.input_claimed[Operand::queue(where)] &= ~bit;
    if (Operand::kind(where) == Operand::fabric_out)
      core.output_claimed[Operand::queue(where)] &= ~bit;
  }
  const VectorOptions options = VectorOptions::unpack(instruction.imm);
  if (!options.async) {
    core.waiting &= ~bit;
    core.wake[lane] = now + scalar_cycles;
    earlier(core.next_issue, core.wake[lane]);
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    activate_local(core, options.task_id, bit);
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked(core, options.task_kind, options.task_id, bit, false);
  }
}

/// The element's offset from the base, in elements.
WEFT_HD std::uint32_t shape_offset(const ShapeState& s, std::uint32_t element) {
  std::uint32_t offset = 0;
  for (int n = kDimensions - 1; n >= 0; --n) {
    offset += element % s.extent[n] * static_cast<std::uint32_t>(s.stride[n]);
    element /= s.extent[n];
  }
  return offset;
}

/// Byte address of a memory operand's next element.
WEFT_HD std::uint32_t next_address(const View& v, const Work& w, int k, std::uint32_t bytes) {
  if (Operand::kind(w.where[k]) == Operand::memory) return w.at[k];
  return w.at[k] + bytes * shape_offset(v.shapes[Operand::number(w.where[k])], w.step[k]);
}

/// A memory operand goes on to its next element, which is fetched: PEs far apart are stepped in
/// turn, so that no cache foresees it.
template <class L>
WEFT_HD void move_on(const View& v, Place at, int lane, Work& w, int k) {
  if (Operand::kind(w.where[k]) == Operand::memory) {
    w.at[k] += w.step[k];
    if (w.at[k] < v.timing.memory_bytes) L::prefetch(&memory_word(v, at, lane, w.at[k]));
  }
  if (Operand::kind(w.where[k]) == Operand::shaped) ++w.step[k];
}

/// Puts a wavelet into an output queue. Returns false if the lane halted.
template <class L>
WEFT_HD bool put_out(const View& v, Place at, CoreState& core, int lane, std::uint32_t to,
                     std::uint32_t value, std::uint64_t now) {
  const Mask bit = lane_bit(lane);
  const std::uint32_t q = Operand::queue(to);
  const auto color = static_cast<std::uint8_t>(Operand::color(to));
  RampQueue& out = core.out[q];
  if (has(out.valid[0], lane) && out.color[lane] != color) {
    halt(v, at, core, lane, FaultKind::queue_color_changed, now, color, q);
    return false;
  }
  out.color[lane] = color;
  const int slot = delay_slot(now + v.timing.ramp);
  Vector payload;
  payload.at[lane] = value;
  push<L>(out, bit, Operand::control(to) ? bit : 0, payload.at, slot);
  core.outputs_arriving[slot] |= 1U << q;
  core.outputs_held |= 1U << q;
  wake_deliver(v, at, now + v.timing.ramp);
  return true;
}

/// One element of one lane: everything that it needs is there, addresses excepted. Sets the lane's
/// bit in the queues it took from. Returns false if the lane halted.
template <class L>
WEFT_HD bool do_element(const View& v, Place at, CoreState& core, Op op, Work& w, int lane,
                        std::uint64_t now, Mask* took) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(op));
  std::uint32_t value[3] = {}, address[3] = {};
  const auto read = [&](int k) {
    value[k] = Field::at(address[k], widths.bytes[k]).get(memory_word(v, at, lane, address[k]));
  };
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t q = Operand::queue(w.where[k]);
    switch (Operand::kind(w.where[k])) {
      case Operand::memory:
      case Operand::shaped: {
        address[k] = next_address(v, w, k, widths.bytes[k]);
        const FaultKind fault = access_fault(v, address[k], widths.bytes[k]);
        if (fault != FaultKind::none) {
          halt(v, at, core, lane, fault, now, -1, address[k]);
          return false;
        }
        read(k);
        break;
      }
      case Operand::fifo:
        if (k == 0) break;
        address[k] = fifo_pop(core, FifoLane::of(v, core, lane, w.where[k]));
        read(k);
        break;
      case Operand::fabric_in:
        value[k] = core.in[q].payload[0].at[lane];
        took[q] |= lane_bit(lane);
        break;
      case Operand::scalar:
        value[k] = w.at[k];
        break;
      case Operand::fabric_out:
      case Operand::absent:
        break;
    }
  }
  const std::uint32_t result = isa::element(op, value[0], value[1], value[2]);
  for (int k = 0; k < 3; ++k) move_on<L>(v, at, lane, w, k);
  if (Operand::kind(w.where[0]) == Operand::fabric_out)
    return put_out<L>(v, at, core, lane, w.where[0], result, now);
  if (Operand::kind(w.where[0]) == Operand::fifo)
    address[0] = fifo_push(core, FifoLane::of(v, core, lane, w.where[0]));
  std::uint32_t& word = memory_word(v, at, lane, address[0]);
  word = Field::at(address[0], widths.bytes[0]).put(word, result);
  return true;
}

/// One element of microthread u in one lane.
template <class L>
WEFT_HD void step_element(const View& v, Place at, CoreState& core, int u, int lane,
                          std::uint64_t now, Mask* took) {
  Microthread& t = core.microthread[u];
  Work& w = t.work[lane];
  if (std::uint32_t queues = meets_control(core, w, lane)) {
    for (; queues != 0; queues &= queues - 1) took[lowest(queues)] |= lane_bit(lane);
    return;
  }
  const Instruction& instruction = v.code[w.pc];
  if (fifo_lack(v, core, lane, w.where).any) {
    note_lack(v, core, lane, w.where);
    if (!VectorOptions::unpack(instruction.imm).async)
      finish(core, t, lane, instruction, now, v.timing.scalar);
    return;
  }
  if (!do_element<L>(v, at, core, instruction.op, w, lane, now, took)) {
    t.live &= ~lane_bit(lane);
    return;
  }
  if (--w.left == 0) finish(core, t, lane, instruction, now, v.timing.scalar);
}

/// Step 3a. Every microthread that has its data and its room does one element.
template <class L>
WEFT_HD bool step_microthreads(const View& v, Place at, CoreState& core, std::uint64_t now) {
  bool any = false;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const int u = lowest(rest);
    Microthread& t = core.microthread[u];
    if (t.starting != 0) t.starting &= ~L::due(t.first, now);
    const Mask ready = able(v, core, u);
    if (ready == 0) continue;
    Mask took[kInputQueues] = {};
    L::for_each(ready, [&](int lane) { step_element<L>(v, at, core, u, lane, now, took); });
    for (int q = 0; q < kInputQueues; ++q)
      if (took[q] != 0) pop<L>(core.in[q], took[q], static_cast<int>(v.timing.input_depth[q]));
    any = true;
    if (t.live == 0) core.live &= ~(1U << u);
  }
  return any;
}

}  // namespace weft::model
