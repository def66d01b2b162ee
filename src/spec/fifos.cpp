#include <algorithm>

#include "spec/arithmetic.hpp"
#include "spec/core.hpp"

/// FIFOs: circular buffers in a PE's memory, which vector instructions push to and pop from.
namespace weft::spec {

/// A FIFO is no first of two descriptors that are sources, no destination that is read, and holds
/// elements of the size that the instruction wants; without a fabric operand nothing is
/// asynchronous.
bool Core::fifos_fit(const VectorWork& work) const {
  using Kind = Operand::Kind;
  const auto& [to, first, second] = work.operand;
  if (first.kind == Kind::fifo && second.is_descriptor()) return false;
  if (to.kind == Kind::fifo && accumulates(work.op)) return false;
  if (work.options.async && std::ranges::none_of(work.operand, &Operand::is_fabric)) return false;
  return std::ranges::all_of(work.operand, [this](const Operand& o) {
    return o.kind != Kind::fifo || program->fifos[index(o.fifo)].bytes == o.width;
  });
}

/// Nothing to pop, or no room to push.
bool Core::lacks(const Operand& o, bool is_destination) const {
  if (o.kind != Operand::Kind::fifo) return false;
  const std::uint32_t held = fifo[index(o.fifo)].held;
  return is_destination ? held == program->fifos[index(o.fifo)].capacity : held == 0;
}

bool Core::fifos_lack(const VectorWork& work) const {
  const auto& [to, first, second] = work.operand;
  return lacks(to, true) || lacks(first, false) || lacks(second, false);
}

/// Every FIFO that lacks something has been found so before.
bool Core::knows_lack(const VectorWork& work) const {
  const auto& [to, first, second] = work.operand;
  return (!lacks(to, true) || fifo[index(to.fifo)].found_full) &&
         (!lacks(first, false) || fifo[index(first.fifo)].found_empty) &&
         (!lacks(second, false) || fifo[index(second.fifo)].found_empty);
}

void Core::note_lack(const VectorWork& work) {
  const auto& [to, first, second] = work.operand;
  if (lacks(to, true)) fifo[index(to.fifo)].found_full = true;
  for (const Operand& from : {first, second})
    if (lacks(from, false)) fifo[index(from.fifo)].found_empty = true;
}

std::uint32_t Core::pop(int number) {
  const Fifo& place = program->fifos[index(number)];
  FifoFill& fill = fifo[index(number)];
  const std::uint32_t value = read(place.address + place.bytes * fill.head, place.bytes);
  fill.head = (fill.head + 1) % place.capacity;
  --fill.held;
  if (fill.found_full && place.pop_task >= 0) active[index(place.pop_task)] = true;
  fill.found_full = false;
  return value;
}

void Core::push(int number, std::uint32_t value) {
  const Fifo& place = program->fifos[index(number)];
  FifoFill& fill = fifo[index(number)];
  const std::uint32_t tail = (fill.head + fill.held) % place.capacity;
  write(place.address + place.bytes * tail, place.bytes, value);
  ++fill.held;
  if (fill.found_empty && place.push_task >= 0) active[index(place.push_task)] = true;
  fill.found_empty = false;
}

}  // namespace weft::spec
