#pragma once

#include "isa/table.hpp"
#include "model/lanes/lane_halves.hpp"
#include "model/lanes/loops.hpp"
#include "model/state/view.hpp"

/// Lanes' work in a microthread, which keeps it by field.
namespace weft::model {

/// Words of memory of formed lanes. It copies those that all lanes share, so that the compiler
/// knows that no store to memory changes them.
struct FormedWords {
  const Microthread& t;
  bool same;                     ///< for all of them
  std::uint32_t at[3], step[3];  ///< then these

  WEFT_INLINE explicit FormedWords(const Microthread& of)
      : t(of),
        same(of.same_words),
        at{of.shared.at[0], of.shared.at[1], of.shared.at[2]},
        step{of.shared.step[0], of.shared.step[1], of.shared.step[2]} {}

  /// Bytes from element to element of a memory operand.
  WEFT_INLINE std::uint32_t step_in(int k, int lane) const {
    return same ? step[k] : t.step[k].at[lane];
  }
  /// Address of its next element.
  WEFT_INLINE std::uint32_t address(int k, int lane) const {
    return (same ? at[k] : t.at[k].at[lane]) + t.done[lane] * step_in(k, lane);
  }
};

/// One more than the number of a formed lane's last element.
WEFT_INLINE std::uint32_t end_of(const Microthread& t, int lane) {
  return t.same_ends ? t.shared.left : t.end[lane];
}

/// A formed lane's work.
static WEFT_INLINE Work formed_work_in(const Microthread& t, int lane) {
  const FormedWords words(t);
  Work w = t.shared;
  w.where[0] = t.where[0].at[lane];
  for (int k = 0; k < 3; ++k) {
    if (Operand::kind(w.where[k]) == Operand::scalar) w.at[k] = t.at[k].at[lane];
    if (Operand::kind(w.where[k]) != Operand::memory) continue;
    w.at[k] = words.address(k, lane);
    w.step[k] = words.step_in(k, lane);
  }
  w.pc = t.pc.at[lane];
  w.left = end_of(t, lane) - t.done[lane];
  return w;
}

/// The work of a lane that is not formed.
WEFT_INLINE Work own_work_in(const Microthread& t, int lane) {
  Work w;
  for (int k = 0; k < 3; ++k) {
    w.where[k] = t.where[k].at[lane];
    w.at[k] = t.at[k].at[lane];
    w.step[k] = t.step[k].at[lane];
  }
  w.pc = t.pc.at[lane];
  w.left = t.left.at[lane];
  return w;
}

/// A live lane's work; not that of `alike` ones (by_line/shared_execution.hpp).
WEFT_INLINE Work work_in(const Microthread& t, int lane) {
  return has(t.formed, lane) ? formed_work_in(t, lane) : own_work_in(t, lane);
}

/// The lane has this work, without a form.
static WEFT_INLINE void keep_work(Microthread& t, int lane, const Work& w) {
  for (int k = 0; k < 3; ++k) {
    t.where[k].at[lane] = w.where[k];
    t.at[k].at[lane] = w.at[k];
    t.step[k].at[lane] = w.step[k];
  }
  t.pc.at[lane] = w.pc;
  t.left.at[lane] = w.left;
  t.formed &= ~lane_bit(lane);
}

/// Keeps what an element changes of a lane's work.
WEFT_INLINE void keep_progress(Microthread& t, int lane, const Work& w) {
  if (has(t.formed, lane)) {
    ++t.done[lane];
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const Operand::Kind kind = Operand::kind(w.where[k]);
    if (kind == Operand::memory) t.at[k].at[lane] = w.at[k];
    if (kind == Operand::shaped) t.step[k].at[lane] = w.step[k];
  }
  t.left.at[lane] = w.left;
}

WEFT_INLINE Form form_of(const View& v, const Work& w) {
  Form form{v.code[w.pc].op, {w.where[0], w.where[1], w.where[2]}};
  for (std::uint32_t& where : form.where)
    if (Operand::kind(where) == Operand::fabric_out) where = Operand::without_color(where);
  return form;
}

/// The work is of a kind that lanes of one form may do together: without FIFOs, shapes, control
/// wavelets, and sums that are sent.
WEFT_INLINE bool may_be_formed(const Form& form) {
  if (isa::accumulates(form.op) && Operand::kind(form.where[0]) == Operand::fabric_out)
    return false;
  for (const std::uint32_t where : form.where) {
    const Operand::Kind kind = Operand::kind(where);
    if (kind == Operand::fifo || kind == Operand::shaped) return false;
    if (kind == Operand::fabric_out && Operand::control(where)) return false;
  }
  return true;
}

/// All elements that are left have their words in memory.
WEFT_INLINE bool stays_in_memory(const View& v, Op op, const Work& w) {
  const isa::Widths widths = isa::widths_of(isa::cost_of(op));
  for (int k = 0; k < 3; ++k) {
    if (Operand::kind(w.where[k]) != Operand::memory) continue;
    const std::int64_t step = static_cast<std::int32_t>(w.step[k]);
    const std::int64_t last = w.at[k] + (std::int64_t{w.left} - 1) * step;
    const std::int64_t end = v.timing.memory_bytes;
    if (w.at[k] % widths.bytes[k] != 0 || w.at[k] >= end || last < 0 || last >= end) return false;
  }
  return true;
}

/// So many elements of `shared` come before this work, if it begins with the first of them, or ends
/// with the last, at the same words. Else -1.
static WEFT_INLINE std::int32_t elements_before(const Microthread& t, const Work& w) {
  const auto is_next = [&](std::uint32_t done) {
    bool same = true;
    for (int k = 0; k < 3; ++k)
      same &= Operand::kind(w.where[k]) != Operand::memory ||
              (w.step[k] == t.shared.step[k] && w.at[k] == t.shared.at[k] + done * w.step[k]);
    return same;
  };
  if (is_next(0)) return 0;
  const std::uint32_t done = t.shared.left - w.left;
  return done <= t.shared.left && is_next(done) ? static_cast<std::int32_t>(done) : -1;
}

/// Lanes with this work, of the microthread's form, become formed.
static WEFT_INLINE void share_work(Microthread& t, Mask lanes, const Work& w) {
  if (t.formed == 0) {
    t.shared = w;
    t.same_words = t.same_ends = true;
  }
  const std::int32_t before = elements_before(t, w);
  const std::uint32_t done = before < 0 ? 0 : static_cast<std::uint32_t>(before);
  for (int k = 0; k < 3 && !(before >= 0 && t.same_words); ++k) {
    if (Operand::kind(w.where[k]) != Operand::memory) continue;
    if (t.same_words) {
      fill(t.formed, t.at[k].at, t.shared.at[k]);
      fill(t.formed, t.step[k].at, t.shared.step[k]);
    }
    fill(lanes, t.at[k].at, w.at[k] - done * w.step[k]);
    fill(lanes, t.step[k].at, w.step[k]);
  }
  t.same_words &= before >= 0;
  const std::uint32_t end = done + w.left;
  if (t.same_ends && end != t.shared.left) {
    fill(t.formed, t.end, static_cast<std::uint16_t>(t.shared.left));
    t.same_ends = false;
  }
  if (!t.same_ends) fill(lanes, t.end, static_cast<std::uint16_t>(end));
  fill(lanes, t.done, static_cast<std::uint16_t>(done));
  t.formed |= lanes;
}

/// The lanes, all live, have this work, and take the microthread's form if they can. The first that
/// come choose it. Returns whether they do. If so, the caller keeps where[0], scalars and pc by
/// lane, else all of the work.
WEFT_INLINE bool join_form(const View& v, Microthread& t, Mask lanes, const Work& w) {
  t.colored &= ~lanes;
  const Form form = form_of(v, w);
  if (!may_be_formed(form) || !stays_in_memory(v, form.op, w)) return false;
  if (t.formed == 0) t.form = form;
  if (form != t.form) return false;
  share_work(t, lanes, w);
  return true;
}

/// The lane's work is this from now on.
WEFT_INLINE void take_work(const View& v, Microthread& t, int lane, const Work& w) {
  keep_work(t, lane, w);
  join_form(v, t, lane_bit(lane), w);
}

/// No lane is formed any more.
static WEFT_INLINE void forget_form(Microthread& t) {
  for_each(t.formed, [&](int lane) { keep_work(t, lane, formed_work_in(t, lane)); });
}

/// The form of lanes that have come with their work, but without one.
static WEFT_INLINE void find_form(const View& v, Microthread& t) {
  forget_form(t);
  for_each(t.live, [&](int lane) { join_form(v, t, lane_bit(lane), own_work_in(t, lane)); });
}

}  // namespace weft::model
