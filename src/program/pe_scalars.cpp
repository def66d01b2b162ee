#include <fmt/format.h>

#include <utility>

#include "isa/operations.hpp"
#include "program/number_text.hpp"
#include "program/pe_impl.hpp"
#include "program/vector_forms.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// Arithmetic of a PeProgram on registers.
namespace weft::inline v0 {
namespace {

using isa::Operation;

bool is_half(ElementType type) {
  return type == ElementType::f16 || type == ElementType::i16 || type == ElementType::u16;
}

}  // namespace

void extend(PeProgram& p, Reg d, Reg a, ElementType type) {
  if (type == ElementType::i16) {
    p.shli(d, a, 16);
    p.sari(d, d, 16);
  } else if (type == ElementType::u16) {
    p.bandi(d, a, 0xffff);
  } else if (d.index != a.index) {
    p.mov(d, a);
  }
}

namespace {

/// d = the larger or the smaller one, of integers.
void choose(PeProgram& p, PeScalar d, PeScalar a, PeScalar b, bool larger) {
  auto& impl = PeProgramAccess::impl(p);
  if (is_half(d.type)) {  // sums may leave more than 16 bits
    extend(p, impl.scratch(), b, d.type);
    extend(p, d, a, d.type);
    a = d;
    b.reg = impl.scratch().reg;
  }
  if (d.reg.index == b.reg.index) std::swap(a, b);
  if (d.reg.index != a.reg.index) p.mov(d, a);
  const Label out = impl.builder.label();
  const PeCondition stays = larger ? a >= b : a <= b;
  const PeScalar first = larger ? d : b, second = larger ? b : d;
  p.instruction(
      {.op = stays.branch, .d = first.reg.index, .a = second.reg.index, .imm = out.index});
  p.mov(d, b);
  impl.put_label(out);
}

/// A floating-point number of 32 bits as an integer, or an integer as one.
void convert_word(PeProgram& p, PeScalar d, PeScalar a) {
  const bool is_signed = (is_float(d.type) ? a : d).type != ElementType::u32;
  if (is_float(d.type))
    is_signed ? p.fi2s(d, a) : p.fu2s(d, a);
  else
    is_signed ? p.fs2i(d, a) : p.fs2u(d, a);
}

}  // namespace

void PeProgram::put_scalar(Op op, PeScalar d, PeScalar a, PeScalar b) {
  impl_->check_alike(isa::method_name(op), {d, a, b});
  put(op, d.reg.index, a.reg.index, b.reg.index, 0);
}

void PeProgram::set(PeScalar d, PeValue value, CallLine) {
  impl_->check(d);
  const std::uint32_t bits = value.bits(d.type);
  const Says says(impl_->saying, fmt::format("set({}, {})", impl_->register_text(d),
                                             number_text(bits, d.type).text));
  li(d, static_cast<std::int32_t>(bits));
}
void PeProgram::set(PeScalar d, PeScalar a, CallLine) {
  impl_->check(d);
  impl_->check(a);
  if (is_float(d.type) || is_float(a.type)) impl_->check_alike("set", {d, a});
  mov(d.reg, a.reg);
}

namespace {

/// d = f(a, the value): floating-point numbers by a register, integers as immediates.
template <class Register, class Immediate>
void with_number(PeProgram& p, PeScalar d, PeScalar a, PeValue value, Register by_register,
                 Immediate by_immediate) {
  auto& impl = PeProgramAccess::impl(p);
  if (is_float(d.type)) {
    const Literal literal = impl.literal(value, d.type);
    by_register(literal.scalar);
    return impl.mark(literal, 2);
  }
  impl.check(d);
  impl.check(a);
  by_immediate(value.bits(d.type));
}

}  // namespace

void PeProgram::add(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  put_scalar(isa::scalar_op(isa::Operation::add, d.type).value(), d, a, b);
}
void PeProgram::sub(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  put_scalar(isa::scalar_op(isa::Operation::sub, d.type).value(), d, a, b);
}
void PeProgram::mul(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  put_scalar(isa::scalar_op(isa::Operation::mul, d.type).value(), d, a, b);
}
void PeProgram::add(PeScalar d, PeScalar a, PeValue b, CallLine) {
  with_number(
      *this, d, a, b, [&](PeScalar s) { add(d, a, s); },
      [&](std::uint32_t bits) { addi(d, a, static_cast<std::int32_t>(bits)); });
}
void PeProgram::sub(PeScalar d, PeScalar a, PeValue b, CallLine) {
  with_number(
      *this, d, a, b, [&](PeScalar s) { sub(d, a, s); },
      [&](std::uint32_t bits) { addi(d, a, static_cast<std::int32_t>(0U - bits)); });
}
void PeProgram::mul(PeScalar d, PeScalar a, PeValue b, CallLine) {
  with_number(
      *this, d, a, b, [&](PeScalar s) { mul(d, a, s); },
      [&](std::uint32_t bits) { muli(d, a, static_cast<std::int32_t>(bits)); });
}

namespace {

/// The value in the register that lasts one instruction: for b, as the destination is not b.
PeScalar in_scratch(PeProgram& p, PeValue value, ElementType type) {
  const PeScalar s{PeProgramAccess::impl(p).scratch().reg, type};
  p.set(s, value);
  return s;
}

void check_shift(PeProgram& p, std::string_view what, PeScalar d, PeScalar bits) {
  auto& impl = PeProgramAccess::impl(p);
  for (const PeScalar s : {d, bits}) impl.check(s);
  if (is_float(d.type))
    impl.refuse(fmt::format("invalid operands of {}: {}", what, impl.register_text(d)),
                fmt::format("its type is {}", to_string(d.type)), "shift integers");
}

/// d = f(a, number), of floating-point numbers by a literal, of integers by the scratch register.
template <class F>
void with_operand(PeProgram& p, PeScalar d, PeValue number, F put) {
  if (!is_float(d.type)) return put(in_scratch(p, number, d.type));
  auto& impl = PeProgramAccess::impl(p);
  const Literal literal = impl.literal(number, d.type);
  put(literal.scalar);
  impl.mark(literal, 2);
}

}  // namespace

void PeProgram::max(PeScalar d, PeScalar a, PeValue b, CallLine) {
  with_operand(*this, d, b, [&](PeScalar s) { max(d, a, s); });
}
void PeProgram::min(PeScalar d, PeScalar a, PeValue b, CallLine) {
  with_operand(*this, d, b, [&](PeScalar s) { min(d, a, s); });
}

void PeProgram::sub(PeScalar d, PeValue a, PeScalar b, CallLine) {
  sub(d, in_scratch(*this, a, d.type), b);
}
void PeProgram::shl(PeScalar d, PeValue a, PeScalar bits, CallLine) {
  check_shift(*this, "shl", d, bits);
  InstructionWriter::shl(d, in_scratch(*this, a, d.type), bits);
}
void PeProgram::shr(PeScalar d, PeValue a, PeScalar bits, CallLine) {
  check_shift(*this, "shr", d, bits);
  InstructionWriter::shr(d, in_scratch(*this, a, d.type), bits);
}
void PeProgram::sar(PeScalar d, PeValue a, PeScalar bits, CallLine) {
  check_shift(*this, "sar", d, bits);
  InstructionWriter::sar(d, in_scratch(*this, a, d.type), bits);
}

namespace {

/// Of an element that no register moves, the base is 0.
std::optional<Literal> base_of(PeProgram& p, const PeVector& element, ElementType type) {
  auto& impl = PeProgramAccess::impl(p);
  PeProgramAccess::check_owner(p, element);
  if (element.kind() != PeVector::Kind::memory || element.size() != 1)
    impl.refuse(fmt::format("{} is not one element in memory", element.name()),
                fmt::format("it has {} elements", element.size()), "take one with at()");
  if (element.count())
    impl.refuse(fmt::format("a register counts {}", element.name()),
                "a load or store takes one element, whatever the count",
                "take the element without counted_by");
  if (element.type() != type)
    impl.refuse(fmt::format("an element of {} does not go with a register of type {}",
                            element.name(), to_string(type)),
                fmt::format("it has type {}", to_string(element.type())),
                "declare them with one type");
  if (!element.offset()) return impl.literal(0, ElementType::i32);
  impl.check(*element.offset());
  return {};
}

}  // namespace

namespace {

/// A load or store, whose offset its item keeps for checks.
void put_access(PeProgram& p, Op op, PeScalar s, const PeVector& element, const std::string& what) {
  auto& impl = PeProgramAccess::impl(p);
  impl.check(s);
  const std::optional<Literal> zero = base_of(p, element, s.type);
  const Reg base = zero ? zero->scalar.reg : element.offset()->reg;
  Item item{.instruction = {op, s.reg.index, base.index, 0,
                            static_cast<std::int32_t>(element.address())}};
  if (element.offset()) item.move[1] = impl.move_number(element);
  impl.put(item, what);
  if (zero) impl.mark(*zero, 1);
}

}  // namespace

void PeProgram::load(PeScalar d, const PeVector& element, CallLine) {
  put_access(*this, is_half(d.type) ? Op::lh : Op::lw, d, element,
             fmt::format("load({}, {})", impl_->register_text(d), impl_->element_text(element)));
  if (d.type == ElementType::i16) extend(*this, d, d, d.type);
}

void PeProgram::store(const PeVector& element, PeScalar s, CallLine) {
  put_access(*this, is_half(s.type) ? Op::sh : Op::sw, s, element,
             fmt::format("store({}, {})", impl_->element_text(element), impl_->register_text(s)));
}

void PeProgram::max(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  if (is_float(d.type)) return put_scalar(isa::scalar_op(Operation::max, d.type).value(), d, a, b);
  impl_->check_alike("max", {d, a, b});
  const Says says(impl_->saying, impl_->text_of("max", {d, a, b}));
  choose(*this, d, a, b, true);
}
void PeProgram::min(PeScalar d, PeScalar a, PeScalar b, CallLine) {
  if (is_float(d.type)) return put_scalar(isa::scalar_op(Operation::min, d.type).value(), d, a, b);
  impl_->check_alike("min", {d, a, b});
  const Says says(impl_->saying, impl_->text_of("min", {d, a, b}));
  choose(*this, d, a, b, false);
}
void PeProgram::negate(PeScalar d, PeScalar a, CallLine) {
  impl_->check_alike("negate", {d, a});
  if (!is_float(d.type)) return muli(d, a, -1);
  d.type == ElementType::f32 ? fnegs(d, a) : fnegh(d, a);
}
void PeProgram::absolute(PeScalar d, PeScalar a, CallLine) {
  impl_->check_alike("absolute", {d, a});
  if (d.type == ElementType::f32) return fabss(d, a);
  if (d.type == ElementType::f16) return fabsh(d, a);
  const Says says(impl_->saying, impl_->text_of("absolute", {d, a}));
  extend(*this, d, a, d.type);
  if (d.type == ElementType::u32 || d.type == ElementType::u16) return;
  const Label out = impl_->builder.label();
  const Literal zero = impl_->literal(0, ElementType::i32);
  bge(d, zero.scalar, out);
  impl_->mark(zero, 1);
  muli(d, d, -1);
  impl_->put_label(out);
}

void PeProgram::convert(PeScalar d, PeScalar a, CallLine) {
  using enum ElementType;
  for (const PeScalar s : {d, a}) impl_->check(s);
  const Says says(impl_->saying, impl_->text_of("convert", {d, a}));
  if (d.type == a.type) return mov(d, a);
  if (a.type == f16) {
    fh2s(d, a);
    if (d.type == f32) return;
    return convert({d.reg, d.type}, {d.reg, f32});
  }
  if (a.type == i16 || a.type == u16) {
    extend(*this, d, a, a.type);
    return is_float(d.type) ? convert(d, {d.reg, i32}) : extend(*this, d, d, d.type);
  }
  if (d.type == f16) {
    // Integers of more than 24 bits are infinite in FP16: rounding twice is rounding once.
    if (a.type != f32) convert_word(*this, {d.reg, f32}, a);
    return fs2h(d, a.type == f32 ? a : d);
  }
  if (!is_float(d.type) && !is_float(a.type)) return extend(*this, d, a, d.type);
  convert_word(*this, d, a);
  extend(*this, d, d, d.type);
}

void PeProgram::elapsed(PeScalar d, PeScalar start, CallLine) {
  for (const PeScalar s : {d, start}) impl_->check(s);
  const Says says(impl_->saying, impl_->text_of("elapsed", {d, start}));
  const Reg now = d.reg.index == start.reg.index ? impl_->scratch().reg : d.reg;
  tsc(now);
  InstructionWriter::sub(d.reg, now, start.reg);
}

}  // namespace weft::inline v0
