#pragma once

#include <array>
#include <bit>

#include "program/routines.hpp"

/// Routines are written with this.
namespace weft::inline v0 {

inline std::int32_t bits_of(float value) { return std::bit_cast<std::int32_t>(value); }

class RoutineWriter final : public InstructionWriter {
 public:
  RoutineWriter(ProgramBuilder& builder, const RoutinePlace& place);

  Reg a, b, zero;
  std::array<Reg, 4> t{};  ///< registers of the program, saved

  using InstructionWriter::li;
  void li(Reg d, float value) { li(d, bits_of(value)); }
  Label label() { return builder_.label(); }
  void place(Label label) { builder_.place(label); }

  void enter();
  void leave();
  /// Two words for values that last.
  void keep(int word, Reg value);
  void get(Reg d, int word);

  /// r = 1 / -minus_b, of normal numbers, to 5.1%.
  void estimate_reciprocal(Reg r, Reg minus_b);
  /// r = r (1 + e), e = c - r b: Newton's step. t is lost. Or r (1 + e + e^2).
  void improve(Reg r, Reg minus_b, Reg t, float c);
  void improve_twice(Reg r, Reg minus_b, Reg t, float c);

 private:
  void put(Op op, int d, int a, int b, std::int32_t imm) override;

  ProgramBuilder& builder_;
  RoutinePlace place_;
};

void write_divide(RoutineWriter& w);
void write_square_root(RoutineWriter& w);
void write_divide_unsigned(RoutineWriter& w);
void write_divide_signed(RoutineWriter& w);

}  // namespace weft::inline v0
