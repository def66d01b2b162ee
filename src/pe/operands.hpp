#pragma once

#include "isa/elements.hpp"
#include "pe/core_view.hpp"

/// Operands of vector instructions: what they name, where their elements stand, and their rate.
namespace weft::pe {

/// The descriptor whose length counts: the first source's, else the destination's.
WEFT_HD const Descriptor& lengths_of(const FarCore& far, const Code& i) {
  return far.dsr[i.is_descriptor(1) ? i.a() : i.d()];
}

/// A vector instruction's work, from the descriptors as they are now.
WEFT_HD Work work_of(CoreView c, const Code& i) {
  Work w{};
  for (int k = 0; k < 3; ++k) {
    if (!i.is_descriptor(k)) continue;
    const Descriptor& d = c.far().dsr[i.field(k)];
    w.name[k] = d.name;
    w.at[k] = d.base;
    if (d.name.kind() == Kind::memory) w.step[k] = d.stride * i.bytes(k);
  }
  if (i.has(Is::scaled)) {
    w.name[2] = Name::of(Kind::scalar);
    w.at[2] = c.reg(i.b());
  }
  w.pc = c.near().pc;
  w.left = lengths_of(c.far(), i).length;
  return w;
}

/// An element's offset from the base, in elements. (The outermost dimension in use has no end.)
WEFT_HD_RARE std::uint32_t shape_offset(const model::ShapeState& shape, std::uint32_t element) {
  std::uint32_t offset = 0;
  for (int n = kDimensions - 1; n >= 0 && element != 0; --n) {
    offset += element % shape.extent[n] * static_cast<std::uint32_t>(shape.stride[n]);
    element /= shape.extent[n];
  }
  return offset;
}

/// Byte address of the next element of an operand in memory.
WEFT_HD std::uint32_t address_of(const model::ShapeState* shapes, const Work& w, int k,
                                 std::uint32_t bytes) {
  if (w.name[k].kind() == Kind::memory) return w.at[k];
  return w.at[k] + bytes * shape_offset(shapes[w.name[k].number()], w.step[k]);
}

/// All operands go on to their next elements.
WEFT_HD void move_on(Work& w) {
  for (int k = 0; k < 3; ++k) {
    if (w.name[k].kind() == Kind::memory) w.at[k] += w.step[k];
    if (w.name[k].kind() == Kind::shaped) ++w.step[k];
  }
}

/// The most elements a cycle that a stride (in elements) allows.
WEFT_HD std::uint32_t stride_rate(const model::Timing& t, std::uint32_t stride) {
  if (stride < 2) return ~0U;
  const std::uint32_t part = stride % 8;
  if (part == 4) return t.stride_4_rate;
  if (part == 1 || part == 7) return 2;
  return part == 0 ? 1 : ~0U;
}

/// From one element of a descriptor to the next: of a shape in its last dimension, of a FIFO 1.
WEFT_HD std::uint32_t stride_of(const Rules& rules, const Descriptor& d) {
  if (d.name.kind() == Kind::fifo) return 1;
  if (d.name.kind() != Kind::shaped) return d.stride;
  const model::ShapeState& shape = rules.programs.shapes[d.name.number()];
  return static_cast<std::uint32_t>(shape.stride[kDimensions - 1]);
}

/// Cycles of n elements of a vector instruction without a fabric operand.
WEFT_HD std::uint32_t vector_cycles(CoreView c, const Code& i, std::uint32_t n) {
  const model::Timing& t = c.rules().timing;
  std::uint32_t rate = t.rate[static_cast<int>(i.cost())];
  int read = isa::accumulates(i.op()) ? 1 : 0;
  for (int k = 0; k < 3; ++k) {
    if (!i.is_descriptor(k)) continue;
    if (k > 0) ++read;
    const std::uint32_t most = stride_rate(t, stride_of(c.rules(), c.far().dsr[i.field(k)]));
    if (most < rate) rate = most;
  }
  if (read > 1) rate /= t.two_source_divisor;
  if (rate == 0) rate = 1;
  const std::uint32_t cycles = t.vector_start + (n + rate - 1) / rate;
  return cycles > 0 ? cycles : 1;  // a core issues at most one instruction a cycle
}

}  // namespace weft::pe
