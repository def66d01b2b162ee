#pragma once

#include "pe/fifos.hpp"

/// One element of a vector instruction, wherever its operands are.
namespace weft::pe {

/// The value of an operand's next element, which leaves its queue or FIFO.
WEFT_HD std::uint32_t take(CoreView c, const Work& w, int k, std::uint32_t address,
                           std::uint32_t bytes) {
  switch (w.name[k].kind()) {
    case Kind::memory:
    case Kind::shaped:
      return load(c.memory(), address, bytes);
    case Kind::input:
      return pop(c.in(), w.name[k].number()).payload;
    case Kind::fifo:
      return pop_fifo(c, w.name[k].number());
    case Kind::scalar:
      return w.at[k];
    default:
      return 0;
  }
}

/// Puts a wavelet into an output queue that has room. False: it holds another color, and the core
/// halts.
WEFT_HD bool send(CoreView c, Name to, std::uint32_t value) {
  const int queue = to.number();
  std::uint8_t& color = c.out().marks.color[queue];
  if (color != to.color() && c.out().ramp.held(queue) != 0) {
    halt(c, FaultKind::queue_color_changed, to.color(), queue);
    return false;
  }
  color = static_cast<std::uint8_t>(to.color());
  push(c.out(), queue, {value, to.color(), to.kind() == Kind::control_output},
       c.cycle + c.rules().timing.ramp);
  return true;
}

/// The next element of a microthread (or kOwnWork), for which all is there. False: the core halts.
WEFT_HD_RARE bool do_element(CoreArgs args, const Code& i, int number) {
  const CoreView c = args.view();
  Work& w = c.work(number);
  std::uint32_t value[3] = {}, address[3] = {};
  for (int k = 0; k < 3; ++k) {
    const bool in_memory = w.name[k].in_memory();
    if (k == 0 && !in_memory) continue;  // only written
    if (in_memory) {
      address[k] = address_of(c.rules().programs.shapes, w, k, i.bytes(k));
      if (!access(c, address[k], i.bytes(k))) return false;
    }
    value[k] = take(c, w, k, address[k], i.bytes(k));
  }
  const Name to = w.name[0];
  const bool counts = c.rules().data || to.kind() == Kind::control_output;
  const std::uint32_t result = counts ? isa::element(i.op(), value[0], value[1], value[2]) : 0;
  if (to.is_output()) {
    if (!send(c, to, result)) return false;
  } else if (to.kind() == Kind::fifo) {
    push_fifo(c, to.number(), result);
  } else if (counts) {
    store(c.memory(), address[0], i.bytes(0), result);
  }
  move_on(w);
  return true;
}

}  // namespace weft::pe
