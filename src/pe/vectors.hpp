#pragma once

#include "pe/microthreads.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::pe {

inline constexpr std::uint32_t kMostElements = 0xffff;  // the descriptors' lengths have 16 bits

/// Whether all elements of an operand can be accessed; if not, the core halts at the first that
/// cannot.
WEFT_HD bool access_all(CoreView c, const Work& w, int k, std::uint32_t bytes) {
  const auto step = static_cast<std::int32_t>(w.step[k]);
  const std::int64_t last = w.at[k] + std::int64_t{step} * (w.left - 1U);
  const auto inside = [&](std::int64_t at) {
    return at >= 0 && at < c.rules().timing.memory_bytes;
  };
  if (w.name[k].kind() == Kind::memory && w.at[k] % bytes == 0 && inside(w.at[k]) && inside(last))
    return true;
  Work at = w;
  for (std::uint32_t n = 0; n < w.left; ++n) {
    if (!access(c, address_of(c.rules().programs.shapes, at, k, bytes), bytes)) return false;
    move_on(at);
  }
  return true;
}

/// Elements in order.
template <class F>
WEFT_HD void sweep(std::uint32_t* memory, const model::ShapeState* shapes, Work w,
                   const isa::Widths& widths, F f) {
  const auto value = [&](int k, std::uint32_t& address) {
    if (!w.name[k].in_memory()) return w.at[k];
    address = address_of(shapes, w, k, widths.bytes[k]);
    return load(memory, address, widths.bytes[k]);
  };
  std::uint32_t to = 0, from = 0;
  for (; w.left > 0; --w.left) {
    const std::uint32_t d = value(0, to), a = value(1, from), b = value(2, from);
    store(memory, to, widths.bytes[0], static_cast<std::uint32_t>(f(d, a, b)));
    move_on(w);
  }
}

/// All elements at once; nothing happens if one of them is out of range. Returns the cycles.
WEFT_HD_RARE std::uint32_t run_in_memory(CoreView c, const Instruction& i) {
  const Fields fields = fields_of(isa::format_of(i.op));
  const Work& w = c.work(kOwnWork);
  const isa::Widths widths = isa::widths_of(isa::cost_of(i.op));
  for (int k = 0; k < 3; ++k)
    if (w.name[k].in_memory() && w.left != 0 && !access_all(c, w, k, widths.bytes[k])) return 0;
  if (!c.rules().data) return vector_cycles(c, fields, i, w.left);
#define WEFT_FORMAT(name, ...) constexpr bool is_vector_##name = false;
#define WEFT_VECTOR_FORMAT(name, ...) constexpr bool is_vector_##name = true;
#include "isa/formats.def"
  switch (i.op) {
#define WEFT_INSTRUCTION(name, format, function, ...)                                      \
  case Op::name:                                                                           \
    if constexpr (is_vector_##format)                                                      \
      sweep(c.memory(), c.rules().programs.shapes, w, widths,                              \
            [](isa::Word d, isa::Word a, isa::Word b) { return isa::function(d, a, b); }); \
    break;
#include "isa/instructions.def"
  }
  return vector_cycles(c, fields, i, w.left);
}

/// As many elements as the FIFOs allow, one after the other. Returns the cycles.
WEFT_HD_RARE std::uint32_t run_with_fifos(CoreView c, const Instruction& i) {
  const Fields fields = fields_of(isa::format_of(i.op));
  const Work& w = c.work(kOwnWork);
  std::uint32_t done = 0;
  for (; done < w.left && !fifos_lack(c, w); ++done)
    if (!do_element(c, i.op, kOwnWork)) return 0;
  if (done < w.left) note_lack(c, w);
  return vector_cycles(c, fields, i, done);
}

/// Returns the cycles until the core's next instruction.
WEFT_HD_RARE std::uint32_t run_vector(CoreView c, const Instruction& i) {
  Work& w = c.work(kOwnWork);
  w = work_of(c, fields_of(isa::format_of(i.op)), i);
  bool fabric = false, fifo = false;
  for (const Name name : w.name) {
    fabric |= name.is_fabric();
    fifo |= name.kind() == Kind::fifo;
  }
  if (w.left > kMostElements)
    halt(c, FaultKind::bad_length, -1, w.left);
  else if (fifo && !fifos_fit(c, w, i, fabric))
    halt(c, FaultKind::bad_operands, -1, microthread_of(w));
  else if (fabric)
    start_microthread(c, i);
  else
    return fifo ? run_with_fifos(c, i) : run_in_memory(c, i);
  return c.rules().timing.scalar;
}

}  // namespace weft::pe
