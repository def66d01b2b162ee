#include "program_ref.hpp"
#include "values.hpp"

/// PeProgram's arithmetic, on registers and on vectors.
namespace weft::python {
namespace {

using Class = py::class_<HeldProgram, ProgramRef>;
using P = PeProgram;
using V = const PeVector&;
using S = PeScalar;

/// A method on registers, as op2.
template <class... A>
auto on(std::type_identity_t<void (P::*)(A..., CallLine)> method) {
  return [method](const ProgramRef& t, A... a) { (t->get().*method)(a..., {}); };
}

using Binary = void (P::*)(S, S, S, CallLine);
using WithNumber = void (P::*)(S, S, PeValue, CallLine);
using OfNumber = void (P::*)(S, PeValue, S, CallLine);

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
  c.def(name, on<S, S, S>(registers), kD, kA, kB);
  c.def(name, on<S, S, PeValue>(right), kD, kA, kB);
  c.def(name, on<S, PeValue, S>(left), kD, kA, kB);
}

void bind_registers(Class& c) {
  bind_binary(c, "add", &P::add, &P::add, &P::add);
  bind_binary(c, "sub", &P::sub, &P::sub, &P::sub);
  bind_binary(c, "mul", &P::mul, &P::mul, &P::mul);
  bind_binary(c, "max", &P::max, &P::max, &P::max);
  bind_binary(c, "min", &P::min, &P::min, &P::min);
  c.def("negate", on<S, S>(&P::negate), kD, kA);
  c.def("absolute", on<S, S>(&P::absolute), kD, kA);
  c.def("convert", on<S, S>(&P::convert), kD, kA);
  bind_binary(c, "divide", &P::divide, &P::divide, &P::divide);
  bind_binary(c, "remainder", &P::remainder, &P::remainder, &P::remainder);
  c.def("reciprocal", on<S, S>(&P::reciprocal), kD, kA);
  c.def("square_root", on<S, S>(&P::square_root), kD, kA);
  c.def("elapsed", on<S, S>(&P::elapsed), kD, py::arg("start"));
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
  c.def("shl", on<S, PeValue, S>(&P::shl), kD, kA, bits);
  c.def("shr", by_reg([](P& p, Reg d, Reg a, Reg b) { p.shr(d, a, b); }), kD, kA, bits);
  c.def("shr", by_number([](P& p, Reg d, Reg a, int b) { p.shri(d, a, b); }), kD, kA, bits);
  c.def("shr", on<S, PeValue, S>(&P::shr), kD, kA, bits);
  c.def("sar", by_reg([](P& p, Reg d, Reg a, Reg b) { p.sar(d, a, b); }), kD, kA, bits);
  c.def("sar", by_number([](P& p, Reg d, Reg a, int b) { p.sari(d, a, b); }), kD, kA, bits);
  c.def("sar", on<S, PeValue, S>(&P::sar), kD, kA, bits);
}

using Two = PeOperation (P::*)(V, V, V, CallLine);
using WithRegister = PeOperation (P::*)(V, V, S, CallLine);
using WithValue = PeOperation (P::*)(V, V, PeValue, CallLine);

/// With a vector, a register or a number.
void bind_three(Class& c, const char* name, Two vector, WithRegister reg, WithValue value) {
  c.def(name, op2<V, V, V>(vector), kD, kA, kB);
  c.def(name, op2<V, V, S>(reg), kD, kA, kB);
  c.def(name, op2<V, V, PeValue>(value), kD, kA, kB);
}

void bind_vector_operations(Class& c) {
  c.def("copy", op2<V, V>(&P::copy), kD, kA);
  c.def("fill", op2<V, S>(&P::fill), kD, py::arg("value"));
  c.def("fill", op2<V, PeValue>(&P::fill), kD, py::arg("value"));
  bind_three(c, "add", &P::add, &P::add, &P::add);
  bind_three(c, "sub", &P::sub, &P::sub, &P::sub);
  bind_three(c, "mul", &P::mul, &P::mul, &P::mul);
  bind_three(c, "multiply_add", &P::multiply_add, &P::multiply_add, &P::multiply_add);
  bind_three(c, "max", &P::max, &P::max, &P::max);
  bind_three(c, "min", &P::min, &P::min, &P::min);
  c.def("add", op2<V, PeValue, V>(&P::add), kD, kA, kB);
  c.def("mul", op2<V, PeValue, V>(&P::mul), kD, kA, kB);
  c.def("max", op2<V, PeValue, V>(&P::max), kD, kA, kB);
  c.def("min", op2<V, PeValue, V>(&P::min), kD, kA, kB);
  c.def("sub", op2<V, S, V>(&P::sub), kD, kA, kB);
  c.def("sub", op2<V, PeValue, V>(&P::sub), kD, kA, kB);
  c.def("multiply_add", op2<V, V, V, S>(&P::multiply_add), kD, kA, kB, py::arg("s"));
  c.def("multiply_add", op2<V, V, V, PeValue>(&P::multiply_add), kD, kA, kB, py::arg("s"));
  c.def("negate", op2<V, V>(&P::negate), kD, kA);
  c.def("absolute", op2<V, V>(&P::absolute), kD, kA);
  bind_three(c, "band", &P::band, &P::band, &P::band);
  bind_three(c, "bor", &P::bor, &P::bor, &P::bor);
  bind_three(c, "bxor", &P::bxor, &P::bxor, &P::bxor);
  c.def("shl", op2<V, V, S>(&P::shl), kD, kA, py::arg("bits"));
  c.def("shl", op2<V, V, PeValue>(&P::shl), kD, kA, py::arg("bits"));
  c.def("shr", op2<V, V, S>(&P::shr), kD, kA, py::arg("bits"));
  c.def("shr", op2<V, V, PeValue>(&P::shr), kD, kA, py::arg("bits"));
  c.def("sar", op2<V, V, S>(&P::sar), kD, kA, py::arg("bits"));
  c.def("sar", op2<V, V, PeValue>(&P::sar), kD, kA, py::arg("bits"));
  c.def("dot", op2<V, V, V>(&P::dot), kD, kA, kB);
  c.def("sum", op2<V, V>(&P::sum), kD, kA);
  c.def("max_of", op2<V, V>(&P::max_of), kD, kA);
}

}  // namespace

void bind_arithmetic(Class& c) {
  bind_registers(c);
  bind_bits(c);
  bind_vector_operations(c);
}

}  // namespace weft::python
