#include <algorithm>

#include "spec/arithmetic.hpp"
#include "spec/core.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::spec {
namespace {

constexpr std::uint32_t kMostElements = 0xffff;

}  // namespace

/// Modulo 2^32. The last dimension runs fastest; the first one that counts goes on past its extent.
std::uint32_t Operand::address(std::uint32_t k) const {
  if (!shape) return base + width * stride * k;
  std::size_t outermost = 0;
  while (outermost + 1 < shape->size() && (*shape)[outermost] == Dimension{1, 0}) ++outermost;
  std::uint32_t elements = 0;
  for (std::size_t n = shape->size(); n-- > outermost;) {
    const Dimension& dimension = (*shape)[n];
    const std::uint32_t at = n == outermost ? k : k % dimension.extent;
    elements += at * static_cast<std::uint32_t>(dimension.stride);
    k /= dimension.extent;
  }
  return base + width * elements;
}

std::uint32_t Operand::inner_stride() const {
  return shape ? static_cast<std::uint32_t>(shape->back().stride) : stride;
}

bool VectorWork::has(Operand::Kind kind) const {
  return std::ranges::any_of(operand, [kind](const Operand& o) { return o.kind == kind; });
}

namespace {

/// A microthread has the number of its output queue, else of its first input queue; -1: neither.
int microthread_of(const VectorWork& work) {
  int number = -1;
  for (const Operand& o : work.operand)
    if (o.kind == Operand::Kind::input && number < 0) number = o.queue;
  for (const Operand& o : work.operand)
    if (o.kind == Operand::Kind::output) number = o.queue;
  return number;
}

}  // namespace

Operand Core::operand(const Descriptor& d, std::uint32_t width) {
  Operand o;
  o.width = width;
  switch (d.kind) {
    case Descriptor::Kind::memory:
      o.kind = Operand::Kind::memory;
      o.base = d.base;
      o.stride = d.stride;
      o.shape = d.shape;
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
    case Descriptor::Kind::fifo:
      o.kind = Operand::Kind::fifo;
      o.fifo = d.fifo;
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
    case Op::vfnegs:
    case Op::vfabss:
    case Op::vfnegh:
    case Op::vfabsh:
    case Op::vfh2s:
    case Op::vfs2h:
    case Op::vxp162fs:
    case Op::vfs2xp16:
    case Op::vxp162fh:
    case Op::vfh2xp16:
      break;
    case Op::vfaddsr:
    case Op::vfsubsr:
    case Op::vfrsubsr:
    case Op::vfmaxsr:
    case Op::vfminsr:
    case Op::vadd32r:
    case Op::vsub32r:
    case Op::vfsubhr:
    case Op::vfrsubhr:
    case Op::vfmaxhr:
    case Op::vfminhr:
    case Op::vadd16r:
    case Op::vsub16r:
    case Op::vand16r:
    case Op::vor16r:
    case Op::vxor16r:
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
    case Op::vrsub32r:
    case Op::vand32r:
    case Op::vor32r:
    case Op::vxor32r:
    case Op::vsll32r:
    case Op::vslr32r:
    case Op::vsar32r:
    case Op::vmax32r:
    case Op::vmaxu32r:
    case Op::vmin32r:
    case Op::vminu32r:
    case Op::vmax16r:
    case Op::vmaxu16r:
    case Op::vmin16r:
    case Op::vminu16r:
    case Op::vrsub16r:
      work.operand[2].kind = Operand::Kind::scalar;
      work.operand[2].value = reg[i.b];
      break;
    default:
      work.operand[2] = operand(dsr[i.b], width.bytes[2]);
  }
  return work;
}

void Core::run_vector(const Instruction& i, std::uint64_t cycle) {
  VectorWork work = operands_of(i);
  work.pc = pc;
  const bool fabric = std::ranges::any_of(work.operand, &Operand::is_fabric);
  did.instruction = fabric ? Count::streams : Count::vectors;
  if (work.left > kMostElements) return stop(FaultKind::bad_length, -1, work.left);
  const bool fifos = work.has(Operand::Kind::fifo);
  if (fifos && !fifos_fit(work)) return stop(FaultKind::bad_operands, -1, microthread_of(work));
  if (fabric)
    start_microthread(work, cycle);
  else if (fifos)
    run_with_fifos(work, cycle);
  else
    run_in_memory(work, cycle);
}

/// All elements at once, in order; nothing happens if one of them is out of range.
void Core::run_in_memory(VectorWork work, std::uint64_t cycle) {
  for (const Operand& o : work.operand)
    for (std::uint32_t k = 0; k < work.left && o.kind == Operand::Kind::memory; ++k)
      if (!access(o.address(k), o.width)) return;
  while (work.left > 0) do_element(work, cycle);
  continue_at(pc + 1, cycle, vector_cycles(work));
}

/// As many elements as the FIFOs allow, one after the other.
void Core::run_with_fifos(VectorWork work, std::uint64_t cycle) {
  while (work.left > 0 && !fifos_lack(work)) {
    do_element(work, cycle);
    if (stopped) return;
  }
  if (work.left > 0) note_lack(work);
  continue_at(pc + 1, cycle, vector_cycles(work));
}

/// The cost of a vector instruction without a fabric operand, when it is done. Strides may slow it
/// down, and so does reading two vectors.
int Core::vector_cycles(const VectorWork& work) const {
  int rate = full_rate(machine, work.op);
  int vectors_read = accumulates(work.op) ? 1 : 0;
  for (std::size_t k = 0; k < work.operand.size(); ++k) {
    const Operand& o = work.operand[k];
    if (!o.is_descriptor()) continue;
    if (k > 0) ++vectors_read;
    const std::uint32_t stride = o.kind == Operand::Kind::fifo ? 1 : o.inner_stride();
    if (stride == 0 || stride == 1) continue;
    switch (stride % 8) {
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
  const auto n = static_cast<int>(work.done);
  const int cycles = machine.vector_start_cycles + (n + rate - 1) / rate;
  return std::max(1, cycles);  // a core issues at most one instruction a cycle
}

void Core::start_microthread(VectorWork work, std::uint64_t cycle) {
  using Kind = Operand::Kind;
  const int number = microthread_of(work);
  if (microthread[index(number)]) return stop(FaultKind::microthread_in_use, -1, number);
  for (std::size_t k = 0; k < work.operand.size(); ++k) {
    const Operand& o = work.operand[k];
    if (!o.is_fabric()) continue;
    const bool is_destination = k == 0;
    if (is_destination != (o.kind == Kind::output))
      return stop(FaultKind::bad_operands, -1, number);
    for (std::size_t before = 1; before < k; ++before)
      if (work.operand[before].kind == o.kind && work.operand[before].queue == o.queue)
        return stop(FaultKind::microthread_in_use, -1, number);
    if (claimed(o.kind, o.queue)) return stop(FaultKind::microthread_in_use, -1, number);
  }

  ++pc;
  if (work.options.async)
    wake = cycle + static_cast<std::uint64_t>(machine.scalar_cycles);
  else
    waiting = true;
  const auto start = static_cast<std::uint64_t>(std::max(1, machine.microthread_start_cycles));
  microthread[index(number)] = Microthread{work, cycle + start, phase};
  if (work.left == 0) return finish(index(number), cycle);
  emit(EventKind::microthread_start, cycle, number, work.pc);
}

}  // namespace weft::spec
