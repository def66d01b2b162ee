#pragma once

#include "pe/microthreads.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::pe {

inline constexpr std::uint32_t kMostElements = 0xffff;  // the descriptors' lengths have 16 bits

/// Addresses between which all elements of an operand lie.
struct Span {
  std::int64_t first, last;

  WEFT_HD void reach(std::int64_t by) { (by < 0 ? first : last) += by; }
};
WEFT_HD Span span_of(const model::ShapeState* shapes, const Work& w, int k, std::uint32_t bytes) {
  Span span{w.at[k], w.at[k]};
  std::uint32_t last = w.left - 1U;  // the last element, then its place in the dimensions
  if (w.name[k].kind() == Kind::memory) {
    span.reach(std::int64_t{static_cast<std::int32_t>(w.step[k])} * last);
    return span;
  }
  const model::ShapeState& shape = shapes[w.name[k].number()];
  for (int n = kDimensions - 1; n >= 0 && last != 0; --n) {
    const std::uint32_t extent = shape.extent[n];
    span.reach(std::int64_t{shape.stride[n]} * bytes * (last < extent ? last : extent - 1U));
    last /= extent;
  }
  return span;
}

/// Whether all elements of an operand can be accessed; if not, the core halts at the first that
/// cannot.
WEFT_HD bool access_all(CoreView c, const Work& w, int k, std::uint32_t bytes) {
  const Span span = span_of(c.rules().programs.shapes, w, k, bytes);
  if ((w.at[k] & (bytes - 1U)) == 0 && span.first >= 0 && span.last < c.rules().timing.memory_bytes)
    return true;
  Work at = w;
  for (std::uint32_t n = 0; n < w.left; ++n) {
    if (!access(c, address_of(c.rules().programs.shapes, at, k, bytes), bytes)) return false;
    move_on(at);
  }
  return true;
}

/// Elements of an operand one after the other: those of a shape row by row, the row being its last
/// dimension.
struct Walk {
  std::uint32_t at, step;  ///< byte address, or a scalar; bytes to the next in the row
  std::uint32_t row;       ///< elements that are left of it
  bool in_memory;
};

/// `element`: its number.
WEFT_HD Walk walk_from(const model::ShapeState* shapes, const Work& w, int k, std::uint32_t bytes,
                       std::uint32_t element) {
  if (w.name[k].kind() != Kind::shaped) return {w.at[k], w.step[k], ~0U, w.name[k].in_memory()};
  const model::ShapeState& shape = shapes[w.name[k].number()];
  const std::uint32_t extent = shape.extent[kDimensions - 1];
  return {w.at[k] + bytes * shape_offset(shape, element),
          bytes * static_cast<std::uint32_t>(shape.stride[kDimensions - 1]),
          extent - element % extent, true};
}

/// Elements in order.
template <class F>
WEFT_HD void sweep(std::uint32_t* memory, const model::ShapeState* shapes, const Work& w,
                   const isa::Widths& widths, F f) {
  const std::uint32_t count = w.left;
  Walk walk[3];
  for (int k = 0; k < 3; ++k) walk[k] = walk_from(shapes, w, k, widths.bytes[k], 0);
  const auto value = [&](int k) {
    return walk[k].in_memory ? load(memory, walk[k].at, widths.bytes[k]) : walk[k].at;
  };
  for (std::uint32_t n = 0; n < count;) {
    const std::uint32_t d = value(0), a = value(1), b = value(2);
    store(memory, walk[0].at, widths.bytes[0], static_cast<std::uint32_t>(f(d, a, b)));
    ++n;
    for (int k = 0; k < 3; ++k) {
      walk[k].at += walk[k].step;
      if (--walk[k].row == 0) walk[k] = walk_from(shapes, w, k, widths.bytes[k], n);
    }
  }
}

/// All elements at once; nothing happens if one of them is out of range. Returns the cycles.
WEFT_HD_RARE std::uint32_t run_in_memory(CoreArgs args, const Code& i) {
  const CoreView c = args.view();
  const Work& w = c.work(kOwnWork);
  for (int k = 0; k < 3; ++k)
    if (w.name[k].in_memory() && w.left != 0 && !access_all(c, w, k, i.bytes(k))) return 0;
  if (!c.rules().data) return vector_cycles(c, i, w.left);
#define WEFT_FORMAT(name, ...) constexpr bool is_vector_##name = false;
#define WEFT_VECTOR_FORMAT(name, ...) constexpr bool is_vector_##name = true;
#include "isa/formats.def"
  switch (i.op()) {
#define WEFT_INSTRUCTION(name, format, function, ...)                                         \
  case Op::name:                                                                              \
    if constexpr (is_vector_##format)                                                         \
      sweep(c.memory(), c.rules().programs.shapes, w, isa::widths_of(isa::cost_of(Op::name)), \
            [](isa::Word d, isa::Word a, isa::Word b) { return isa::function(d, a, b); });    \
    break;
#include "isa/instructions.def"
  }
  return vector_cycles(c, i, w.left);
}

/// As many elements as the FIFOs allow, one after the other. Returns the cycles.
WEFT_HD_RARE std::uint32_t run_with_fifos(CoreArgs args, const Code& i) {
  const CoreView c = args.view();
  const Work& w = c.work(kOwnWork);
  std::uint32_t done = 0;
  for (; done < w.left && !fifos_lack(c, w); ++done)
    if (!do_element(c, i, kOwnWork)) return 0;
  if (done < w.left) note_lack(c, w);
  return vector_cycles(c, i, done);
}

/// Returns the cycles until the core's next instruction.
WEFT_HD_RARE std::uint32_t run_vector(CoreArgs args, const Code& i) {
  const CoreView c = args.view();
  Work& w = c.work(kOwnWork);
  w = work_of(c, i);
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
