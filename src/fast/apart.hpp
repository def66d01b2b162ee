#pragma once

#include "model/core/group.hpp"
#include "model/core/memory.hpp"
#include "model/core/start_microthread.hpp"
#include "model/core/vector_operands.hpp"
#include "model/core/work.hpp"
#include "model/lanes/loops.hpp"

/// Memory that an instruction uses, apart from that of the microthreads under way beside it.
namespace weft::fast {

using namespace model;

/// Bytes of memory by lane, whole words.
struct Bytes {
  Vector first, last;
};

/// Lanes in which the elements that the microthread has left for operand k meet the bytes. Of lanes
/// that are formed, so that all their words are in memory.
static WEFT_INLINE Mask meet(const Microthread& t, int k, Mask lanes, const Bytes& bytes) {
  const auto met = [&](int i, std::uint32_t first, std::uint32_t step,
                       std::uint32_t end) WEFT_INLINED {
    const std::uint32_t next = first + t.done[i] * step, last = first + (end - 1) * step;
    const std::uint32_t low = next < last ? next : last, high = (next < last ? last : next) | 3U;
    return low <= bytes.last.at[i] && high >= bytes.first.at[i];
  };
  if (t.same_words && t.same_ends) {
    const std::uint32_t first = t.shared.at[k], step = t.shared.step[k], end = t.shared.left;
    return which(lanes, [=](int i) WEFT_INLINED { return met(i, first, step, end); });
  }
  return which(lanes, [&](int i) WEFT_INLINED {
    return t.same_words ? met(i, t.shared.at[k], t.shared.step[k], end_of(t, i))
                        : met(i, t.at[k].at[i], t.step[k].at[i], end_of(t, i));
  });
}

/// No microthread under way in these lanes may write to the bytes, or, with `reads`, read them.
WEFT_INLINE bool left_alone(const CoreState& core, Mask lanes, const Bytes& bytes, bool reads) {
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const Microthread& t = core.microthread[lowest(rest)];
    const Mask live = t.live & lanes;
    if ((live & ~t.formed) != 0) return false;
    for (int k = 0; live != 0 && k < (reads ? 3 : 1); ++k)
      if (Operand::kind(t.form.where[k]) == Operand::memory && meet(t, k, live, bytes) != 0)
        return false;
  }
  return true;
}

/// A load or store has no fault in these lanes, and their microthreads leave the word alone.
static WEFT_INLINE bool word_is_apart(const Group& g, const Instruction& i, Mask lanes) {
  const bool writes = i.op == Op::sw || i.op == Op::sh;
  const std::uint32_t odd = i.op == Op::lh || i.op == Op::sh ? 1 : 3;
  const std::uint32_t offset = static_cast<std::uint32_t>(i.imm), end = g.v.timing.memory_bytes;
  const std::uint32_t* const base = g.core.reg[i.a].at;
  const Mask bad = which(lanes, [=](int n) WEFT_INLINED {
    return ((base[n] + offset) & odd) != 0 || base[n] + offset >= end;
  });
  if (bad != 0) return false;
  Bytes word;
  for (int n = 0; n < kLanes; ++n) {
    word.first.at[n] = (base[n] + offset) & ~3U;
    word.last.at[n] = (base[n] + offset) | 3U;
  }
  return left_alone(g.core, lanes, word, writes);
}

/// The same of a vector instruction over memory of one dimension.
static WEFT_INLINE bool vectors_are_apart(const Group& g, const Instruction& i,
                                          const VectorOperands& o, Mask lanes) {
  Bytes bytes[3];
  const Mask inside = where(lanes, [&](int lane) {
    Work w = work_of(g.core, o, i, lane);
    w.left = g.core.length[o.length_from].at[lane];
    if (w.left == 0 || w.left > kMostElements || !stays_in_memory(g.v, i.op, w)) return false;
    for (int k = 0; k < 3; ++k) {
      if (o.at[k].kind != Operand::memory) continue;
      if (Operand::kind(w.where[k]) != Operand::memory) return false;
      const std::uint32_t end = w.at[k] + (w.left - 1) * w.step[k];
      bytes[k].first.at[lane] = (w.at[k] < end ? w.at[k] : end) & ~3U;
      bytes[k].last.at[lane] = (w.at[k] < end ? end : w.at[k]) | 3U;
    }
    return true;
  });
  if (inside != lanes) return false;
  for (int k = 0; k < 3; ++k)
    if (o.at[k].kind == Operand::memory && !left_alone(g.core, lanes, bytes[k], k == 0))
      return false;
  return true;
}

}  // namespace weft::fast
