#pragma once

#include "model/core/elements.hpp"
#include "model/core/group.hpp"

/// Operands of vector instructions: the descriptors they name, their rate, and their bounds.
namespace weft::model {

/// One operand as the instruction names it.
struct VectorOperand {
  Operand::Kind kind;  ///< memory (any descriptor), scalar or absent
  int index;           ///< descriptor or register
};

struct VectorOperands {
  VectorOperand at[3];  ///< destination, sources
  int length_from;  ///< descriptor whose length counts: the first source's, else the destination's
};

/// `field`: of the instruction.
WEFT_INLINE VectorOperand vector_operand(isa::OperandKind kind, int field) {
  switch (kind) {
    case isa::OperandKind::dsr:
      return {Operand::memory, field};
    case isa::OperandKind::scalar:
      return {Operand::scalar, field};
    default:
      return {Operand::absent, 0};
  }
}

/// Of a vector instruction.
WEFT_INLINE VectorOperands operands_of(isa::Format format, const Instruction& i) {
  using Kind = isa::OperandKind;
  switch (format) {
#define WEFT_FORMAT(...)
#define WEFT_VECTOR_FORMAT(name, group, scope, d_, a_, b_, ...)            \
  case isa::Format::name:                                                  \
    return {{vector_operand(Kind::d_, i.d), vector_operand(Kind::a_, i.a), \
             vector_operand(Kind::b_, i.b)},                               \
            Kind::a_ == Kind::none ? i.d : i.a};
#include "isa/formats.def"
#include "model/lanes/lane_vectors.hpp"
    default:
      return {};
  }
}

/// The most elements a cycle that a stride (in elements) allows, by the vendor's table.
WEFT_INLINE std::uint32_t stride_rate(const Timing& t, std::uint32_t stride) {
  if (stride < 2) return ~0U;
  switch (stride % 8) {
    case 0:
      return 1;
    case 1:
    case 7:
      return 2;
    case 4:
      return t.stride_4_rate;
    default:
      return ~0U;
  }
}

/// From one element of a descriptor to the next: of several dimensions the last one's, of a FIFO 1.
WEFT_INLINE std::uint32_t stride_of(const View& v, const CoreState& core, int descriptor,
                                    int lane) {
  const std::uint32_t where = core.where[descriptor].at[lane];
  switch (Operand::kind(where)) {
    case Operand::shaped:
      return static_cast<std::uint32_t>(v.shapes[Operand::number(where)].stride[kDimensions - 1]);
    case Operand::fifo:
      return 1;
    default:
      return core.stride[descriptor].at[lane];
  }
}

/// Elements a cycle of a lane's vector instruction over memory.
WEFT_INLINE std::uint32_t vector_rate(const View& v, const CoreState& core, const VectorOperands& o,
                                      const Instruction& i, int lane) {
  const Timing& t = v.timing;
  std::uint32_t rate = t.rate[static_cast<int>(isa::cost_of(i.op))];
  int sources = isa::accumulates(i.op) ? 1 : 0;
  for (int k = 0; k < 3; ++k) {
    if (o.at[k].kind != Operand::memory) continue;
    if (k > 0) ++sources;
    const std::uint32_t most = stride_rate(t, stride_of(v, core, o.at[k].index, lane));
    rate = most < rate ? most : rate;
  }
  if (sources > 1) rate /= t.two_source_divisor;
  return rate > 0 ? rate : 1;
}

/// Cycles of n elements of a lane's vector instruction over memory.
WEFT_INLINE std::uint32_t vector_cycles(const View& v, const CoreState& core,
                                        const VectorOperands& o, const Instruction& i, int lane,
                                        std::uint32_t n) {
  const std::uint32_t rate = vector_rate(v, core, o, i, lane);
  const std::uint32_t cycles = v.timing.vector_start + (n + rate - 1) / rate;
  return cycles > 0 ? cycles : 1;  // one issue a cycle
}

/// Cycles from the issue of a vector instruction to the first element of its microthread.
WEFT_INLINE std::uint64_t first_element(const Timing& t) {
  return t.microthread_start > 0 ? t.microthread_start : 1;
}

/// The fault of n elements of `bytes` bytes from `base`, `stride` elements apart, or none.
/// `address`: of the first element that is at fault.
WEFT_INLINE FaultKind vector_fault(const View& v, std::uint32_t base, std::uint32_t stride,
                                   std::uint32_t n, std::uint32_t bytes, std::int64_t& address) {
  address = base;
  if ((base & (bytes - 1)) != 0) return FaultKind::memory_misaligned;
  const std::int64_t last =
      base + static_cast<std::int64_t>(n - 1) * bytes * static_cast<std::int32_t>(stride);
  const std::int64_t end = v.timing.memory_bytes;
  if (base < end && last >= 0 && last < end) return FaultKind::none;
  std::uint32_t at = base;  // of 32 bits: a large stride may lead back into memory
  for (std::uint32_t k = 0; k < n; ++k, at += bytes * stride) {
    address = at;
    if (at >= v.timing.memory_bytes) return FaultKind::memory_out_of_range;
  }
  return FaultKind::none;
}

/// Whether n elements of a shape from `base` are in memory. False: perhaps not.
WEFT_INLINE bool is_inside(const View& v, std::uint32_t base, const ShapeState& shape,
                           std::uint32_t n, std::uint32_t bytes) {
  std::int64_t least = base, most = base;
  for (int d = kDimensions - 1; d >= 0; --d) {
    const std::uint32_t extent = shape.extent[d] < n ? shape.extent[d] : n;
    const std::int64_t last = (std::int64_t{extent} - 1) * shape.stride[d] * bytes;
    (last < 0 ? least : most) += last;
    n = (n - 1) / shape.extent[d] + 1;
  }
  return least >= 0 && most < v.timing.memory_bytes;
}

/// As vector_fault, of a shape.
WEFT_INLINE FaultKind shape_fault(const View& v, std::uint32_t base, const ShapeState& shape,
                                  std::uint32_t n, std::uint32_t bytes, std::int64_t& address) {
  if ((base & (bytes - 1)) == 0 && is_inside(v, base, shape, n, bytes)) return FaultKind::none;
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t one = base + bytes * shape_offset(shape, k);
    const FaultKind fault = access_fault(v, one, bytes);
    address = one;
    if (fault != FaultKind::none) return fault;
  }
  return FaultKind::none;
}

/// All lanes have the same descriptors, so element k of every lane is one lane vector.
static WEFT_INLINE bool same_shape(const CoreState& core, const VectorOperands& o, Mask lanes) {
  if ((lanes & (lanes - 1)) == 0) return true;
  const int lead = lowest(lanes);
  const auto alike = [&](const Vector& x) { return equal(lanes, x.at, x.at[lead]) == lanes; };
  if (!alike(core.length[o.length_from])) return false;
  for (const VectorOperand& operand : o.at) {
    if (operand.kind != Operand::memory) continue;
    if ((core.shaped_dsr[operand.index] & lanes) != 0 && !alike(core.where[operand.index]))
      return false;
    if (!alike(core.base[operand.index]) || !alike(core.stride[operand.index])) return false;
  }
  return true;
}

}  // namespace weft::model
