#include "program/routine_writer.hpp"

namespace weft::inline v0 {

RoutineWriter::RoutineWriter(ProgramBuilder& builder, const RoutinePlace& place)
    : a(place.a), b(place.b), zero(place.zero), builder_(builder), place_(place) {
  std::size_t found = 0;
  for (int n = 0; found < t.size(); ++n) {
    const bool own = n == a.index || n == b.index || n == place.link.index || n == zero.index;
    if (!own) t[found++] = Reg{static_cast<std::uint8_t>(n)};
  }
}

void RoutineWriter::put(Op op, int d, int a_, int b_, std::int32_t imm) {
  const auto byte = [](int field) { return static_cast<std::uint8_t>(field); };
  builder_.instruction({op, byte(d), byte(a_), byte(b_), imm});
}

void RoutineWriter::enter() {
  for (std::size_t k = 0; k < t.size(); ++k)
    sw(t[k], zero, static_cast<std::int32_t>(place_.memory + 4 * k));
}

void RoutineWriter::leave() {
  for (std::size_t k = 0; k < t.size(); ++k)
    lw(t[k], zero, static_cast<std::int32_t>(place_.memory + 4 * k));
  ret(place_.link);
}

void RoutineWriter::keep(int word, Reg value) {
  sw(value, zero, static_cast<std::int32_t>(place_.memory) + 16 + 4 * word);
}

void RoutineWriter::get(Reg d, int word) {
  lw(d, zero, static_cast<std::int32_t>(place_.memory) + 16 + 4 * word);
}

void RoutineWriter::estimate_reciprocal(Reg r, Reg minus_b) {
  li(r, static_cast<std::int32_t>(0x7ef311c3U + 0x80000000U));
  sub(r, r, minus_b);
}

void RoutineWriter::improve(Reg r, Reg minus_b, Reg t_, float c) {
  li(t_, c);
  fmacs(t_, minus_b, r);
  fmacs(r, r, t_);
}

void RoutineWriter::improve_twice(Reg r, Reg minus_b, Reg t_, float c) {
  li(t_, c);
  fmacs(t_, minus_b, r);
  fmacs(t_, t_, t_);
  fmacs(r, r, t_);
}

void write_routine(ProgramBuilder& builder, Routine routine, Label entry,
                   const RoutinePlace& place) {
  RoutineWriter w(builder, place);
  w.place(entry);
  w.enter();
  switch (routine) {
    case Routine::divide:
      return write_divide(w);
    case Routine::square_root:
      return write_square_root(w);
    case Routine::divide_signed:
      return write_divide_signed(w);
    case Routine::divide_unsigned:
      return write_divide_unsigned(w);
  }
}

}  // namespace weft::inline v0
