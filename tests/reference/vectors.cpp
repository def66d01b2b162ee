#include <algorithm>

#include "reference/arithmetic.hpp"
#include "reference/core.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::test::plain {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Operand Core::operand(const Descriptor& d, std::uint32_t width) {
  Operand o;
  switch (d.kind) {
    case Descriptor::Kind::memory:
      o.kind = Operand::Kind::memory;
      o.address = d.base;
      o.stride = d.stride;
      o.width = width;
      break;
    case Descriptor::Kind::input:
      o.kind = Operand::Kind::input;
      o.queue = d.queue;
      break;
    case Descriptor::Kind::output:
      o.kind = Operand::Kind::output;
      o.queue = d.queue;
      o.color = d.color;
      o.control = d.control;
      break;
  }
  return o;
}

VectorWork Core::operands_of(const Instruction& i) const {
  const Widths width = widths(i.op);
  VectorWork work;
  work.op = i.op;
  work.options = VectorOptions::unpack(i.imm);
  work.operand[0] = operand(dsr[i.d], width.bytes[0]);
  work.left = dsr[i.d].length;
  const bool has_first = i.op != Op::vmov32r && i.op != Op::vmov16r;
  if (has_first) {
    work.operand[1] = operand(dsr[i.a], width.bytes[1]);
    work.left = dsr[i.a].length;
  }
  switch (i.op) {
    case Op::vmov32:
    case Op::vmov16:
    case Op::vfh2s:
    case Op::vfs2h:
      break;
    case Op::vfaddsr:
    case Op::vfmulsr:
    case Op::vfmacsr:
    case Op::vfaddhr:
    case Op::vfmulhr:
    case Op::vfmachr:
    case Op::vmov32r:
    case Op::vmov16r:
    case Op::vsll16r:
    case Op::vslr16r:
    case Op::vsar16r:
      work.operand[2].kind = Operand::Kind::scalar;
      work.operand[2].value = reg[i.b];
      break;
    default:
      work.operand[2] = operand(dsr[i.b], width.bytes[2]);
  }
  return work;
}

void Core::run_vector(const Instruction& i, std::uint64_t cycle) {
  const VectorWork work = operands_of(i);
  const bool fabric = std::ranges::any_of(work.operand, [](const Operand& o) {
    return o.kind == Operand::Kind::input || o.kind == Operand::Kind::output;
  });
  if (fabric)
    start_microthread(work, cycle);
  else
    run_in_memory(work, cycle);
}

/// All elements at once, in order; nothing happens if one of them is out of range.
void Core::run_in_memory(VectorWork work, std::uint64_t cycle) {
  const std::uint32_t n = work.left;
  for (const Operand& o : work.operand) {
    if (o.kind != Operand::Kind::memory || n == 0) continue;
    if (!access(o.address, o.width)) return;
    const std::int64_t last = o.address + static_cast<std::int64_t>(n - 1) * o.width *
                                              static_cast<std::int32_t>(o.stride);
    if (last < 0 || last / 4 >= static_cast<std::int64_t>(memory.size()))
      return stop(FaultKind::memory_out_of_range);
  }
  const int cycles = vector_cycles(work);
  for (std::uint32_t k = 0; k < n; ++k) {
    std::array<std::uint32_t, 3> value{};
    for (std::size_t o = 0; o < value.size(); ++o) {
      const Operand& from = work.operand[o];
      if (from.kind == Operand::Kind::memory) value[o] = read(from.address, from.width);
      if (from.kind == Operand::Kind::scalar) value[o] = from.value;
    }
    const Operand& to = work.operand[0];
    write(to.address, to.width, compute(work.op, value[0], value[1], value[2]));
    for (Operand& o : work.operand) o.address += o.stride * o.width;
  }
  continue_at(pc + 1, cycle, std::max(1, cycles));  // a core issues at most one instruction a cycle
}

/// Strides may slow a vector instruction over memory down, and so does reading two vectors.
int Core::vector_cycles(const VectorWork& work) const {
  int rate = full_rate(machine, work.op);
  int vectors_read = accumulates(work.op) ? 1 : 0;
  for (std::size_t k = 0; k < work.operand.size(); ++k) {
    const Operand& o = work.operand[k];
    if (o.kind != Operand::Kind::memory) continue;
    if (k > 0) ++vectors_read;
    if (o.stride == 0 || o.stride == 1) continue;
    switch (o.stride % 8) {
      case 0:
        rate = 1;
        break;
      case 1:
      case 7:
        rate = std::min(rate, 2);
        break;
      case 4:
        rate = std::min(rate, machine.stride_4_rate);
        break;
      default:
        break;
    }
  }
  if (vectors_read > 1) rate = std::max(1, rate / machine.two_source_divisor);
  const auto n = static_cast<int>(work.left);
  return machine.vector_start_cycles + (n + rate - 1) / rate;
}

/// It has the number of its output queue, else of its first input queue.
void Core::start_microthread(VectorWork work, std::uint64_t cycle) {
  using Kind = Operand::Kind;
  int number = -1;
  for (const Operand& o : work.operand)
    if (o.kind == Kind::input && number < 0) number = o.queue;
  for (const Operand& o : work.operand)
    if (o.kind == Kind::output) number = o.queue;
  if (microthread[index(number)]) return stop(FaultKind::microthread_in_use);
  for (std::size_t k = 0; k < work.operand.size(); ++k) {
    const Operand& o = work.operand[k];
    if (o.kind != Kind::input && o.kind != Kind::output) continue;
    const bool is_destination = k == 0;
    if (is_destination != (o.kind == Kind::output)) return stop(FaultKind::bad_operands);
    for (std::size_t before = 1; before < k; ++before)
      if (work.operand[before].kind == o.kind && work.operand[before].queue == o.queue)
        return stop(FaultKind::microthread_in_use);
    if (claimed(o.kind, o.queue)) return stop(FaultKind::microthread_in_use);
  }

  ++pc;
  if (work.options.async)
    wake = cycle + static_cast<std::uint64_t>(machine.scalar_cycles);
  else
    waiting = true;
  const auto start = static_cast<std::uint64_t>(std::max(1, machine.microthread_start_cycles));
  microthread[index(number)] = Microthread{work, cycle + start};
  if (work.left == 0) finish(index(number), cycle);
}

}  // namespace weft::test::plain
