#include <algorithm>

#include "spec/arithmetic.hpp"
#include "spec/core.hpp"
#include "spec/filter.hpp"

/// Step 3.3: what a core's instructions do. Vector instructions are in vectors.cpp.
namespace weft::spec {

void Core::issue(std::uint64_t cycle, Router& router) {
  if (!running || waiting || wake > cycle || stopped) return;
  did_something = did.computes = true;
  executing = task_pc = pc;
  note_phase();
  emit(EventKind::instruction, cycle, 0, pc);
  did.instruction = class_of(program->code[pc].op);
  execute(program->code[pc], cycle, router);
}

void Core::continue_at(std::uint32_t next, std::uint64_t cycle, int cycles) {
  pc = next;
  wake = cycle + static_cast<std::uint64_t>(cycles);
}

void Core::execute(const Instruction& i, std::uint64_t cycle, Router& router) {
  const auto imm = static_cast<std::uint32_t>(i.imm);
  const auto target = static_cast<std::uint32_t>(i.imm);
  const std::uint32_t next = pc + 1;
  std::uint32_t& d = reg[i.d % kRegisters];
  const std::uint32_t a = reg[i.a % kRegisters], b = reg[i.b % kRegisters];

  switch (i.op) {
    case Op::li:
      d = imm;
      break;
    case Op::mov:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::band:
    case Op::bor:
    case Op::bxor:
    case Op::shl:
    case Op::shr:
    case Op::sar:
    case Op::faddh:
    case Op::fsubh:
    case Op::fmulh:
    case Op::fmach:
    case Op::fnegh:
    case Op::fabsh:
    case Op::fmaxh:
    case Op::fminh:
    case Op::flth:
    case Op::fleh:
    case Op::feqh:
    case Op::fh2s:
    case Op::fs2h:
      d = compute(i.op, d, a, b);
      break;
    case Op::fadds:
    case Op::fsubs:
    case Op::fmuls:
    case Op::fmacs:
    case Op::fnegs:
    case Op::fabss:
    case Op::fmaxs:
    case Op::fmins:
    case Op::flts:
    case Op::fles:
    case Op::feqs:
    case Op::fi2s:
    case Op::fu2s:
    case Op::fs2i:
    case Op::fs2u:
      d = compute(i.op, d, a, b);
      return continue_at(next, cycle, machine.scalar_f32_cycles);
    case Op::addi:
    case Op::muli:
    case Op::shli:
    case Op::shri:
    case Op::sari:
    case Op::bandi:
    case Op::bori:
    case Op::bxori:
      d = compute(i.op, d, a, imm);
      break;

    case Op::lw:
      if (!access(a + imm, 4)) return;
      d = read(a + imm, 4);
      break;
    case Op::lh:
      if (!access(a + imm, 2)) return;
      d = read(a + imm, 2);
      break;
    case Op::lpair:
      if (!access(a + imm, 4)) return;
      d = read(a + imm, 2);
      reg[(i.d + 1U) % kRegisters] = read(a + imm + 2, 2);
      break;
    case Op::sw:
      if (!access(a + imm, 4)) return;
      write(a + imm, 4, d);
      break;
    case Op::sh:
      if (!access(a + imm, 2)) return;
      write(a + imm, 2, d);
      break;

    case Op::jump:
      return continue_at(target, cycle, machine.branch_taken_cycles);
    case Op::beq:
    case Op::bne:
    case Op::blt:
    case Op::bge:
    case Op::bltu:
    case Op::bgeu:
      if (taken(i.op, d, a)) return continue_at(target, cycle, machine.branch_taken_cycles);
      break;
    case Op::call:  // instructions are numbered over all programs of the fabric
      d = first_instruction + next;
      return continue_at(target, cycle, machine.branch_taken_cycles);
    case Op::ret:
      if (d - first_instruction >= program->code.size())
        return stop(FaultKind::ran_off_program, -1, static_cast<std::int32_t>(d));
      return continue_at(d - first_instruction, cycle, machine.branch_taken_cycles);

    case Op::xcoord:
      d = static_cast<std::uint32_t>(x);
      break;
    case Op::ycoord:
      d = static_cast<std::uint32_t>(y);
      break;
    case Op::tsc:
      d = static_cast<std::uint32_t>(cycle);
      break;
    case Op::tsch:
      d = static_cast<std::uint32_t>(cycle >> 32U & 0xffffU);
      break;

    case Op::dbase:
    case Op::dlen:
    case Op::dstride:
    case Op::dbaser:
    case Op::dlenr:
    case Op::dstrider:
    case Op::dadd:
    case Op::dshape:
    case Op::dfifo:
    case Op::dfabin:
    case Op::dfabout:
      set_descriptor(i);
      break;
    case Op::fifolen:
      d = fifo[i.a].held;
      break;

    case Op::activate:
      active[i.b] = true;
      break;
    case Op::block:
      set_blocked(static_cast<TaskKind>(i.a), i.b, true);
      break;
    case Op::unblock:
      set_blocked(static_cast<TaskKind>(i.a), i.b, false);
      break;
    case Op::tpending:
      d = pending;
      pending = 0;
      break;
    case Op::end:
      emit(EventKind::task_end, cycle, 0, 0);
      running = false;
      looks_again = true;
      return;

    case Op::fcount:
    case Op::flimit:
    case Op::fmax:
    case Op::setpos:
    case Op::setroute:
    case Op::setswitch:
    case Op::texit:
      write_router(i, router);
      if (stopped) return;
      if (i.op == Op::setpos || i.op == Op::setroute || i.op == Op::setswitch || i.op == Op::texit)
        emit(EventKind::switched, cycle, i.a, router.channel[i.a]->emitted_position());
      return continue_at(next, cycle, machine.router_write_cycles);

    default:
      return run_vector(i, cycle);
  }
  continue_at(next, cycle, machine.scalar_cycles);
}

void Core::set_descriptor(const Instruction& i) {
  const auto imm = static_cast<std::uint32_t>(i.imm);
  const std::uint32_t a = reg[i.a % kRegisters];
  Descriptor& d = dsr[i.d];
  switch (i.op) {
    case Op::dbase:
      d.kind = Descriptor::Kind::memory;
      d.shape.reset();
      d.base = imm;
      break;
    case Op::dbaser:
      d.kind = Descriptor::Kind::memory;
      d.shape.reset();
      d.base = a + imm;
      break;
    case Op::dlen:
      d.length = imm;
      break;
    case Op::dlenr:
      d.length = a + imm;
      break;
    case Op::dstride:
      d.stride = imm;
      break;
    case Op::dstrider:
      d.stride = a + imm;
      break;
    case Op::dadd:
      d.base += a + imm;
      break;
    case Op::dshape:
      d.kind = Descriptor::Kind::memory;
      d.shape = program->shapes[imm];
      d.length = 1;
      for (const Dimension& dimension : *d.shape) d.length *= dimension.extent;
      break;
    case Op::dfifo:
      d.kind = Descriptor::Kind::fifo;
      d.fifo = i.a;
      break;
    case Op::dfabin:
      d.kind = Descriptor::Kind::input;
      d.queue = i.a;
      break;
    case Op::dfabout:
      d.kind = Descriptor::Kind::output;
      d.queue = i.a;
      d.color = i.b;
      d.control = i.imm != 0;
      break;
    default:
      break;
  }
}

/// Sets or clears a blocked bit: of a local task, or of a color.
void Core::set_blocked(TaskKind kind, int id, bool value) {
  if (kind == TaskKind::local)
    blocked[index(id)] = value;
  else if (id < kColors)
    color_blocked[index(id)] = value;
}

/// Writes a register of the PE's own router; a color without that switch or filter is a fault.
void Core::write_router(const Instruction& i, Router& router) {
  const std::uint32_t value = reg[i.d];
  std::optional<Channel>& channel = router.channel[i.a];
  switch (i.op) {
    case Op::setpos:
      if (!channel || !channel->set_position(value))
        stop(FaultKind::bad_switch_position, i.a, value);
      return;
    case Op::setroute:
      if (!channel || !channel->set_route(value)) stop(FaultKind::bad_switch_position, i.a, value);
      return;
    case Op::setswitch:
      if (!channel || !channel->set_switch(value)) stop(FaultKind::bad_switch_position, i.a, value);
      return;
    case Op::texit:
      if (!channel) return stop(FaultKind::bad_switch_position, i.a, value);
      channel->torn_down = false;
      return;
    default:
      break;
  }
  if (!channel || !channel->filter) return stop(FaultKind::bad_filter, i.a, value);
  Filter& filter = *channel->filter;
  std::uint32_t* const to = i.op == Op::fcount   ? counter(filter)
                            : i.op == Op::flimit ? limit1(filter)
                                                 : max_counter(filter);
  if (to == nullptr) return stop(FaultKind::bad_filter, i.a, value);
  *to = value;
  if (i.op == Op::fcount && value > *limit1(filter)) stop(FaultKind::bad_filter, i.a, value);
}

}  // namespace weft::spec
