#pragma once

#include "pe/filters.hpp"
#include "pe/simple.hpp"
#include "pe/switches.hpp"
#include "pe/vectors.hpp"

/// Executors of instructions: one for each format of formats.def. Vectors have one in common, and
/// so have those that compute.
namespace weft::pe {

/// A core that executes instructions. Executors change where it goes on, and when.
struct Issue {
  CoreView c;
  Core& core;
  std::uint32_t* registers;          ///< of all PEs
  std::uint32_t first_register;      ///< the core's, of these
  std::uint32_t scalar, scalar_f32;  ///< cycles
  std::uint32_t pc;                  ///< as Core::pc, which is behind
  std::uint32_t begin;               ///< cycle of the first instruction, modulo 2^32
  std::uint32_t after = 0;           ///< cycles since then
  Code i{};
  std::uint32_t next{};  ///< instruction
  std::uint32_t cost{};  ///< cycles
  bool goes_on = true;   ///< the task does, and waits for nothing

  WEFT_HD static Issue of(CoreView c) {
    const model::Timing& t = c.rules().timing;
    return {c,        c.near(),     c.arrays->registers, CoreArrays::first_register(c.n),
            t.scalar, t.scalar_f32, c.near().pc,         c.near().due};
  }
  WEFT_HD std::uint64_t cycle() const { return in_full(begin + after, c.cycle); }
  WEFT_HD std::uint32_t& reg(int number) const {
    return registers[first_register + static_cast<std::uint32_t>(number) * kPatch];
  }
  WEFT_HD std::uint32_t& d() const { return reg(i.d()); }
  WEFT_HD std::uint32_t a() const { return reg(i.a()); }
  WEFT_HD std::uint32_t b() const { return reg(i.b()); }
  WEFT_HD std::uint32_t imm() const { return static_cast<std::uint32_t>(i.imm); }
  WEFT_HD std::uint32_t sum() const { return a() + imm(); }
  WEFT_HD void go_to(std::uint32_t target) {
    next = target;
    cost = c.rules().timing.branch_taken;
  }
};

/// isa::element of those that compute and are not simple, without a call.
WEFT_HD std::uint32_t result_of(Op op, std::uint32_t d, std::uint32_t a, std::uint32_t b) {
  using isa::Format;
  using namespace isa;
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, ...)                   \
  case Op::name:                                                        \
    if constexpr (computes(Format::format) && simple_row(Op::name) < 0) \
      return static_cast<Word>(function(d, a, b));                      \
    break;
#include "isa/instructions.def"
  }
  return 0;
}

/// PEs of a warp whose instructions differ read their operands together. (An operand that is none
/// names register 0.)
WEFT_HD void compute(Issue& g) {
  const std::uint32_t b = g.i.has(Is::immediate) ? g.imm() : g.b();
  g.d() = result_of(g.i.op(), g.d(), g.a(), b);
}

/// All simple ones in one way (Does).
WEFT_HD void execute_simple(Issue& g) {
  const std::uint32_t d = g.d(), a = g.a(), b = g.i.has(Is::immediate) ? g.imm() : g.b();
  g.next = g.pc + 1;
  g.cost = g.scalar;
  std::uint32_t result = g.i.sum(a, b);
  if (g.i.does(Does::accesses)) {
    const FaultKind fault = access_fault(g.c.rules(), result, 4);
    if (fault != FaultKind::none) {
      halt({g.c.arrays, g.c.n, g.cycle()}, fault, -1, result);
      g.goes_on = false;
      return;
    }
    std::uint32_t& word = memory_word(g.c.memory(), result);
    if (g.i.does(Does::stores))
      word = d;
    else
      result = word;
  }
  if (g.i.does(Does::writes)) g.d() = result;
  if (g.i.goes(d, a)) g.go_to(g.imm());
  g.pc = g.next;
}

namespace format {

WEFT_HD void load_half(Issue& g) {
  if (access(g.c, g.sum(), 2)) g.d() = pe::load(g.c.memory(), g.sum(), 2);
}
WEFT_HD void load_pair(Issue& g) {
  if (!access(g.c, g.sum(), 4)) return;
  const std::uint32_t word = pe::load(g.c.memory(), g.sum(), 4);
  g.d() = word & 0xffffU;
  g.reg(g.i.d() + 1) = word >> 16U;
}
WEFT_HD void store_half(Issue& g) {
  if (access(g.c, g.sum(), 2)) pe::store(g.c.memory(), g.sum(), 2, g.d());
}

WEFT_HD void call(Issue& g) {
  g.d() = g.next;
  g.go_to(g.imm());
}
WEFT_HD void ret(Issue& g) {
  const auto target = static_cast<std::int32_t>(g.d());
  if (target < g.c.tasks().first || target >= g.c.tasks().last)
    return halt(g.c, FaultKind::ran_off_program, -1, target);
  g.go_to(g.d());
}

WEFT_HD void place(Issue& g) { g.d() = g.i.op() == Op::xcoord ? g.c.far().x : g.c.far().y; }
WEFT_HD void clock(Issue& g) {
  const std::uint64_t cycle = g.c.cycle;
  g.d() = static_cast<std::uint32_t>(g.i.op() == Op::tsc ? cycle : cycle >> 32U & 0xffffU);
}

WEFT_HD void dsr_imm(Issue& g) {
  Descriptor& d = g.c.far().dsr[g.i.d()];
  if (g.i.op() == Op::dbase) d.name = Name::of(Kind::memory);
  (g.i.op() == Op::dlen ? d.length : g.i.op() == Op::dstride ? d.stride : d.base) = g.imm();
}
WEFT_HD void dsr_reg_imm(Issue& g) {
  Descriptor& d = g.c.far().dsr[g.i.d()];
  if (g.i.op() == Op::dbaser) d.name = Name::of(Kind::memory);
  const std::uint32_t before = g.i.op() == Op::dadd ? d.base : 0;
  (g.i.op() == Op::dlenr      ? d.length
   : g.i.op() == Op::dstrider ? d.stride
                              : d.base) = before + g.sum();
}
WEFT_HD void dsr_fabric_in(Issue& g) {
  g.c.far().dsr[g.i.d()].name = Name::of(Kind::input, g.i.a());
}
WEFT_HD void dsr_fabric_out(Issue& g) {
  const Kind kind = g.i.imm != 0 ? Kind::control_output : Kind::data_output;
  g.c.far().dsr[g.i.d()].name = Name::of(kind, g.i.a(), g.i.b());
}
WEFT_HD void dsr_shape(Issue& g) {
  Descriptor& d = g.c.far().dsr[g.i.d()];
  d.name = Name::of(Kind::shaped, g.imm());
  d.length = g.c.rules().programs.shapes[g.imm()].elements;
}
WEFT_HD void dsr_fifo(Issue& g) { g.c.far().dsr[g.i.d()].name = Name::of(Kind::fifo, g.i.a()); }
WEFT_HD void fifo_read(Issue& g) { g.d() = g.c.far().fifo[g.i.a()].held; }

WEFT_HD void task(Issue& g) {
  if (g.i.op() == Op::activate) return activate(g.c, g.i.b());
  set_blocked(g.c, static_cast<TaskKind>(g.i.a()), g.i.b(), g.i.op() == Op::block);
}
WEFT_HD void end(Issue& g) {
  g.c.near().running = false;
  g.c.did(Did::again);
}
WEFT_HD void pending(Issue& g) {
  g.d() = g.c.far().pending;
  g.c.far().pending = 0;
}
WEFT_HD void router(Issue&) {}  // write_router

// execute_simple()
WEFT_HD void load(Issue&) {}
WEFT_HD void store(Issue&) {}
WEFT_HD void jump(Issue&) {}
WEFT_HD void branch(Issue&) {}

// compute()
WEFT_HD void reg_imm(Issue&) {}
WEFT_HD void reg_reg(Issue&) {}
WEFT_HD void reg_reg_reg(Issue&) {}
WEFT_HD void reg_reg_imm(Issue&) {}

#define WEFT_FORMAT(...)
#define WEFT_VECTOR_FORMAT(name, ...)         \
  WEFT_HD void name(Issue& g) {               \
    g.core.pc = g.pc;                         \
    g.cost = run_vector(g.c, g.c.code(g.pc)); \
  }
#include "isa/formats.def"

}  // namespace format

/// Executes an instruction, in its cycle; not one that writes the router.
WEFT_HD void execute(Issue& g) {
  if (g.i.has(Is::simple)) return execute_simple(g);
  g.next = g.pc + 1;
  g.cost = g.i.has(Is::fp32) ? g.scalar_f32 : g.scalar;
  if (g.i.has(Is::computing)) {
    compute(g);
  } else {
    g.c.cycle = g.cycle();
    switch (g.i.format()) {
#define WEFT_FORMAT(name, ...) \
  case isa::Format::name:      \
    format::name(g);           \
    break;
#include "isa/formats.def"
    }
    g.goes_on = g.core.goes_on();
  }
  g.pc = g.next;
}

/// One that writes a register of the PE's own router. The color's route or filter must be there.
template <class S>
WEFT_HD_RARE void write_router(Cell<S> cell, std::uint64_t cycle, unsigned parity) {
  const Pe<S> pe = pe_of(cell);
  const CoreView c = core_of(pe, cycle);
  const Code& i = c.code(c.near().pc);
  const std::uint32_t value = c.reg(i.d());
  const auto filter = [&](FilterRegister which) {
    if (!write_filter(pe, which, i.a(), value)) halt(c, FaultKind::bad_filter, i.a(), value);
  };
  const auto route = [&](RouteRegister which) {
    if (!write_route(pe, parity, which, i.a(), value))
      halt(c, FaultKind::bad_switch_position, i.a(), value);
  };
  switch (i.op()) {
    case Op::fcount:
      filter(FilterRegister::counter);
      break;
    case Op::flimit:
      filter(FilterRegister::limit1);
      break;
    case Op::fmax:
      filter(FilterRegister::max_counter);
      break;
    case Op::setpos:
      route(RouteRegister::position);
      break;
    case Op::setroute:
      route(RouteRegister::route);
      break;
    case Op::setswitch:
      route(RouteRegister::positions);
      break;
    default:
      route(RouteRegister::release);
  }
  ++c.near().pc;
  c.near().due = static_cast<std::uint32_t>(c.cycle) + c.rules().timing.router_write;
}

}  // namespace weft::pe
