#pragma once

#include <type_traits>

#include "pe/execute.hpp"

/// Stretches: instructions that only the core itself can notice are executed ahead of the clock,
/// apart from the cycle, so that PEs whose stretches are alike run them together.
namespace weft::pe {

/// Nobody notices the instruction: it touches the PE's registers alone, or its memory too while no
/// microthread may use it.
WEFT_HD bool is_private(CoreView c, const Code& i) {
  if (i.has(Is::registers)) return true;
  if (!i.has(Is::own) || c.near().live != 0) return false;
  if (!i.has(Is::vector)) return true;
  for (int k = 0; k < 3; ++k)
    if (i.is_descriptor(k) && c.far().dsr[i.field(k)].name.kind() > Kind::shaped) return false;
  return true;
}

/// A stretch is due, or was in an earlier cycle.
WEFT_HD bool has_stretch(CoreView c) {
  return c.near().goes_on() && reached(c.near().due, c.cycle);
}

/// The last common cycle in which a stretch that is due may be executed: nobody notices until its
/// end. Equally long stretches have common cycles, and each has two to four of them. So cores of a
/// whole mesh that begin stretches some cycles apart execute them in the same cycle, and the mesh
/// waits once for what takes long. Modulo 2^32.
WEFT_HD std::uint32_t latest(CoreView c) {
  const std::uint32_t due = c.near().due;
  const std::uint32_t alone = c.code(c.near().pc).alone;
  if (c.near().live != 0 || alone < 2) return due;
  const std::uint32_t between = 1U << (highest(alone) - 1);
  return (due + alone - 1U) & ~(between - 1U);
}

/// Cycles from the core's `due` on in which it may issue: `most` from the present one on, and no
/// more than the end of a stretch that is known, else kMostAhead.
WEFT_HD std::uint32_t cycles_to_issue(const Issue& g, std::uint32_t most) {
  const std::uint32_t late = static_cast<std::uint32_t>(g.c.cycle) - g.core.due;
  const std::uint32_t ahead = g.i.alone > kMostAhead ? g.i.alone : kMostAhead;
  return late + (most < ahead ? most : ahead);
}
WEFT_HD bool may_issue(const Issue& g, std::uint32_t end) {
  return g.goes_on && static_cast<std::int32_t>(g.after - end) < 0;
}

/// As run_stretch, whatever the instructions are.
template <class Watch>
WEFT_HD_RARE std::uint32_t run_any(CoreArgs args, std::uint32_t most) {
  const CoreView c = args.view();
  Issue g = Issue::of(c);
  const Code* const code = c.rules().programs.code;
  g.i = code[g.pc];
  const std::uint32_t end = cycles_to_issue(g, most);
  for (;;) {
    Watch::issues(c, g.pc, g.cycle());
    execute(g);
    Watch::issued(c, g.i, g.cycle());
    g.after += g.cost;
    if (!may_issue(g, end)) break;
    g.i = code[g.pc];
    if (!is_private(c, g.i) || Watch::stops(c, g.pc)) break;
  }
  g.core.pc = g.pc;
  g.core.due = g.begin + g.after;
  return g.core.due - g.cost;
}

/// Executes the instruction that is due, and private ones after it, up to the end of a stretch that
/// is known, else for kMostAhead cycles. `most`: cycles from the present one on; none is issued
/// after them. Returns the cycle of the last modulo 2^32, of which a fault is. Simple instructions
/// are executed here: so PEs of a warp begin together, whatever theirs are.
template <class Watch>
WEFT_HD std::uint32_t run_stretch(CoreView c, std::uint32_t most) {
  if constexpr (!std::is_same_v<Watch, NoWatch>) return run_any<Watch>(c, most);
  Issue g = Issue::of(c);
  const Code* const code = c.rules().programs.code;
  g.i = code[g.pc];
  if (!g.i.has(Is::simple)) return run_any<Watch>(c, most);
  const std::uint32_t end = cycles_to_issue(g, most);
  bool goes_on = true;
  do {
    execute_simple(g);
    g.after += g.cost;
    goes_on = may_issue(g, end);
    if (!goes_on) break;
    g.i = code[g.pc];
    goes_on = is_private(c, g.i);
  } while (goes_on && g.i.has(Is::simple));
  g.core.pc = g.pc;
  g.core.due = g.begin + g.after;
  return goes_on ? run_any<Watch>(c, most) : g.core.due - g.cost;
}

}  // namespace weft::pe
