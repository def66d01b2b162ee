#include "program/routine_writer.hpp"

/// Division of integers, by an estimate in FP32.
namespace weft::inline v0 {
namespace {

/// a / b of unsigned integers, b > 0: quotient in a, remainder in b.
/// The reciprocal is too small by 2^-20, more than all that is rounded, so no quotient is too
/// large. The first is too small by less than 2^13, the second, of what remained, by 1 at most.
void divide_unsigned(RoutineWriter& w) {
  const Label done = w.label();
  const Reg a = w.a, b = w.b;
  const auto [q, r, t, minus_b] = w.t;
  w.fu2s(minus_b, b);
  w.fnegs(minus_b, minus_b);
  w.estimate_reciprocal(r, minus_b);
  w.improve(r, minus_b, t, 1.0F);
  w.improve_twice(r, minus_b, t, 1.0F - 0x1p-20F);
  w.fu2s(t, a);
  w.fmuls(t, t, r);
  w.fs2u(q, t);
  w.mul(t, q, b);
  w.sub(a, a, t);
  w.fu2s(t, a);
  w.fmuls(t, t, r);
  w.fs2u(t, t);
  w.add(q, q, t);
  w.mul(t, t, b);
  w.sub(a, a, t);
  w.bltu(a, b, done);
  w.addi(q, q, 1);
  w.sub(a, a, b);
  w.place(done);
  w.mov(b, a);
  w.mov(a, q);
}

/// By 0: all ones, and a remains.
void divide_by_zero(RoutineWriter& w, Label done) {
  w.mov(w.b, w.a);
  w.li(w.a, -1);
  w.jump(done);
}

void negate_if_negative(RoutineWriter& w, Reg x, Reg sign) {
  const Label out = w.label();
  w.bge(sign, w.zero, out);
  w.sub(x, w.zero, x);
  w.place(out);
}

}  // namespace

void write_divide_unsigned(RoutineWriter& w) {
  const Label by_zero = w.label(), done = w.label();
  w.beq(w.b, w.zero, by_zero);
  divide_unsigned(w);
  w.place(done);
  w.leave();
  w.place(by_zero);
  divide_by_zero(w, done);
}

void write_divide_signed(RoutineWriter& w) {
  const Label by_zero = w.label(), done = w.label();
  w.beq(w.b, w.zero, by_zero);
  w.keep(0, w.a);
  w.keep(1, w.b);
  negate_if_negative(w, w.a, w.a);
  negate_if_negative(w, w.b, w.b);
  divide_unsigned(w);
  const Reg a = w.t[0], b = w.t[1];  // as they came
  w.get(a, 0);
  w.get(b, 1);
  negate_if_negative(w, w.b, a);
  w.bxor(b, a, b);
  negate_if_negative(w, w.a, b);
  w.place(done);
  w.leave();
  w.place(by_zero);
  divide_by_zero(w, done);
}

}  // namespace weft::inline v0
