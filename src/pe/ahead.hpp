#pragma once

#include "pe/execute.hpp"

/// Stretches: instructions that only the core itself can notice are executed ahead of the clock,
/// apart from the cycle, so that PEs whose stretches are alike run them together.
namespace weft::pe {

/// A core runs so many cycles ahead at most: a loop without an end would not come back otherwise.
inline constexpr std::uint32_t kMostAhead = 4096;

/// Nobody notices the instruction: it touches the PE's registers alone, or its memory too while no
/// microthread may use it.
WEFT_HD bool is_private(CoreView c, const Instruction& i) {
  if (!isa::runs_ahead(i.op)) return false;
  if (isa::touches_registers_only(i.op)) return true;
  if (c.near().live != 0) return false;
  const isa::Format format = isa::format_of(i.op);
  if (!isa::is_vector(format)) return true;
  const Fields fields = fields_of(format);
  for (int k = 0; k < 3; ++k)
    if (fields.is_descriptor(k) && c.far().dsr[field_of(i, k)].name.kind() > Kind::shaped)
      return false;
  return true;
}

/// Whether a stretch that is due may be executed after a later cycle as well. `horizon`: no
/// instruction is issued at or after it.
WEFT_HD bool may_wait(CoreView c, std::uint64_t horizon) {
  const std::uint64_t alone = c.rules().programs.private_cycles[c.near().pc];
  if (c.near().live != 0 || c.cycle + 1 >= horizon) return false;
  return in_full(c.near().due, c.cycle) + alone > c.cycle + 1;
}

/// Executes the instruction that is due, and private ones after it. Returns the cycle of the last,
/// of which a fault is.
WEFT_HD_RARE std::uint64_t run_stretch(CoreView c, std::uint64_t horizon) {
  Issue g = Issue::of(c);
  const std::uint32_t begin = g.core.due;
  const std::uint64_t first = in_full(begin, c.cycle);
  const std::uint32_t most =
      horizon - first < kMostAhead ? static_cast<std::uint32_t>(horizon - first) : kMostAhead;
  g.i = c.code(g.pc);
  std::uint32_t after = 0;
  for (;;) {
    g.c.cycle = first + after;
    execute(g);
    after += g.cost;
    if (!g.goes_on || after >= most) break;
    g.i = c.code(g.pc);
    if (!is_private(c, g.i)) break;
  }
  g.core.pc = g.pc;
  g.core.due = begin + after;
  return g.c.cycle;
}

}  // namespace weft::pe
