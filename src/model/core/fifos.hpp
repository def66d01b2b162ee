#pragma once

#include "model/core/task_bits.hpp"

/// FIFOs: circular buffers in a PE's memory that vector instructions push to and pop from.
namespace weft::model {

/// One lane's FIFO.
struct FifoLane {
  FifoState& state;
  const FifoPlace& place;
  int lane;

  WEFT_INLINE static FifoLane of(const View& v, const CoreState& core, int lane,
                                 std::uint32_t where) {
    const std::uint32_t n = Operand::number(where);
    return {v.fifos[core.fifo + static_cast<std::int32_t>(n)],
            v.programs[core.program[lane]].fifo[n], lane};
  }
  WEFT_INLINE bool full() const { return state.held.at[lane] == place.capacity; }
  WEFT_INLINE bool empty() const { return state.held.at[lane] == 0; }
  /// Byte address of an element, counted from the oldest.
  WEFT_INLINE std::uint32_t address(std::uint32_t n) const {
    return place.address + (state.head.at[lane] + n) % place.capacity * place.bytes;
  }
};

/// Whether FIFOs keep an element waiting.
struct FifoLack {
  bool any = false;   ///< a FIFO to pop from is empty, or one to push to is full
  bool noted = true;  ///< and every such FIFO remembers it
};

/// `where`: the operands, destination first.
WEFT_INLINE FifoLack fifo_lack(const View& v, const CoreState& core, int lane,
                               const std::uint32_t* where) {
  FifoLack lack;
  for (int k = 0; k < 3; ++k) {
    if (Operand::kind(where[k]) != Operand::fifo) continue;
    const FifoLane f = FifoLane::of(v, core, lane, where[k]);
    if (k == 0 ? !f.full() : !f.empty()) continue;
    lack.any = true;
    lack.noted = lack.noted && has(k == 0 ? f.state.was_full : f.state.was_empty, lane);
  }
  return lack;
}

/// The FIFOs that keep an element waiting remember that they were found empty or full.
WEFT_INLINE void note_lack(const View& v, const CoreState& core, int lane,
                           const std::uint32_t* where) {
  for (int k = 0; k < 3; ++k) {
    if (Operand::kind(where[k]) != Operand::fifo) continue;
    const FifoLane f = FifoLane::of(v, core, lane, where[k]);
    if (k == 0 && f.full()) f.state.was_full |= lane_bit(lane);
    if (k > 0 && f.empty()) f.state.was_empty |= lane_bit(lane);
  }
}

/// Clears the lane's bit of `found`; if it was set, the task becomes active.
WEFT_INLINE void tell_task(CoreState& core, Mask& found, int lane, std::int32_t task) {
  if (!has(found, lane)) return;
  found &= ~lane_bit(lane);
  if (task >= 0) activate_local(core, task, lane_bit(lane));
}

/// Makes room for one more element, and returns its byte address.
WEFT_INLINE std::uint32_t fifo_push(CoreState& core, const FifoLane& f) {
  tell_task(core, f.state.was_empty, f.lane, f.place.push_task);
  return f.address(f.state.held.at[f.lane]++);
}

/// Takes the oldest element off, and returns its byte address.
WEFT_INLINE std::uint32_t fifo_pop(CoreState& core, const FifoLane& f) {
  tell_task(core, f.state.was_full, f.lane, f.place.pop_task);
  const std::uint32_t address = f.address(0);
  f.state.head.at[f.lane] = (f.state.head.at[f.lane] + 1) % f.place.capacity;
  --f.state.held.at[f.lane];
  return address;
}

}  // namespace weft::model
