#pragma once

#include "isa/elements.hpp"
#include "model/core/fifos.hpp"
#include "model/core/halt.hpp"
#include "model/core/memory.hpp"
#include "model/core/work.hpp"
#include "model/ramp/ramp_queue.hpp"

/// Elements of vector instructions with a fabric operand, one lane's at a time.
namespace weft::model {

/// The input queues, a bit each, that hold a control wavelet where a lane's element wants data. It
/// is taken off, and starts no task.
WEFT_INLINE std::uint32_t meets_control(const CoreState& core, const Work& w, int lane) {
  std::uint32_t queues = 0;
  for (int k = 1; k < 3; ++k) {
    const std::uint32_t q = Operand::queue(w.where[k]);
    if (Operand::kind(w.where[k]) == Operand::fabric_in && has(core.in[q].control[0], lane))
      queues |= 1U << q;
  }
  return queues;
}

/// The element's offset from the base, in elements.
WEFT_INLINE std::uint32_t shape_offset(const ShapeState& s, std::uint32_t element) {
  std::uint32_t offset = 0;
  for (int n = kDimensions - 1; n >= 0; --n) {
    offset += element % s.extent[n] * static_cast<std::uint32_t>(s.stride[n]);
    element /= s.extent[n];
  }
  return offset;
}

/// Byte address of a memory operand's next element.
WEFT_INLINE std::uint32_t next_address(const View& v, const Work& w, int k, std::uint32_t bytes) {
  if (Operand::kind(w.where[k]) == Operand::memory) return w.at[k];
  return w.at[k] + bytes * shape_offset(v.shapes[Operand::number(w.where[k])], w.step[k]);
}

/// A memory operand goes on to its next element, which is fetched: PEs far apart are stepped in
/// turn, so that no cache foresees it.
WEFT_INLINE void move_on(const View& v, Place at, int lane, Work& w, int k) {
  if (Operand::kind(w.where[k]) == Operand::memory) {
    w.at[k] += w.step[k];
    if (v.data && w.at[k] < v.timing.memory_bytes) prefetch(&memory_word(v, at, lane, w.at[k]));
  }
  if (Operand::kind(w.where[k]) == Operand::shaped) ++w.step[k];
}

/// Effects of a lane's element on state that the lanes share, a bit each: first the input queues
/// from which it takes a wavelet, by number.
enum class Moved : std::uint8_t {
  from_queue,
  sent = kInputQueues,  ///< put a wavelet into the microthread's output queue ...
  sent_control,         ///< ... a control wavelet
  ended,                ///< the microthread
  bad,                  ///< did nothing: element_fault says why
  count,
};

WEFT_INLINE std::uint32_t flag(Moved what) { return 1U << static_cast<int>(what); }

/// The fault of an element.
struct ElementFault {
  FaultKind kind = FaultKind::none;
  std::int64_t detail = 0;
};

/// Checks a lane's element: all that it needs is there. Finds the addresses of its operands in
/// memory.
WEFT_INLINE ElementFault element_fault(const View& v, const CoreState& core,
                                       const isa::Widths& widths, const Work& w, int lane,
                                       std::uint32_t (&address)[3]) {
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
WEFT_INLINE void halt_element(const View& v, Place at, CoreState& core, Op op, const Work& w,
                              int lane, std::uint64_t now) {
  std::uint32_t address[3];
  const ElementFault fault =
      element_fault(v, core, isa::widths_of(isa::cost_of(op)), w, lane, address);
  const bool queue = fault.kind == FaultKind::queue_color_changed;
  halt<L>(v, at, core, lane, fault.kind, now,
          queue ? static_cast<int>(Operand::color(w.where[0])) : -1, fault.detail, w.pc);
}

/// One element of one lane. Its result, if it is sent, stands in the first free entry of its output
/// queue, for send_to_router. Returns the flags of Moved.
WEFT_INLINE std::uint32_t do_element(const View& v, Place at, CoreState& core, Op op, Work& w,
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
              WordPart::at(address[k], widths.bytes[k]).get(memory_word(v, at, lane, address[k]));
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
  for (int k = 0; k < 3; ++k) move_on(v, at, lane, w, k);
  if (sends) {
    RampQueue& out = core.out[Operand::queue(to)];
    out.color[lane] = static_cast<std::uint8_t>(Operand::color(to));
    if (moves) out.payload[free_entry(out, lane)].at[lane] = result;
    return flags | flag(Moved::sent) | (Operand::control(to) ? flag(Moved::sent_control) : 0);
  }
  if (Operand::kind(to) == Operand::fifo)
    address[0] = fifo_push(core, FifoLane::of(v, core, lane, to));
  if (!moves) return flags;
  std::uint32_t& word = memory_word(v, at, lane, address[0]);
  word = WordPart::at(address[0], widths.bytes[0]).put(word, result);
  return flags;
}

/// One element of microthread u in one lane. Returns the flags of Moved.
WEFT_INLINE std::uint32_t step_element(const View& v, Place at, CoreState& core, int u, int lane) {
  Microthread& t = core.microthread[u];
  Work w = work_in(t, lane);
  if (const std::uint32_t queues = meets_control(core, w, lane)) return queues;
  const Instruction& instruction = v.code[w.pc];
  if (has(t.fifo, lane) && fifo_lack(v, core, lane, w.where).any) {
    note_lack(v, core, lane, w.where);
    return VectorOptions::unpack(instruction.imm).async ? 0 : flag(Moved::ended);
  }
  const std::uint32_t flags = do_element(v, at, core, instruction.op, w, lane);
  if ((flags & flag(Moved::bad)) != 0) return flags;
  --w.left;
  keep_progress(t, lane, w);
  return w.left == 0 ? flags | flag(Moved::ended) : flags;
}

}  // namespace weft::model
