#include <fmt/format.h>

#include "program/pe_impl.hpp"
#include "program/vector_forms.hpp"
#include "weft/pe_program.hpp"

/// How a PeProgram calls routines: operands are moved to the routines' registers, the result from
/// there. FP16 goes by FP32, which has more than twice its bits and two: a quotient or root that is
/// rounded twice is rounded once, and none is beyond FP32's normal numbers.
namespace weft::inline v0 {
namespace {

const RoutinePlace& place_of(PeProgram& p) {
  auto& impl = PeProgramAccess::impl(p);
  if (!impl.routine_place) {
    const Reg b = impl.new_register("a routine's second operand");
    const Reg link = impl.new_register("where a routine returns to");
    const Reg zero{static_cast<std::uint8_t>(impl.registers.keep(0))};
    const std::uint32_t memory = impl.builder.reserve("memory of routines", kRoutineBytes).address;
    impl.routine_place = {impl.scratch(), b, link, zero, memory};
  }
  return *impl.routine_place;
}

void put_operand(PeProgram& p, Reg to, PeScalar s) {
  s.type == ElementType::f16 ? p.fh2s(to, s) : extend(p, to, s, s.type);
}

void call_routine(PeProgram& p, Routine routine) {
  auto& impl = PeProgramAccess::impl(p);
  const auto [at, is_new] = impl.routines.try_emplace(routine);
  if (is_new) at->second = impl.builder.label();
  p.call(impl.routine_place->link, at->second);
}

void put_result(PeProgram& p, PeScalar d, Reg from) {
  d.type == ElementType::f16 ? p.fs2h(d, from) : extend(p, d, from, d.type);
}

Routine division(ElementType type) {
  if (is_float(type)) return Routine::divide;
  return type == ElementType::u32 || type == ElementType::u16 ? Routine::divide_unsigned
                                                              : Routine::divide_signed;
}

void check_types(PeProgram& p, std::string_view what, std::initializer_list<PeScalar> operands,
                 bool takes_floats, bool takes_integers) {
  const auto& impl = PeProgramAccess::impl(p);
  impl.check_alike(what, operands);
  const ElementType type = operands.begin()->type;
  if (!(is_float(type) ? takes_floats : takes_integers))
    impl.refuse(fmt::format("invalid operands of {}: registers of type {}", what, to_string(type)),
                takes_floats ? "it takes floating-point numbers" : "it takes integers",
                "convert them");
}

void divide_by(PeProgram& p, std::string_view what, PeScalar d, PeScalar a, PeScalar b, bool rest) {
  check_types(p, what, {d, a, b}, !rest, true);
  auto& impl = PeProgramAccess::impl(p);
  const Says says(impl.saying, impl.text_of(what, {d, a, b}));
  const RoutinePlace& place = place_of(p);
  put_operand(p, place.a, a);
  put_operand(p, place.b, b);
  call_routine(p, division(d.type));
  put_result(p, d, rest ? place.b : place.a);
}

/// The number in a register that a routine loses: its first operand's, or its second one's.
PeScalar as_operand(PeProgram& p, Reg RoutinePlace::*which, PeValue value, ElementType type) {
  const PeScalar s{place_of(p).*which, type};
  p.set(s, value);
  return s;
}

}  // namespace

void PeProgram::divide(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  divide_by(*this, "divide", d, a, b, false);
}
void PeProgram::divide(PeScalar d, PeScalar a, PeValue b, CallLine) {
  divide(d, a, as_operand(*this, &RoutinePlace::b, b, a.type));
}
void PeProgram::divide(PeScalar d, PeValue a, PeScalar b, CallLine) {
  divide(d, as_operand(*this, &RoutinePlace::a, a, b.type), b);
}
void PeProgram::remainder(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  divide_by(*this, "remainder", d, a, b, true);
}
void PeProgram::remainder(PeScalar d, PeScalar a, PeValue b, CallLine) {
  remainder(d, a, as_operand(*this, &RoutinePlace::b, b, a.type));
}
void PeProgram::remainder(PeScalar d, PeValue a, PeScalar b, CallLine) {
  remainder(d, as_operand(*this, &RoutinePlace::a, a, b.type), b);
}

void PeProgram::reciprocal(PeScalar d, PeScalar a, CallLine) {
  check_types(*this, "reciprocal", {d, a}, true, false);
  const Says says(impl_->saying, impl_->text_of("reciprocal", {d, a}));
  const RoutinePlace& place = place_of(*this);
  put_operand(*this, place.b, a);
  set({place.a, ElementType::f32}, 1.0F);
  call_routine(*this, Routine::divide);
  put_result(*this, d, place.a);
}

void PeProgram::square_root(PeScalar d, PeScalar a, CallLine) {
  check_types(*this, "square_root", {d, a}, true, false);
  const Says says(impl_->saying, impl_->text_of("square_root", {d, a}));
  const RoutinePlace& place = place_of(*this);
  put_operand(*this, place.a, a);
  call_routine(*this, Routine::square_root);
  put_result(*this, d, place.a);
}

}  // namespace weft::inline v0
