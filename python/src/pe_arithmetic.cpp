#include "program_ref.hpp"
#include "values.hpp"

/// PeProgram's arithmetic, on registers and on vectors.
namespace weft::python {
namespace {

using Class = py::class_<HeldProgram, ProgramRef>;
using P = PeProgram;
using V = const PeVector&;
using S = PeScalar;

/// A method on registers.
template <class... A>
auto on(void (P::*method)(A...)) {
  return [method](const ProgramRef& t, A... a) { (t->get().*method)(a...); };
}

using Unary = void (P::*)(S, S);
using Binary = void (P::*)(S, S, S);
using WithNumber = void (P::*)(S, S, PeValue);
using OfNumber = void (P::*)(S, PeValue, S);

/// An instruction on registers, or on a register and an immediate.
template <class F>
auto by_reg(F write) {
  return [write](const ProgramRef& t, S d, S a, S b) {
    P& p = t->get();
    write(p, p.number_of(d), p.number_of(a), p.number_of(b));
  };
}
template <class F>
auto by_number(F write) {
  return [write](const ProgramRef& t, S d, S a, std::int64_t b) {
    const ElementType type = b < 0 ? ElementType::i32 : ElementType::u32;
    P& p = t->get();
    write(p, p.number_of(d), p.number_of(a), static_cast<std::int32_t>(PeValue(b).bits(type)));
  };
}

/// d = f(a, b), of registers and a number.
void bind_binary(Class& c, const char* name, Binary registers, WithNumber right, OfNumber left) {
  c.def(name, on(registers), kD, kA, kB);
  c.def(name, on(right), kD, kA, kB);
  c.def(name, on(left), kD, kA, kB);
}

void bind_registers(Class& c) {
  bind_binary(c, "add", &P::add, &P::add, &P::add);
  bind_binary(c, "sub", &P::sub, &P::sub, &P::sub);
  bind_binary(c, "mul", &P::mul, &P::mul, &P::mul);
  bind_binary(c, "max", &P::max, &P::max, &P::max);
  bind_binary(c, "min", &P::min, &P::min, &P::min);
  c.def("negate", on(static_cast<Unary>(&P::negate)), kD, kA);
  c.def("absolute", on(static_cast<Unary>(&P::absolute)), kD, kA);
  c.def("convert", on(&P::convert), kD, kA);
  bind_binary(c, "divide", &P::divide, &P::divide, &P::divide);
  bind_binary(c, "remainder", &P::remainder, &P::remainder, &P::remainder);
  c.def("reciprocal", on(&P::reciprocal), kD, kA);
  c.def("square_root", on(&P::square_root), kD, kA);
  c.def("elapsed", on(&P::elapsed), kD, py::arg("start"));
}

void bind_bits(Class& c) {
  const py::arg bits("bits");
  c.def("band", by_reg([](P& p, Reg d, Reg a, Reg b) { p.band(d, a, b); }), kD, kA, kB);
  c.def("band", by_number([](P& p, Reg d, Reg a, int b) { p.bandi(d, a, b); }), kD, kA, kB);
  c.def("bor", by_reg([](P& p, Reg d, Reg a, Reg b) { p.bor(d, a, b); }), kD, kA, kB);
  c.def("bor", by_number([](P& p, Reg d, Reg a, int b) { p.bori(d, a, b); }), kD, kA, kB);
  c.def("bxor", by_reg([](P& p, Reg d, Reg a, Reg b) { p.bxor(d, a, b); }), kD, kA, kB);
  c.def("bxor", by_number([](P& p, Reg d, Reg a, int b) { p.bxori(d, a, b); }), kD, kA, kB);
  c.def("shl", by_reg([](P& p, Reg d, Reg a, Reg b) { p.shl(d, a, b); }), kD, kA, bits);
  c.def("shl", by_number([](P& p, Reg d, Reg a, int b) { p.shli(d, a, b); }), kD, kA, bits);
  c.def("shl", on(static_cast<OfNumber>(&P::shl)), kD, kA, bits);
  c.def("shr", by_reg([](P& p, Reg d, Reg a, Reg b) { p.shr(d, a, b); }), kD, kA, bits);
  c.def("shr", by_number([](P& p, Reg d, Reg a, int b) { p.shri(d, a, b); }), kD, kA, bits);
  c.def("shr", on(static_cast<OfNumber>(&P::shr)), kD, kA, bits);
  c.def("sar", by_reg([](P& p, Reg d, Reg a, Reg b) { p.sar(d, a, b); }), kD, kA, bits);
  c.def("sar", by_number([](P& p, Reg d, Reg a, int b) { p.sari(d, a, b); }), kD, kA, bits);
  c.def("sar", on(static_cast<OfNumber>(&P::sar)), kD, kA, bits);
}

using One = PeOperation (P::*)(V, V);
using Two = PeOperation (P::*)(V, V, V);
using WithRegister = PeOperation (P::*)(V, V, S);
using WithValue = PeOperation (P::*)(V, V, PeValue);
using OfValue = PeOperation (P::*)(V, PeValue, V);

/// With a vector, a register or a number.
void bind_three(Class& c, const char* name, Two vector, WithRegister reg, WithValue value) {
  c.def(name, op2(vector), kD, kA, kB);
  c.def(name, op2(reg), kD, kA, kB);
  c.def(name, op2(value), kD, kA, kB);
}

void bind_vector_operations(Class& c) {
  c.def("copy", op2(&P::copy), kD, kA);
  c.def("fill", op2(static_cast<PeOperation (P::*)(V, S)>(&P::fill)), kD, py::arg("value"));
  c.def("fill", op2(static_cast<PeOperation (P::*)(V, PeValue)>(&P::fill)), kD, py::arg("value"));
  bind_three(c, "add", &P::add, &P::add, &P::add);
  bind_three(c, "sub", &P::sub, &P::sub, &P::sub);
  bind_three(c, "mul", &P::mul, &P::mul, &P::mul);
  bind_three(c, "multiply_add", &P::multiply_add, &P::multiply_add, &P::multiply_add);
  bind_three(c, "max", &P::max, &P::max, &P::max);
  bind_three(c, "min", &P::min, &P::min, &P::min);
  c.def("add", op2(static_cast<OfValue>(&P::add)), kD, kA, kB);
  c.def("mul", op2(static_cast<OfValue>(&P::mul)), kD, kA, kB);
  c.def("max", op2(static_cast<OfValue>(&P::max)), kD, kA, kB);
  c.def("min", op2(static_cast<OfValue>(&P::min)), kD, kA, kB);
  c.def("sub", op2(static_cast<PeOperation (P::*)(V, S, V)>(&P::sub)), kD, kA, kB);
  c.def("sub", op2(static_cast<OfValue>(&P::sub)), kD, kA, kB);
  c.def("multiply_add", op2(static_cast<PeOperation (P::*)(V, V, V, S)>(&P::multiply_add)), kD, kA,
        kB, py::arg("s"));
  c.def("multiply_add", op2(static_cast<PeOperation (P::*)(V, V, V, PeValue)>(&P::multiply_add)),
        kD, kA, kB, py::arg("s"));
  c.def("negate", op2(static_cast<One>(&P::negate)), kD, kA);
  c.def("absolute", op2(static_cast<One>(&P::absolute)), kD, kA);
  c.def("band", op2(static_cast<Two>(&P::band)), kD, kA, kB);
  c.def("band", op2(static_cast<WithRegister>(&P::band)), kD, kA, kB);
  c.def("bor", op2(static_cast<Two>(&P::bor)), kD, kA, kB);
  c.def("bor", op2(static_cast<WithRegister>(&P::bor)), kD, kA, kB);
  c.def("bxor", op2(static_cast<Two>(&P::bxor)), kD, kA, kB);
  c.def("bxor", op2(static_cast<WithRegister>(&P::bxor)), kD, kA, kB);
  c.def("shl", op2(static_cast<WithRegister>(&P::shl)), kD, kA, py::arg("bits"));
  c.def("shr", op2(static_cast<WithRegister>(&P::shr)), kD, kA, py::arg("bits"));
  c.def("sar", op2(static_cast<WithRegister>(&P::sar)), kD, kA, py::arg("bits"));
  c.def("dot", op2(&P::dot), kD, kA, kB);
  c.def("sum", op2(&P::sum), kD, kA);
  c.def("max_of", op2(&P::max_of), kD, kA);
}

}  // namespace

void bind_arithmetic(Class& c) {
  bind_registers(c);
  bind_bits(c);
  bind_vector_operations(c);
}

}  // namespace weft::python
