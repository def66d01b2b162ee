#pragma once

#include "fast/row_functions.hpp"
#include "model/core/microthreads.hpp"
#include "model/hooks.hpp"
#include "model/lanes/lane_halves.hpp"

/// Lanes that are at the same words of memory do an element of a microthread as one row, in vector
/// instructions. Rows are found anew in each cycle, so nothing has to keep lanes together. The
/// switch is Accelerations::element_rows.
namespace weft::fast {

/// Of the lanes, those whose output queue q has the color of their microthread, or takes it: as
/// long as a microthread has the queue, no other changes its color.
static WEFT_INLINE Mask with_color(RampQueue& q, Microthread& t, Mask lanes) {
  const Mask may = where(lanes & ~t.colored, [&](int lane) {
    const auto color = static_cast<std::uint8_t>(Operand::color(t.where[0].at[lane]));
    if (has(q.valid[0], lane) && q.color[lane] != color) return false;
    q.color[lane] = color;
    return true;
  });
  t.colored |= may;
  return lanes & t.colored;
}

/// The elements of a microthread: what they do, and their operands.
struct ElementWords {
  Op op;
  std::uint32_t* memory;          ///< the strip's
  const std::uint32_t* words[3];  ///< by lane, for functions; null: in memory
  RampQueue* in[3];               ///< the queue that a source takes them from; null: none
  RampQueue* out;                 ///< null: the destination is in memory
  isa::Widths widths;
  FormedWords formed;
};

WEFT_INLINE ElementWords words_of(const View& v, Place at, CoreState& core, const Microthread& t,
                                  Op op, const Operand::Kind (&kinds)[3]) {
  const auto queue = [&](int k) { return Operand::queue(t.form.where[k]); };
  const auto in = [&](int k) {
    return kinds[k] == Operand::fabric_in ? &core.in[queue(k)] : nullptr;
  };
  const auto words = [&](int k) -> const std::uint32_t* {
    if (kinds[k] == Operand::memory) return nullptr;
    return kinds[k] == Operand::fabric_in ? in(k)->payload[0].at : t.at[k].at;
  };
  return {op,
          memory_of(v, at),
          {words(0), words(1), words(2)},
          {in(0), in(1), in(2)},
          kinds[0] == Operand::fabric_out ? &core.out[queue(0)] : nullptr,
          isa::widths_of(isa::cost_of(op)),
          FormedWords(t)};
}

/// Of the lanes that are ready, those whose element meets nothing unusual.
WEFT_INLINE Mask usual(const ElementWords& o, Microthread& t, Mask ready) {
  Mask lanes = ready & t.formed;
  for (const RampQueue* in : o.in)
    if (in != nullptr) lanes &= ~in->control[0];
  return o.out != nullptr ? with_color(*o.out, t, lanes) : lanes;
}

/// The lanes, of these, at the words of the first of them.
WEFT_INLINE Mask beside_first(const ElementWords& o, const Microthread& t, Mask lanes) {
  const int lead = lowest(lanes);
  lanes = equal(lanes, t.done, t.done[lead]);
  for (int k = 0; k < 3 && !o.formed.same; ++k) {
    if (o.words[k] != nullptr) continue;
    lanes = equal(lanes, t.at[k].at, t.at[k].at[lead]);
    lanes = equal(lanes, t.step[k].at, t.step[k].at[lead]);
  }
  return lanes;
}

/// An element of a row's lanes; results of `others` stand in free entries of the output queue.
static WEFT_INLINE void compute_row(const ElementWords& o, Mask lanes, Mask others) {
  const int lead = lowest(lanes);
  const auto address = [&](int k) { return o.formed.address(k, lead); };
  const auto row = [&](int k) { return memory_row(o.memory, address(k) / 4); };
  const auto field = [&](int k) { return WordPart::at(address(k), o.widths.bytes[k]); };
  Vector halves[3], result;
  const std::uint32_t* source[3];
  for (int k = 0; k < 3; ++k) {
    source[k] = o.words[k];
    if (source[k] != nullptr) continue;
    source[k] = row(k);
    if (o.widths.bytes[k] == 4) continue;
    const WordPart half = field(k);
    for (int i = 0; i < kLanes; ++i) halves[k].at[i] = half.get(source[k][i]);
    source[k] = halves[k].at;
  }
  const std::uint32_t* value = source[1];  // of a plain move
  if (o.op != Op::vmov32) {
    apply(o.op, result.at, source[0], source[1], source[2]);
    value = result.at;
  }
  if (o.out != nullptr)
    return each_free(*o.out, lanes, [&](int k, Mask here) {
      copy(widened(here, others | o.out->valid[k]), o.out->payload[k].at, value);
    });
  std::uint32_t* const words = row(0);
  if (o.widths.bytes[0] == 4) return copy(lanes, words, value);
  const WordPart half = field(0);
  assign(lanes, words, [&](int i) { return half.put(words[i], value[i]); });
}

/// An element of each of the lanes by itself.
static WEFT_INLINE void compute_alone(const View& v, const ElementWords& o, Mask lanes) {
  const auto each = [&](Mask some, std::uint32_t* out) WEFT_INLINED {
    for_each(some, [&](int lane) WEFT_INLINED {
      std::uint32_t value[3];
      std::uint32_t* word[3] = {};
      for (int k = 0; k < 3; ++k) {
        if (o.words[k] != nullptr) {
          value[k] = o.words[k][lane];
          continue;
        }
        const std::uint32_t address = o.formed.address(k, lane);
        const std::uint32_t next = address + o.formed.step_in(k, lane);
        word[k] = memory_row(o.memory, address / 4) + lane;
        value[k] = WordPart::at(address, o.widths.bytes[k]).get(*word[k]);
        if (next < v.timing.memory_bytes) prefetch(memory_row(o.memory, next / 4) + lane);
      }
      const std::uint32_t result =
          o.op == Op::vmov32 ? value[1] : isa::element(o.op, value[0], value[1], value[2]);
      if (out != nullptr)
        out[lane] = result;
      else
        *word[0] = WordPart::at(o.formed.address(0, lane), o.widths.bytes[0]).put(*word[0], result);
    });
  };
  if (o.out == nullptr) return each(lanes, nullptr);
  each_free(*o.out, lanes,
            [&](int k, Mask here) WEFT_INLINED { each(here, o.out->payload[k].at); });
}

/// The next words of a row are fetched.
WEFT_INLINE void fetch_next(const View& v, const ElementWords& o, int lead) {
  for (int k = 0; k < 3; ++k) {
    if (o.words[k] != nullptr) continue;
    const std::uint32_t next = o.formed.address(k, lead) + o.formed.step_in(k, lead);
    if (next >= v.timing.memory_bytes) continue;
    for (int i = 0; i < kLanes; i += kPart) prefetch(memory_row(o.memory, next / 4) + i);
  }
}

/// An element of each of the lanes: in rows, and the others one by one.
WEFT_INLINE void compute(const View& v, const ElementWords& o, const Microthread& t, Mask lanes) {
  Mask rest = lanes, alone = 0;
  for (int n = 0; n < kMostFew && !few(rest);) {
    const Mask row = beside_first(o, t, rest);
    rest &= ~row;
    if (few(row)) {
      alone |= row;
      ++n;
      continue;
    }
    fetch_next(v, o, lowest(row));
    compute_row(o, row, lanes & ~row);
  }
  if ((alone | rest) != 0) compute_alone(v, o, alone | rest);
}

/// An element of microthread u in those of the ready lanes that meet nothing unusual. Returns them.
template <class L>
WEFT_INLINE Mask move_usual(const View& v, Place at, CoreState& core, int u, const ElementWords& o,
                            Mask ready, std::uint64_t now) {
  Microthread& t = core.microthread[u];
  const Mask lanes = usual(o, t, ready);
  if (lanes == 0) return 0;
  if (v.data) compute(v, o, t, lanes);
  Mask ended = t.same_ends ? count_up_to(lanes, t.done, static_cast<std::uint16_t>(t.shared.left))
                           : count_up_to(lanes, t.done, t.end);
  if (o.out != nullptr) send_to_router<L>(v, at, core, u, lanes, 0, now);
  for (int k = 1; k < 3; ++k)
    if (o.in[k] != nullptr) {
      pop(v, *o.in[k], lanes);
      L::Hooks::took_input(core, now);
    }
  while (ended != 0) {
    const int lead = lowest(ended);
    const Mask together = equal(ended, t.pc.at, t.pc.at[lead]);
    finish<L>(v, core, t, together, work_in(t, lead), now);
    ended &= ~together;
  }
  return lanes;
}

/// The same of those of the ready lanes that have the microthread's form. The compiler knows the
/// operands of most forms, and leaves out what they do not need.
template <class L>
WEFT_INLINE Mask move_formed(const View& v, Place at, CoreState& core, int u, Mask ready,
                             std::uint64_t now) {
  const Microthread& t = core.microthread[u];
  if ((ready & t.formed) == 0) return 0;
  const auto kind = [&](int k) { return Operand::kind(t.form.where[k]); };
  const auto move = [&](Op op, const Operand::Kind(&kinds)[3]) WEFT_INLINED {
    return move_usual<L>(v, at, core, u, words_of(v, at, core, t, op, kinds), ready, now);
  };
  constexpr Operand::Kind kReceives[] = {Operand::memory, Operand::fabric_in, Operand::absent};
  constexpr Operand::Kind kSends[] = {Operand::fabric_out, Operand::memory, Operand::absent};
  const auto is = [&](const Operand::Kind(&kinds)[3]) {
    return t.form.op == Op::vmov32 && kind(0) == kinds[0] && kind(1) == kinds[1];
  };
  if (is(kReceives)) return move(Op::vmov32, kReceives);
  if (is(kSends)) return move(Op::vmov32, kSends);
  return move(t.form.op, {kind(0), kind(1), kind(2)});
}

/// The hooks `Base`, with this acceleration.
template <class Base>
struct ElementRows : Base {
  template <class L>
  WEFT_INLINE static Mask move_elements(const View& v, const Place& at, CoreState& core, int u,
                                        Mask ready, std::uint64_t now) {
    return v.fast.element_rows ? move_formed<L>(v, at, core, u, ready, now) : Mask{0};
  }
};

}  // namespace weft::fast
