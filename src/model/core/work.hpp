#pragma once

#include "isa/table.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/lanes/loops.hpp"
#include "model/state/view.hpp"

/// Lanes' work in a microthread, which keeps it by field.
namespace weft::model {

WEFT_INLINE Work work_in(const Microthread& t, int lane) {
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

/// Keeps what an element changes of a lane's work.
WEFT_INLINE void keep_progress(Microthread& t, int lane, const Work& w) {
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

/// The lanes, all live, have this work: their form is the microthread's, if it can be. The first
/// that come choose it.
WEFT_INLINE void join_form(const View& v, Microthread& t, Mask lanes, const Work& w) {
  t.colored &= ~lanes;
  const Form form = form_of(v, w);
  if (!may_be_formed(form) || !stays_in_memory(v, form.op, w)) return;
  if (t.formed == 0) t.form = form;
  if (form == t.form) t.formed |= lanes;
}

/// The lane's work is this from now on.
WEFT_INLINE void take_work(const View& v, Microthread& t, int lane, const Work& w) {
  for (int k = 0; k < 3; ++k) {
    t.where[k].at[lane] = w.where[k];
    t.at[k].at[lane] = w.at[k];
    t.step[k].at[lane] = w.step[k];
  }
  t.pc.at[lane] = w.pc;
  t.left.at[lane] = w.left;
  join_form(v, t, lane_bit(lane), w);
}

/// The form of lanes that have come with their work, but without one.
static WEFT_INLINE void find_form(const View& v, Microthread& t) {
  t.formed = 0;
  for_each(t.live, [&](int lane) { join_form(v, t, lane_bit(lane), work_in(t, lane)); });
}

}  // namespace weft::model
