#include "program/routines.hpp"

#include "program/routine_writer.hpp"

/// Floating-point routines: correctly rounded, of all operands.
namespace weft::inline v0 {
namespace {

constexpr std::int32_t kSign = INT32_MIN, kMagnitude = 0x7fffffff, kFraction = 0x007fffff,
                       kInfinity = 0x7f800000, kNan = 0x7fc00000;
constexpr int kExponentBits = 23;

/// A number between normal ones is 2^24 times as large in here, so that it has all its bits.
constexpr float kLift = 0x1p24F;
constexpr int kLifted = 24;

/// t[2] = a / -b of a in [1, 2) and b in (-2, -1], to nearest even.
/// t[1] comes to 1 / -b to nearest, but for 28 of the 2^23 numbers: then, by Markstein's theorem, a
/// quotient that is one unit off is right after a correction. (Of those 28 all quotients were
/// tried.) The first correction brings it there.
void divide_fractions(RoutineWriter& w) {
  const auto [e, r, q, t] = w.t;
  const Reg a = w.a, minus_b = w.b;
  w.estimate_reciprocal(r, minus_b);
  w.improve(r, minus_b, q, 1.0F);
  // A unit too much, or 1 / 1.9999999 would be rounded down to 0.5.
  w.improve_twice(r, minus_b, q, 1.0F + 0x1p-23F);
  w.improve(r, minus_b, q, 1.0F);
  w.fmuls(q, a, r);
  for (int correction = 0; correction < 2; ++correction) {
    w.mov(t, a);
    w.fmacs(t, minus_b, q);
    w.fmacs(q, t, r);
  }
}

/// Makes a and b fractions in [1, 2) and (-2, -1].
void take_fractions(RoutineWriter& w) {
  w.bandi(w.a, w.a, kFraction);
  w.bori(w.a, w.a, bits_of(1.0F));
  w.bandi(w.b, w.b, kFraction);
  w.bori(w.b, w.b, bits_of(-1.0F));
}

/// exponent = that of x > 0, which gets it if it has none.
void take_exponent(RoutineWriter& w, Reg exponent, Reg x, Reg t) {
  const Label normal = w.label();
  w.shri(exponent, x, kExponentBits);
  w.bne(exponent, w.zero, normal);
  w.li(t, kLift);
  w.fmuls(x, x, t);
  w.shri(exponent, x, kExponentBits);
  w.addi(exponent, exponent, -kLifted);
  w.place(normal);
}

/// The quotient q of fractions, with exponent field `field` < 1 and the sign of its remainder, as a
/// subnormal number in a: rounded once, as the remainder tells on which side of q the quotient is.
void round_subnormal(RoutineWriter& w, Reg field, Reg remainder, Reg t) {
  const Label exact = w.label(), fits = w.label();
  const Reg a = w.a;
  w.bori(a, a, kFraction + 1);
  w.shli(a, a, 2);  // units of a quarter
  w.shli(t, remainder, 1);
  w.beq(t, w.zero, exact);
  w.sari(t, remainder, 31);
  w.bori(t, t, 1);
  w.add(a, a, t);
  w.place(exact);
  const Reg shift = field, s = remainder;
  w.li(t, 3);
  w.sub(shift, t, field);
  w.li(t, 27);  // and more: it is 0
  w.blt(shift, t, fits);
  w.mov(shift, t);
  w.place(fits);
  w.shr(t, a, shift);  // to nearest even: half a unit less 1, and 1 if the unit is odd
  w.bandi(t, t, 1);
  w.add(a, a, t);
  w.addi(a, a, -1);
  w.addi(t, shift, -1);
  w.li(s, 1);
  w.shl(s, s, t);
  w.add(a, a, s);
  w.shr(a, a, shift);
}

/// Operands or results that are not normal numbers.
void divide_rest(RoutineWriter& w, Label done) {
  const Label nan = w.label(), a_infinite = w.label(), b_zero = w.label(), infinite = w.label(),
              zero = w.label(), normal = w.label(), overflow = w.label(), put_sign = w.label();
  const Reg a = w.a, b = w.b;
  const auto [e, field, q, sign] = w.t;
  w.bxor(sign, a, b);
  w.bandi(sign, sign, kSign);
  const Reg infinity = q;
  w.li(infinity, kInfinity);
  w.bandi(a, a, kMagnitude);
  w.bandi(b, b, kMagnitude);
  w.bltu(infinity, a, nan);
  w.bltu(infinity, b, nan);
  w.beq(a, infinity, a_infinite);
  w.beq(b, infinity, zero);
  w.beq(b, w.zero, b_zero);
  w.beq(a, w.zero, zero);
  w.keep(0, sign);
  take_exponent(w, e, a, q);
  take_exponent(w, field, b, q);
  w.sub(e, e, field);
  take_fractions(w);
  divide_fractions(w);
  const Reg remainder = sign;
  w.mov(remainder, a);
  w.fmacs(remainder, b, q);
  w.shri(field, q, kExponentBits);
  w.add(field, field, e);
  w.li(a, 255);
  w.bge(field, a, overflow);
  w.bandi(a, q, kFraction);
  w.blt(w.zero, field, normal);
  round_subnormal(w, field, remainder, q);
  w.jump(put_sign);
  w.place(overflow);
  w.li(a, kInfinity);
  w.jump(put_sign);
  w.place(normal);
  w.shli(field, field, kExponentBits);
  w.add(a, a, field);
  w.place(put_sign);
  w.get(b, 0);
  w.bor(a, a, b);
  w.jump(done);
  w.place(a_infinite);
  w.bne(b, infinity, infinite);
  w.place(nan);
  w.li(a, kNan);
  w.jump(done);
  w.place(b_zero);
  w.beq(a, w.zero, nan);
  w.place(infinite);
  w.bor(a, infinity, sign);
  w.jump(done);
  w.place(zero);
  w.mov(a, sign);
  w.jump(done);
}

/// Goes to `rest` unless x is one of these exponent fields from 1 on.
void check_field(RoutineWriter& w, Reg field, int first, int count, Label rest) {
  w.addi(w.t[2], field, -first);
  w.li(w.t[3], count);
  w.bgeu(w.t[2], w.t[3], rest);
}

/// x = square root of m in [1, 4), to nearest even (all were tried), by Goldschmidt's iteration:
/// g comes to the root, h to -1 / (2 g).
void root_of_fraction(RoutineWriter& w) {
  const Reg m = w.a, u = w.b;
  const auto [e, g, h, t] = w.t;
  w.shri(h, m, 1);
  w.li(g, 0x5f3759df);
  w.sub(h, g, h);  // 1 / g, to 3.5%
  w.fmuls(g, m, h);
  w.li(t, -0.5F);
  w.fmuls(h, h, t);
  w.li(t, 0.5F);
  w.fmacs(t, g, h);
  w.fmacs(g, g, t);
  w.fmacs(h, h, t);
  w.li(t, 0.5F);
  w.fmacs(t, g, h);
  w.li(u, 1.5F);
  w.fmuls(u, u, t);
  w.fmacs(t, u, t);
  w.fmacs(g, g, t);
  w.fmacs(h, h, t);
  w.fnegs(t, m);
  w.fmacs(t, g, g);
  w.fmacs(g, t, h);
}

/// a = square root of a normal a > 0, whose exponent field is in t[0].
void root(RoutineWriter& w) {
  const Reg a = w.a, e = w.t[0];
  w.addi(e, e, 127);
  w.shri(e, e, 1);
  w.addi(e, e, -127);
  w.shli(e, e, kExponentBits);
  w.sub(a, a, e);
  w.sub(a, a, e);
  root_of_fraction(w);
  w.add(a, w.t[1], e);
}

}  // namespace

void write_divide(RoutineWriter& w) {
  const Label rest = w.label(), done = w.label();
  const Reg a = w.a, b = w.b;
  const auto [e, field, q, sign] = w.t;
  w.shri(e, a, kExponentBits);
  w.bandi(e, e, 255);
  w.shri(field, b, kExponentBits);
  w.bandi(field, field, 255);
  check_field(w, e, 1, 254, rest);
  check_field(w, field, 1, 254, rest);
  w.sub(e, e, field);
  check_field(w, e, -125, 252, rest);  // so that the result is normal
  w.bxor(sign, a, b);
  w.bandi(sign, sign, kSign);
  w.shli(e, e, kExponentBits);
  w.add(e, e, sign);
  take_fractions(w);
  divide_fractions(w);
  w.add(a, q, e);
  w.place(done);
  w.leave();
  w.place(rest);
  divide_rest(w, done);
}

void write_square_root(RoutineWriter& w) {
  const Label rest = w.label(), nan = w.label(), done = w.label();
  const Reg a = w.a;
  const auto [e, infinity, magnitude, lift] = w.t;
  w.shri(e, a, kExponentBits);
  check_field(w, e, 1, 254, rest);
  root(w);
  w.place(done);
  w.leave();
  w.place(rest);
  w.li(infinity, kInfinity);
  w.bandi(magnitude, a, kMagnitude);
  w.beq(magnitude, w.zero, done);
  w.bltu(infinity, a, nan);  // or negative
  w.beq(infinity, a, done);
  w.li(lift, kLift);
  w.fmuls(a, a, lift);
  w.shri(e, a, kExponentBits);
  root(w);
  w.addi(a, a, -(kLifted / 2) * (kFraction + 1));
  w.jump(done);
  w.place(nan);
  w.li(a, kNan);
  w.jump(done);
}

}  // namespace weft::inline v0
