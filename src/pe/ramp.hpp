#pragma once

#include "pe/state.hpp"

/// Queues between router and core, from both of their ends.
namespace weft::pe {

/// A wavelet with its real color.
struct Wavelet {
  std::uint32_t payload;
  int color;
  bool control;
};

WEFT_HD unsigned way_at(std::uint64_t cycle) { return static_cast<unsigned>(cycle % 8) * 8U; }

/// Queues in which a wavelet is seen from this cycle on.
WEFT_HD std::uint32_t take_due(std::uint64_t& way, std::uint64_t cycle) {
  const std::uint32_t due = static_cast<std::uint32_t>(way >> way_at(cycle)) & QueuePlanes::kQueues;
  way &= ~(std::uint64_t{QueuePlanes::kQueues} << way_at(cycle));
  return due;
}

/// What has come to the far end of the ramp in this cycle is seen there.
WEFT_HD void arrive(Ramp& ramp, std::uint64_t cycle) {
  if ((ramp.in_way | ramp.out_way) == 0) return;
  ramp.in_seen.increment(take_due(ramp.in_way, cycle));
  ramp.out_seen.increment(take_due(ramp.out_way, cycle));
}

WEFT_HD unsigned input_slot(const Rules& rules, const Ramp& ramp, int queue, unsigned k) {
  return (ramp.in_head.number(queue) + k) & rules.input_mask[queue];
}
WEFT_HD unsigned output_slot(const Rules& rules, const Ramp& ramp, int queue, unsigned k) {
  return (ramp.out_head.number(queue) + k) & rules.output_mask[queue];
}

WEFT_HD std::uint32_t full_inputs(const Rules& rules, const Ramp& ramp) {
  return ramp.in_held.equal(rules.input_full);
}

// The router's side.

/// The router puts a wavelet for the core into an input queue, which has room. Returns whether
/// another color is in it.
template <class S>
WEFT_HD bool put_in(const Pe<S>& pe, const Rules& rules, int queue, const Wavelet& wavelet,
                    bool shared, std::uint64_t now) {
  Ramp& ramp = *pe.ramp;
  Far<S>& far = *pe.far;
  const std::uint32_t bit = 1U << queue;
  const unsigned slot = input_slot(rules, ramp, queue, ramp.in_held.number(queue));
  pe.in[rules.input_first[queue] + slot] = wavelet.payload;
  bool mixed = false;
  if (shared) {
    mixed = far.in_color[queue] != wavelet.color && (ramp.in_held.some() & bit) != 0;
    far.in_color[queue] = static_cast<std::uint8_t>(wavelet.color);
  }
  if (wavelet.control)
    far.in_control[queue] = static_cast<std::uint8_t>(far.in_control[queue] | 1U << slot);
  ramp.in_held.increment(bit);
  ramp.in_way |= std::uint64_t{bit} << way_at(now + rules.timing.ramp);
  return mixed;
}

/// The first wavelet of an output queue.
template <class S>
WEFT_HD Wavelet first_out(const Pe<S>& pe, const Rules& rules, int queue) {
  const unsigned slot = output_slot(rules, *pe.ramp, queue, 0);
  return {pe.out[rules.output_first[queue] + slot], pe.far->out_color[queue],
          (pe.far->out_control[queue] >> slot & 1U) != 0};
}

template <class S>
WEFT_HD void pop_out(const Pe<S>& pe, const Rules& rules, int queue) {
  const unsigned slot = output_slot(rules, *pe.ramp, queue, 0);
  std::uint8_t& control = pe.far->out_control[queue];
  if (control != 0) control = static_cast<std::uint8_t>(control & ~(1U << slot));
  const std::uint32_t bit = 1U << queue;
  pe.ramp->out_held.decrement(bit);
  pe.ramp->out_seen.decrement(bit);
  pe.ramp->out_head.increment(bit);
}

// The core's side.

/// Input queues with a wavelet that the core sees.
WEFT_HD std::uint32_t seen_inputs(const Ramp& ramp) { return ramp.in_seen.some(); }
/// Output queues that have no room.
WEFT_HD std::uint32_t full_outputs(const Rules& rules, const Ramp& ramp) {
  return ramp.out_held.equal(rules.output_full);
}

/// The core takes the first wavelet that it sees off an input queue.
template <class S>
WEFT_HD Wavelet take_in(const Pe<S>& pe, const Rules& rules, int queue) {
  const unsigned slot = input_slot(rules, *pe.ramp, queue, 0);
  std::uint8_t& control = pe.far->in_control[queue];
  const bool is_control = (control >> slot & 1U) != 0;
  if (is_control) control = static_cast<std::uint8_t>(control & ~(1U << slot));
  const std::uint32_t bit = 1U << queue;
  pe.ramp->in_held.decrement(bit);
  pe.ramp->in_seen.decrement(bit);
  pe.ramp->in_head.increment(bit);
  return {pe.in[rules.input_first[queue] + slot], pe.far->in_color[queue], is_control};
}

/// The core puts a wavelet into an output queue that has room, and no other color's.
template <class S>
WEFT_HD void put_out(const Pe<S>& pe, const Rules& rules, int queue, const Wavelet& wavelet,
                     std::uint64_t now) {
  Ramp& ramp = *pe.ramp;
  const unsigned slot = output_slot(rules, ramp, queue, ramp.out_held.number(queue));
  pe.out[rules.output_first[queue] + slot] = wavelet.payload;
  pe.far->out_color[queue] = static_cast<std::uint8_t>(wavelet.color);
  std::uint8_t& control = pe.far->out_control[queue];
  if (wavelet.control) control = static_cast<std::uint8_t>(control | 1U << slot);
  const std::uint32_t bit = 1U << queue;
  ramp.out_held.increment(bit);
  ramp.out_way |= std::uint64_t{bit} << way_at(now + rules.timing.ramp);
}

}  // namespace weft::pe
