#pragma once

#include "model/group.hpp"
#include "model/microthreads.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::model {

/// One operand as the instruction names it.
struct VectorOperand {
  Operand::Kind kind;  ///< memory (any descriptor), scalar or absent
  int index;           ///< descriptor or register
};

struct VectorOperands {
  VectorOperand at[3];  ///< destination, sources
  int length_from;      ///< descriptor whose length counts: the first source's, else the destination's
};

WEFT_HD std::uint32_t vector_rate(const Timing& t, Cost cost) {
  return cost == Cost::vector_multiply ? t.multiply_rate : t.add_rate;
}

/// Cycles of n 32-bit elements in memory: the SIMD rate, or the memory's write port.
WEFT_HD std::uint32_t vector_cycles(const Timing& t, Cost cost, std::uint32_t n) {
  const std::uint32_t rate = vector_rate(t, cost);
  const std::uint32_t compute = (n + rate - 1) / rate;
  const std::uint32_t writes = (n * 4 + t.write_bytes - 1) / t.write_bytes;
  return t.vector_start + (compute > writes ? compute : writes);
}

/// The first fault of n words from `base`, `stride` words apart.
WEFT_HD FaultKind vector_fault(const View& v, std::uint32_t base, std::uint32_t stride,
                               std::uint32_t n) {
  if (base % 4 != 0) return FaultKind::memory_misaligned;
  const std::int64_t last =
      base + static_cast<std::int64_t>(n - 1) * 4 * static_cast<std::int32_t>(stride);
  const std::int64_t bytes = v.timing.memory_bytes;
  return base >= bytes || last < 0 || last >= bytes ? FaultKind::memory_out_of_range
                                                    : FaultKind::none;
}

template <class L>
WEFT_HD bool uniform(const Vector& x, Mask lanes, std::uint32_t value) {
  return (L::equal(x.at, value) & lanes) == lanes;
}

/// All lanes have the same descriptors, so element k of every lane is one lane vector.
template <class L>
WEFT_HD bool same_shape(const CoreState& core, const VectorOperands& o, Mask lanes) {
  if ((lanes & (lanes - 1)) == 0) return true;
  const int lead = lowest(lanes);
  if (!uniform<L>(core.length[o.length_from], lanes, core.length[o.length_from].at[lead]))
    return false;
  for (const VectorOperand& operand : o.at) {
    if (operand.kind != Operand::memory) continue;
    const Vector& base = core.base[operand.index];
    const Vector& stride = core.stride[operand.index];
    if (!uniform<L>(base, lanes, base.at[lead]) || !uniform<L>(stride, lanes, stride.at[lead]))
      return false;
  }
  return true;
}

/// Elements in order; every lane of `lanes` has the descriptors of its lowest.
template <class L, class F>
WEFT_HD void sweep(Group& g, const VectorOperands& o, Mask lanes, F f) {
  CoreState& core = g.core;
  const int lead = lowest(lanes);
  const std::uint32_t n = core.length[o.length_from].at[lead];
  if (n == 0) return;
  std::uint32_t* at[3] = {};
  std::ptrdiff_t step[3] = {};
  std::uint32_t* const memory =
      g.v.memory + static_cast<std::uint64_t>(g.at.index) * g.v.memory_words * kLanes;
  for (int k = 0; k < 3; ++k) {
    const VectorOperand operand = o.at[k];
    if (operand.kind != Operand::memory) {
      at[k] = operand.kind == Operand::scalar ? core.reg[operand.index].at : at[0];
      step[k] = operand.kind == Operand::scalar ? 0 : step[0];
      continue;
    }
    const std::uint32_t base = core.base[operand.index].at[lead];
    const std::uint32_t stride = core.stride[operand.index].at[lead];
    const FaultKind fault = vector_fault(g.v, base, stride, n);
    if (fault != FaultKind::none) {
      L::for_each(lanes, [&](int lane) {
        halt(g.v, g.at, core, lane, fault, g.time, -1, base);
      });
      g.lanes &= ~lanes;
      return;
    }
    at[k] = memory + static_cast<std::ptrdiff_t>(base / 4) * kLanes;
    step[k] = static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(stride)) * kLanes;
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    L::map(lanes, at[0], at[1], at[2], f);
    for (int k = 0; k < 3; ++k) at[k] += step[k];
  }
}

/// The microthread that a vector instruction would be: its output queue's number, else its input
/// queue's.
WEFT_HD int microthread_of(const CoreState& core, const VectorOperands& o, int lane) {
  int input = -1;
  for (int k = 2; k >= 0; --k) {
    if (o.at[k].kind != Operand::memory) continue;
    const std::uint32_t where = core.where[o.at[k].index].at[lane];
    if (Operand::kind(where) == Operand::fabric_out) return static_cast<int>(Operand::queue(where));
    if (Operand::kind(where) == Operand::fabric_in) input = static_cast<int>(Operand::queue(where));
  }
  return input;
}

/// Sources come from the fabric, destinations go to it, and each queue has one user.
WEFT_HD FaultKind claim(CoreState& core, const VectorOperands& o, int lane, int u) {
  const Mask bit = lane_bit(lane);
  if ((core.microthread[u].live & bit) != 0) return FaultKind::microthread_in_use;
  for (int k = 0; k < 3; ++k) {
    if (o.at[k].kind != Operand::memory) continue;
    const std::uint32_t where = core.where[o.at[k].index].at[lane];
    const Operand::Kind kind = Operand::kind(where);
    if (kind == Operand::memory) continue;
    if ((kind == Operand::fabric_out) != (k == 0)) return FaultKind::bad_operands;
    Mask& claimed = kind == Operand::fabric_in ? core.input_claimed[Operand::queue(where)]
                                               : core.output_claimed[Operand::queue(where)];
    if ((claimed & bit) != 0) return FaultKind::microthread_in_use;
    claimed |= bit;
  }
  return FaultKind::none;
}

/// Starts a microthread in one lane.
WEFT_HD void start_microthread(Group& g, const VectorOperands& o, int lane,
                               const Instruction& instruction) {
  CoreState& core = g.core;
  const Mask bit = lane_bit(lane);
  const int u = microthread_of(core, o, lane);
  const FaultKind fault = claim(core, o, lane, u);
  if (fault != FaultKind::none)
    return halt(g.v, g.at, core, lane, fault, g.time, -1, u);
  Microthread& t = core.microthread[u];
  t.pc.at[lane] = g.pc;
  t.left.at[lane] = core.length[o.length_from].at[lane];
  t.first[lane] = g.time + (g.v.timing.microthread_start > 0 ? g.v.timing.microthread_start : 1);
  for (int k = 0; k < 3; ++k) {
    const VectorOperand operand = o.at[k];
    if (operand.kind == Operand::memory) {
      t.where[k].at[lane] = core.where[operand.index].at[lane];
      t.at[k].at[lane] = core.base[operand.index].at[lane];
      t.step[k].at[lane] = core.stride[operand.index].at[lane] * 4;
    } else {
      t.where[k].at[lane] = Operand::pack(operand.kind);
      t.at[k].at[lane] = operand.kind == Operand::scalar ? core.reg[operand.index].at[lane] : 0;
      t.step[k].at[lane] = 0;
    }
  }
  int inputs = 0, outputs = 0;
  for (const Vector& where : t.where) {
    inputs += Operand::kind(where.at[lane]) == Operand::fabric_in;
    outputs += Operand::kind(where.at[lane]) == Operand::fabric_out;
  }
  if (inputs + outputs == 1) (inputs == 1 ? t.input_only : t.output_only) |= bit;
  t.live |= bit;
  t.starting |= bit;
  core.live |= 1U << u;
  core.pc.at[lane] = g.pc + 1;
  if (VectorOptions::unpack(instruction.imm).async) {
    core.wake[lane] = g.time + g.v.timing.scalar;
  } else {
    core.waiting |= bit;
  }
  if (t.left.at[lane] == 0) {
    t.starting &= ~bit;
    finish(core, t, lane, instruction, g.time, g.v.timing.scalar);
  }
}

template <class L, class F>
WEFT_HD void run_vector(Group& g, const Instruction& instruction, const VectorOperands& o, Cost cost,
                        F f) {
  CoreState& core = g.core;
  Mask fabric = 0;
  for (const VectorOperand& operand : o.at)
    if (operand.kind == Operand::memory) fabric |= core.fabric_dsr[operand.index];
  fabric &= g.lanes;
  if (fabric != 0) {
    L::for_each(fabric, [&](int lane) { start_microthread(g, o, lane, instruction); });
    g.lanes &= ~fabric;
    if (g.lanes == 0) return;
  }
  const Vector& length = core.length[o.length_from];
  if (same_shape<L>(core, o, g.lanes)) {
    g.cost = vector_cycles(g.v.timing, cost, length.at[lowest(g.lanes)]);
    sweep<L>(g, o, g.lanes, f);
    return;
  }
  // Descriptors differ: lane by lane, and the lanes part.
  const Mask lanes = g.lanes;
  L::for_each(lanes, [&](int lane) {
    const std::uint64_t wake = g.time + vector_cycles(g.v.timing, cost, length.at[lane]);
    sweep<L>(g, o, lane_bit(lane), f);
    core.pc.at[lane] = g.pc + 1;
    core.wake[lane] = wake;
  });
  g.lanes = 0;
}

}  // namespace weft::model
