#pragma once

#include <cstddef>

#include "isa/elements.hpp"
#include "model/fifos.hpp"
#include "model/tasks.hpp"

/// Vector instructions with a fabric operand: at most one element a cycle.
namespace weft::model {

/// A word of memory of all PEs of a strip; `near`: the strip's part of View::memory.
template <class L>
WEFT_HD std::uint32_t* memory_row(const View& v, Place at, std::uint32_t* near,
                                  std::uint32_t word) {
  if constexpr (L::kFarMemory)
    if (word >= v.near_words)
      return v.far_memory + (static_cast<std::uint64_t>(at.index) * v.memory_words + word) * kLanes;
  return near + static_cast<std::size_t>(word) * kLanes;
}

WEFT_HD std::uint32_t* near_memory(const View& v, Place at) {
  return v.memory + static_cast<std::uint64_t>(at.index) * v.near_words * kLanes;
}

/// The PE's memory word at a byte address that was checked.
template <class L>
WEFT_HD std::uint32_t& memory_word(const View& v, Place at, int lane, std::uint32_t address) {
  return memory_row<L>(v, at, near_memory(v, at), address / 4)[lane];
}

/// The fault of an access of `bytes` bytes, or none.
WEFT_HD FaultKind access_fault(const View& v, std::uint32_t address, std::uint32_t bytes) {
  if ((address & (bytes - 1)) != 0) return FaultKind::memory_misaligned;
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

/// Lanes in which microthread u needs nothing but its one queue, and has it.
WEFT_HD Mask has_its_queue(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  Mask lanes = t.input_only & filled(core, u);
  if (u < kOutputQueues) lanes |= t.output_only & vacant(v, core, u);
  return lanes;
}

/// Lanes in which such a microthread could do an element now.
WEFT_HD Mask able_alone(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  return has_its_queue(v, core, u) & t.live & ~t.starting;
}

/// Lanes in which it will wait for its queue.
WEFT_HD Mask kept_by_queue(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  return (t.input_only | t.output_only) & ~has_its_queue(v, core, u);
}

/// As able_alone, of the lanes in which it needs something else too.
template <class L>
WEFT_HD Mask able_with_others(const View& v, const CoreState& core, int u) {
  const Microthread& t = core.microthread[u];
  return L::where(t.live & ~t.starting & ~t.input_only & ~t.output_only,
                  [&](int lane) { return all_ready(v, core, t, lane); });
}

/// The queues of these lanes' microthreads are free again, and what they were to do at their end is
/// done. `work`: of all of them.
template <class L>
WEFT_HD void finish(const View& v, CoreState& core, Microthread& t, Mask lanes, const Work& work,
                    std::uint64_t now) {
  t.live &= ~lanes;
  t.input_only &= ~lanes;
  t.output_only &= ~lanes;
  t.fifo &= ~lanes;
  for (const std::uint32_t where : work.where) {
    if (Operand::kind(where) == Operand::fabric_in)
      core.input_claimed[Operand::queue(where)] &= ~lanes;
    if (Operand::kind(where) == Operand::fabric_out)
      core.output_claimed[Operand::queue(where)] &= ~lanes;
  }
  const VectorOptions options = VectorOptions::unpack(v.code[work.pc].imm);
  if (!options.async) {
    core.waiting &= ~lanes;
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = lowest(lanes);
      go_on(v, core, lane, core.pc.at[lane], now + v.timing.scalar);
      earlier(core.next_issue, core.turn[lane]);
    }
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    activate_local(core, options.task_id, lanes);
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked<L>(core, options.task_kind, options.task_id, lanes, false);
  }
}

/// The element's offset from the base, in elements.
WEFT_HD_ONCE std::uint32_t shape_offset(const ShapeState& s, std::uint32_t element) {
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
    if (v.data && w.at[k] < v.timing.memory_bytes)
      L::prefetch(&memory_word<L>(v, at, lane, w.at[k]));
  }
  if (Operand::kind(w.where[k]) == Operand::shaped) ++w.step[k];
}

/// What a lane's element does to what the lanes share, a bit each: first the input queues from
/// which it takes a wavelet, by number.
enum class Moved : std::uint8_t {
  from_queue,
  sent = kInputQueues,  ///< put a wavelet into the microthread's output queue ...
  sent_control,         ///< ... a control wavelet
  ended,                ///< the microthread
  bad,                  ///< did nothing: element_fault says why
  count,
};

WEFT_HD std::uint32_t flag(Moved what) { return 1U << static_cast<int>(what); }

/// What is wrong with an element.
struct ElementFault {
  FaultKind kind = FaultKind::none;
  std::int64_t detail = 0;
};

/// Checks a lane's element: all that it needs is there. Finds the addresses of its operands in
/// memory.
WEFT_HD ElementFault element_fault(const View& v, const CoreState& core, const isa::Widths& widths,
                                   const Work& w, int lane, std::uint32_t (&address)[3]) {
  for (int k = 0; k < 3; ++k) {
    const Operand::Kind kind = Operand::kind(w.where[k]);
    if (kind != Operand::memory && kind != Operand::shaped) continue;
    address[k] = next_address(v, w, k, widths.bytes[k]);
    const FaultKind fault = access_fault(v, address[k], widths.bytes[k]);
    if (fault != FaultKind::none) return {fault, address[k]};
  }
  if (Operand::kind(w.where[0]) == Operand::fabric_out) {
    const std::uint32_t q = Operand::queue(w.where[0]);
    const RampQueue& out = core.out[q];
    if (has(out.valid[0], lane) && out.color[lane] != Operand::color(w.where[0]))
      return {FaultKind::queue_color_changed, q};
  }
  return {};
}

/// Halts a lane whose element is bad.
template <class L>
WEFT_HD void halt_element(const View& v, Place at, CoreState& core, Op op, const Work& w, int lane,
                          std::uint64_t now) {
  std::uint32_t address[3];
  const ElementFault fault =
      element_fault(v, core, isa::widths_of(isa::cost_of(op)), w, lane, address);
  const bool queue = fault.kind == FaultKind::queue_color_changed;
  halt<L>(v, at, core, lane, fault.kind, now,
          queue ? static_cast<int>(Operand::color(w.where[0])) : -1, fault.detail);
}

/// One element of one lane. What it sends stands in the first free entry of its output queue, for
/// push_masks. Returns the flags of Moved.
template <class L>
WEFT_HD std::uint32_t do_element(const View& v, Place at, CoreState& core, Op op, Work& w,
                                 int lane) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(op));
  std::uint32_t value[3] = {}, address[3] = {};
  if (element_fault(v, core, widths, w, lane, address).kind != FaultKind::none)
    return flag(Moved::bad);
  std::uint32_t flags = 0;
  const std::uint32_t to = w.where[0];
  const bool sends = Operand::kind(to) == Operand::fabric_out;
  const bool moves = v.data || (sends && Operand::control(to));  // a value
  for (int k = 0; k < 3; ++k) {
    switch (Operand::kind(w.where[k])) {
      case Operand::fifo:
        if (k == 0) break;
        address[k] = fifo_pop(core, FifoLane::of(v, core, lane, w.where[k]));
        [[fallthrough]];
      case Operand::memory:
      case Operand::shaped:
        if (moves)
          value[k] =
              Field::at(address[k], widths.bytes[k]).get(memory_word<L>(v, at, lane, address[k]));
        break;
      case Operand::fabric_in: {
        const std::uint32_t q = Operand::queue(w.where[k]);
        value[k] = v.data ? core.in[q].payload[0].at[lane] : 0;
        flags |= 1U << q;
        break;
      }
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
  if (sends) {
    RampQueue& out = core.out[Operand::queue(to)];
    out.color[lane] = static_cast<std::uint8_t>(Operand::color(to));
    if (moves) out.payload[free_entry(out, lane)].at[lane] = result;
    return flags | flag(Moved::sent) | (Operand::control(to) ? flag(Moved::sent_control) : 0);
  }
  if (Operand::kind(to) == Operand::fifo)
    address[0] = fifo_push(core, FifoLane::of(v, core, lane, to));
  if (!moves) return flags;
  std::uint32_t& word = memory_word<L>(v, at, lane, address[0]);
  word = Field::at(address[0], widths.bytes[0]).put(word, result);
  return flags;
}

/// An element of vmov32 between a queue and memory, as most elements are: what do_element does, in
/// a third fewer machine instructions. Returns the flags of Moved; 0: it is not one, or bad, and
/// nothing was done.
template <class L>
WEFT_HD std::uint32_t move_word(const View& v, Place at, CoreState& core, Work& w, int lane) {
  const std::uint32_t to = w.where[0], from = w.where[1];
  const auto is = [](std::uint32_t where, Operand::Kind kind) {
    return Operand::kind(where) == kind;
  };
  const bool receives = is(to, Operand::memory) && is(from, Operand::fabric_in);
  const bool sends = is(to, Operand::fabric_out) && is(from, Operand::memory);
  const int k = receives ? 0 : 1;
  if (!(receives || sends) || access_fault(v, w.at[k], 4) != FaultKind::none) return 0;
  std::uint32_t& word = memory_word<L>(v, at, lane, w.at[k]);
  if (receives) {
    const std::uint32_t q = Operand::queue(from);
    word = core.in[q].payload[0].at[lane];
    move_on<L>(v, at, lane, w, k);
    return 1U << q;
  }
  RampQueue& out = core.out[Operand::queue(to)];
  const auto color = static_cast<std::uint8_t>(Operand::color(to));
  if (has(out.valid[0], lane) && out.color[lane] != color) return 0;
  out.color[lane] = color;
  out.payload[free_entry(out, lane)].at[lane] = word;
  move_on<L>(v, at, lane, w, k);
  return flag(Moved::sent) | (Operand::control(to) ? flag(Moved::sent_control) : 0);
}

/// One element of microthread u in one lane. Returns the flags of Moved.
template <class L>
WEFT_HD std::uint32_t step_element(const View& v, Place at, CoreState& core, int u, int lane) {
  const Microthread& t = core.microthread[u];
  Work& w = core.microthread[u].work[lane];
  if (const std::uint32_t queues = meets_control(core, w, lane)) return queues;
  const Instruction& instruction = v.code[w.pc];
  if (has(t.fifo, lane) && fifo_lack(v, core, lane, w.where).any) {
    note_lack(v, core, lane, w.where);
    return VectorOptions::unpack(instruction.imm).async ? 0 : flag(Moved::ended);
  }
  std::uint32_t flags = 0;
  if (v.data && instruction.op == Op::vmov32) flags = move_word<L>(v, at, core, w, lane);
  if (flags == 0) flags = do_element<L>(v, at, core, instruction.op, w, lane);
  if ((flags & flag(Moved::bad)) != 0) return flags;
  return --w.left == 0 ? flags | flag(Moved::ended) : flags;
}

/// These lanes have put a wavelet, of control or not, into output queue q.
template <class L>
WEFT_HD void put_on_ramp(const View& v, Place at, CoreState& core, int q, Mask lanes, Mask control,
                         std::uint64_t now) {
  const int slot = delay_slot(now + v.timing.ramp);
  push_masks(core.out[q], lanes, control, slot);
  core.outputs_arriving[slot] |= 1U << q;
  v.strip[at.index].outputs_held |= 1U << q;
  wake_deliver<L>(v, at, now + v.timing.ramp);
}

/// What the elements of microthread u did to what the lanes share.
template <class L>
WEFT_HD void settle_elements(const View& v, Place at, CoreState& core, int u,
                             const typename L::template Flags<static_cast<int>(Moved::count)>& did,
                             std::uint64_t now) {
  Microthread& t = core.microthread[u];
  const auto of = [&](Moved what) { return did.of(static_cast<int>(what)); };
  L::for_each(of(Moved::bad), [&](int lane) {
    halt_element<L>(v, at, core, v.code[t.work[lane].pc].op, t.work[lane], lane, now);
    t.live &= ~lane_bit(lane);
  });
  const Mask sent = of(Moved::sent), control = of(Moved::sent_control);
  if (sent != 0) L::once([&] { put_on_ramp<L>(v, at, core, u, sent, control, now); });
  L::for_each(of(Moved::ended),
              [&](int lane) { finish<L>(v, core, t, lane_bit(lane), t.work[lane], now); });
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    if (const Mask took = did.of(q))
      pop<L>(v, core.in[q], took, static_cast<int>(v.timing.input_depth[q]));
  }
}

}  // namespace weft::model
