#pragma once

#include "pe/state.hpp"

/// Queues between router and core, of one direction, and from both of their ends.
namespace weft::pe {

/// A wavelet with its real color.
struct Wavelet {
  std::uint32_t payload;
  int color;
  bool control;
};

/// A PE's queues in one direction.
struct RampQueues {
  Ramp& ramp;
  RampMarks& marks;
  std::uint32_t* payload;   ///< of all PEs
  std::uint32_t n, stride;  ///< its first slot; to the next one
  const RampSizes& sizes;

  WEFT_HD unsigned slot(int queue, unsigned k) const {
    return (ramp.left.number(queue) + k) & sizes.mask[queue];
  }
  /// The slot of the next wavelet that comes.
  WEFT_HD unsigned tail(int queue) const { return ramp.came.number(queue) & sizes.mask[queue]; }
  WEFT_HD std::uint32_t& payload_at(int queue, unsigned slot) const {
    const std::uint32_t word = (sizes.first[queue] + slot) * stride + n;
    return payload[word];
  }
  /// The wavelet that is number k of a queue.
  WEFT_HD Wavelet wavelet(int queue, unsigned k) const {
    const unsigned at = slot(queue, k);
    return {payload_at(queue, at), marks.color[queue], (marks.control[queue] >> at & 1U) != 0};
  }
};

WEFT_HD RampQueues ramp_queues(const CoreArrays& of, std::uint32_t n, Core& core, int direction,
                               const Rules& rules) {
  return {core.ramp[direction],
          core.marks[direction],
          of.payload[direction],
          n,
          rules.pes,
          direction == 0 ? rules.to_core : rules.to_router};
}

/// Puts a wavelet into a queue that has room. It is seen at the other end in cycle `due`.
WEFT_HD void push(const RampQueues& queues, int queue, const Wavelet& wavelet, std::uint64_t due) {
  const unsigned at = queues.tail(queue);
  queues.payload_at(queue, at) = wavelet.payload;
  std::uint8_t& control = queues.marks.control[queue];
  if (wavelet.control) control = static_cast<std::uint8_t>(control | 1U << at);
  queues.ramp.came.increment_at(queue);
  if (queues.ramp.held(queue) == queues.sizes.depth[queue]) set_bit(queues.ramp.full, queue, true);
  std::uint8_t& way = queues.ramp.in_flight.at(due);
  way = static_cast<std::uint8_t>(way | 1U << queue);
}

/// Takes the first wavelet, which is seen, off a queue.
WEFT_HD Wavelet pop(const RampQueues& queues, int queue) {
  const Wavelet first = queues.wavelet(queue, 0);
  std::uint8_t& control = queues.marks.control[queue];
  if (first.control) control = static_cast<std::uint8_t>(control & ~(1U << queues.slot(queue, 0)));
  queues.ramp.left.increment_at(queue);
  set_bit(queues.ramp.full, queue, false);
  if (queues.ramp.seen(queue) == 0) set_bit(queues.ramp.ready, queue, false);
  return first;
}

/// What has come to the far end in this cycle is seen there. Returns whether anything has.
WEFT_HD bool arrive(Ramp& ramp, std::uint64_t cycle) {
  std::uint8_t& way = ramp.in_flight.at(cycle);
  const std::uint32_t queues = way;
  if (queues == 0) return false;
  way = 0;
  ramp.ready = static_cast<std::uint8_t>(ramp.ready | queues);
  return true;
}

}  // namespace weft::pe
