#pragma once

#include "fast/apart.hpp"
#include "fast/late_ends.hpp"
#include "isa/elements.hpp"
#include "model/core/start_together.hpp"
#include "model/hooks.hpp"
#include "model/lanes/loops.hpp"

/// Cores execute instructions before their cycle, where nobody else can tell. The switch is
/// Accelerations::run_ahead.
namespace weft::fast {

/// Cores run ahead to the next multiple of so many cycles at most: a loop without an end would not
/// come back otherwise, and a run that is to stop goes on until the clock is where its cores are.
/// All cores stop at the same cycles, so that each thread has work when the others have.
constexpr std::uint64_t kMostAhead = 4096;

/// The first cycle that cores do not execute early.
WEFT_INLINE std::uint64_t first_too_far(const View& v, std::uint64_t now) {
  const std::uint64_t end = (now / kMostAhead + 1) * kMostAhead;
  return v.horizon < end ? v.horizon : end;
}

/// A vector instruction that starts microthreads in all these lanes may be executed before its
/// cycle: until their first elements nobody can tell, as a core in a task takes no other. (Not with
/// no elements, FIFOs or a fault: those do something at once.)
template <class L>
WEFT_INLINE bool starts_early(const View& v, const CoreState& core, Mask lanes,
                              const VectorOperands& o, const Instruction& i) {
  if (!VectorOptions::unpack(i.imm).async) return false;
  if (L::Hooks::may_start_microthreads(v, core, lanes, o, i)) return true;
  if (starts_alike(core, o, lanes) == lanes) return true;
  return lanes == where(lanes, [&](int lane) {
           const std::uint32_t n = core.length[o.length_from].at[lane];
           if (n == 0 || n > kMostElements) return false;
           for (const VectorOperand& operand : o.at)
             if (operand.kind == Operand::memory &&
                 Operand::kind(core.where[operand.index].at[lane]) == Operand::fifo)
               return false;
           const int u = microthread_of(core, o, lane);
           return u >= 0 && find_claim(core, o, lane, u).fault == FaultKind::none;
         });
}

/// Instructions that touch only the PE's own registers and memory, or start microthreads, may be
/// executed before the clock reaches their cycle: nothing else can tell.
template <class L>
WEFT_INLINE bool runs_ahead(const Group& g, const Instruction& i) {
  const CoreState& core = g.core;
  const Mask lanes = g.lanes;
  if (!isa::runs_ahead(i.op)) return false;
  if (isa::touches_registers_only(i.op)) return true;
  const isa::Format format = isa::format_of(i.op);
  const Mask busy = lanes & with_microthreads(core);  // which may be using the memory
  if (isa::is_vector(format)) {
    const VectorOperands o = operands_of(format, i);
    if (const Mask fabric = lanes & fabric_lanes(core, o); fabric != 0)
      return fabric == lanes && starts_early<L>(g.v, core, lanes, o, i);
    return busy == 0 || vectors_are_apart(g, i, o, busy);
  }
  return busy == 0 || (format != isa::Format::fifo_read && word_is_apart(g, i, busy));
}

/// The hooks `Base`, with this acceleration.
template <class Base>
struct RunAhead : Base {
  WEFT_INLINE static std::uint64_t early_until(const View& v, std::uint64_t now) {
    return v.fast.run_ahead ? first_too_far(v, now) : now;
  }
  template <class L>
  WEFT_INLINE static bool executes_early(Group& g) {
    if (g.latest + g.elapsed >= early_until(g.v, g.now)) return false;
    const Instruction& i = g.v.code[g.pc];
    if (i.op != Op::end) return runs_ahead<L>(g, i);
    L::Hooks::template issues_group<L>(g);
    L::Hooks::ends_task(g);
    if (!Base::end_task(g)) end_later(g);
    g.lanes = 0;
    return true;
  }
  WEFT_INLINE static bool starts_unnoticed(const View& v) { return v.fast.run_ahead; }
  WEFT_INLINE static std::uint64_t next_wake(CoreState& core, std::uint64_t now) {
    return core.ending != 0 ? next_after_end(core, now) : kNever;
  }
  WEFT_INLINE static void before_cores(CoreState& core, std::uint64_t now) { end_tasks(core, now); }
};

}  // namespace weft::fast
