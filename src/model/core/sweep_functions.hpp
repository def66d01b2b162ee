#pragma once

#include "isa/elements.hpp"
#include "model/core/sweep.hpp"
#include "model/lanes/loops.hpp"

/// The column `function` of instructions.def for sweeps. No lane policy is in it, so all steps of
/// an instruction set share it.
namespace weft::model {

/// Some elements in order, of one row of each operand, some of which are parts of words.
template <class F>
WEFT_INLINE void sweep_parts(Mask lanes, std::uint32_t n, const Cursor (&c)[3], F f) {
  std::uint32_t at[3] = {c[0].address, c[1].address, c[2].address};
  for (; n != 0; --n) {
    const auto part = [&](int k) { return WordPart::at(at[k], c[k].bytes); };
    const auto row = [&](int k) { return memory_row(c[k].words, at[k] / 4); };
    const WordPart d = part(0), a = part(1), b = part(2);
    map(lanes, row(0), row(1), row(2), [=](auto x, auto y, auto z) -> decltype(f(x, y, z)) {
      return d.put(x, f(d.get(x), a.get(y), b.get(z)));
    });
    for (int k = 0; k < 3; ++k) at[k] += c[k].step;
  }
}

/// All elements in order. `words`: all operands are words.
template <class F>
WEFT_INLINE void compute_sweep(bool words, Mask lanes, Sweep s, F f) {
  for (std::uint32_t k = 0; k < s.n;) {
    std::uint32_t count = s.n - k;
    for (const Cursor& cursor : s.c)
      if (const std::uint32_t row = cursor.row_from(k); row < count) count = row;
    if (words)
      sweep(lanes, count, s.c[0].row(), s.c[0].stride(), s.c[1].row(), s.c[1].stride(),
            s.c[2].row(), s.c[2].stride(), f);
    else
      sweep_parts(lanes, count, s.c, f);
    k += count;
    for (Cursor& cursor : s.c) cursor.move_to(k, count);
  }
}

template <Op op, class F>
[[gnu::noinline]] static void run_sweep_of(Mask lanes, const Sweep& s, F f) {
  const isa::Widths w = isa::widths_of(isa::cost_of(op));
  compute_sweep(w.bytes[0] == 4 && w.bytes[1] == 4 && w.bytes[2] == 4, lanes, s, f);
}

/// A vector instruction, in lanes that have the descriptors of the plan.
WEFT_OWN void run_sweep(Op op, Mask lanes, const Sweep& s) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, ...)                          \
  case Op::name:                                                               \
    if constexpr (isa::is_vector(isa::Format::format))                         \
      run_sweep_of<Op::name>(lanes, s, WEFT_FUNCTION_OF_WORDS(isa::function)); \
    return;
#include "isa/instructions.def"
  }
}

}  // namespace weft::model
