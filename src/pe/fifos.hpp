#pragma once

#include "pe/operands.hpp"
#include "pe/tasks.hpp"

/// FIFOs: circular buffers in a PE's memory that vector instructions push to and pop from.
namespace weft::pe {

/// A FIFO is no first of two descriptors that are sources, no destination that is read, and holds
/// elements of the size that the instruction wants; without a fabric operand nothing is
/// asynchronous.
WEFT_HD bool fifos_fit(CoreView c, const Work& w, const Code& i, bool fabric) {
  const bool two_sources = w.name[2].kind() > Kind::scalar;
  if (w.name[1].kind() == Kind::fifo && two_sources) return false;
  if (w.name[0].kind() == Kind::fifo && isa::accumulates(i.op())) return false;
  if (!fabric && VectorOptions::unpack(i.imm).async) return false;
  for (int k = 0; k < 3; ++k)
    if (w.name[k].kind() == Kind::fifo && c.tasks().fifo[w.name[k].number()].bytes != i.bytes(k))
      return false;
  return true;
}

/// Nothing to pop, or no room to push.
WEFT_HD bool lacks(CoreView c, const Work& w, int k) {
  if (w.name[k].kind() != Kind::fifo) return false;
  const int number = w.name[k].number();
  const std::uint32_t held = c.far().fifo[number].held;
  return k == 0 ? held == c.tasks().fifo[number].capacity : held == 0;
}

WEFT_HD bool fifos_lack(CoreView c, const Work& w) {
  return lacks(c, w, 0) || lacks(c, w, 1) || lacks(c, w, 2);
}

/// Every FIFO that lacks something has been found so before.
WEFT_HD bool knows_lack(CoreView c, const Work& w) {
  for (int k = 0; k < 3; ++k) {
    if (!lacks(c, w, k)) continue;
    const FifoFill& fill = c.far().fifo[w.name[k].number()];
    if (!(k == 0 ? fill.found_full : fill.found_empty)) return false;
  }
  return true;
}

WEFT_HD void note_lack(CoreView c, const Work& w) {
  for (int k = 0; k < 3; ++k) {
    if (!lacks(c, w, k)) continue;
    FifoFill& fill = c.far().fifo[w.name[k].number()];
    (k == 0 ? fill.found_full : fill.found_empty) = true;
  }
}

WEFT_HD std::uint32_t fifo_address(const model::FifoPlace& place, std::uint32_t element) {
  return place.address + place.bytes * (element % place.capacity);
}

/// Takes the oldest element off.
WEFT_HD_RARE std::uint32_t pop_fifo(CoreArgs args, int number) {
  const CoreView c = args.view();
  const model::FifoPlace& place = c.tasks().fifo[number];
  FifoFill& fill = c.far().fifo[number];
  const std::uint32_t value = load(c.memory(), fifo_address(place, fill.head), place.bytes);
  fill.head = (fill.head + 1) % place.capacity;
  --fill.held;
  if (fill.found_full && place.pop_task >= 0) activate(c, place.pop_task);
  fill.found_full = false;
  return value;
}

WEFT_HD_RARE void push_fifo(CoreArgs args, int number, std::uint32_t value) {
  const CoreView c = args.view();
  const model::FifoPlace& place = c.tasks().fifo[number];
  FifoFill& fill = c.far().fifo[number];
  if (c.rules().data)
    store(c.memory(), fifo_address(place, fill.head + fill.held), place.bytes, value);
  ++fill.held;
  if (fill.found_empty && place.push_task >= 0) activate(c, place.push_task);
  fill.found_empty = false;
}

}  // namespace weft::pe
