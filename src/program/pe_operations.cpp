#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "program/pe_impl.hpp"
#include "program/shared_memory.hpp"
#include "program/vector_forms.hpp"
#include "weft/pe_program.hpp"

/// The vector operations of a PeProgram, by the types of their operands.
namespace weft::inline v0 {
namespace {

using isa::Operation;
using Access = PeProgramAccess;

/// An operation with the value in a register, which it has for itself or shares with others.
template <class F>
PeOperation with_literal(PeProgram& p, PeValue value, ElementType type, F put) {
  const Literal literal = Access::impl(p).literal(value, type);
  const PeOperation operation = put(literal.scalar);
  Access::impl(p).mark(literal, 2);
  return operation;
}

/// d = first, then d = f(d, elements) for one after the other: d stands for as many elements.
PeOperation accumulate(PeProgram& p, Operation operation, const PeVector& d, const PeVector* a,
                       const PeVector& b, PeValue first) {
  auto& impl = Access::impl(p);
  if (d.kind() != PeVector::Kind::memory || d.size() != 1)
    impl.refuse(d.name() + " is not one element in memory", "all elements go into one",
                "take one with at()");
  const int count = b.size() > 0 || a == nullptr ? b.size() : a->size();
  if (count == 0)
    impl.refuse("a stream has no length", "no operand has a count of wavelets",
                "give from() a count");
  for (const PeVector* v : {a, &b})
    if (v != nullptr && may_share_memory(d, *v))
      impl.refuse(fmt::format("{} is an element of {}", impl.element_text(d), v->name()),
                  "it is set before the elements are added", "give an element of another array");
  const PeScalar start{impl.scratch().reg, d.type()};
  p.set(start, first);
  p.store(d, start);
  const PeVector all = d.repeated(count);
  return Access::put(p, operation, all, a == nullptr ? &all : a, &b);
}

bool is_integer(ElementType type) {
  using Type = ElementType;
  return type == Type::i32 || type == Type::u32 || type == Type::i16 || type == Type::u16;
}

PeValue least_of(ElementType type) {
  if (is_float(type)) return -std::numeric_limits<float>::infinity();
  if (type == ElementType::i32) return std::numeric_limits<std::int32_t>::min();
  if (type == ElementType::i16) return std::numeric_limits<std::int16_t>::min();
  return 0;
}

}  // namespace

PeOperation PeProgram::fill(const PeVector& d, PeScalar value, CallLine) {
  return Access::put(*this, Operation::fill, d, nullptr, nullptr, &value);
}
PeOperation PeProgram::fill(const PeVector& d, PeValue value, CallLine) {
  return with_literal(*this, value, d.type(), [&](PeScalar s) { return fill(d, s); });
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::add, d, &a, &b);
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::add, d, &a, nullptr, &b);
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return add(d, a, s); });
}
PeOperation PeProgram::sub(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::sub, d, &a, &b);
}
PeOperation PeProgram::sub(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::sub, d, &a, nullptr, &b);
}
PeOperation PeProgram::sub(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return sub(d, a, s); });
}
PeOperation PeProgram::sub(const PeVector& d, PeScalar a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::sub_from, d, &b, nullptr, &a);
}
PeOperation PeProgram::sub(const PeVector& d, PeValue a, const PeVector& b, CallLine) {
  return with_literal(*this, a, b.type(), [&](PeScalar s) { return sub(d, s, b); });
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::mul, d, &a, &b);
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::mul, d, &a, nullptr, &b);
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return mul(d, a, s); });
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, const PeVector& b,
                                    CallLine) {
  return Access::put(*this, Operation::multiply_add, d, &a, &b);
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::multiply_add, d, &a, nullptr, &b);
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return multiply_add(d, a, s); });
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, const PeVector& b,
                                    PeScalar s, CallLine) {
  for (const PeVector* v : {&d, &a, &b})
    if (v->kind() != PeVector::Kind::memory)
      impl_->refuse("invalid operands of multiply_add: a stream",
                    "two instructions follow each other",
                    "receive it into a vector, or send the result from one");
  if (!are_same_elements(d, a)) {
    for (const PeVector* v : {&a, &b})
      if (may_share_memory(d, *v))
        impl_->refuse(fmt::format("multiply_add: {} and {} share memory", d.name(), v->name()),
                      "the sum begins as a copy, which would overwrite it",
                      "give another destination");
    copy(d, a);
  }
  return multiply_add(d, b, s);
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, const PeVector& b,
                                    PeValue s, CallLine) {
  return with_literal(*this, s, b.type(),
                      [&](PeScalar factor) { return multiply_add(d, a, b, factor); });
}
PeOperation PeProgram::max(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::max, d, &a, &b);
}
PeOperation PeProgram::max(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::max, d, &a, nullptr, &b);
}
PeOperation PeProgram::max(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return max(d, a, s); });
}
PeOperation PeProgram::min(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::min, d, &a, &b);
}
PeOperation PeProgram::min(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::min, d, &a, nullptr, &b);
}
PeOperation PeProgram::min(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return min(d, a, s); });
}
PeOperation PeProgram::negate(const PeVector& d, const PeVector& a, CallLine) {
  if (is_integer(d.type())) return sub(d, 0, a);  // no instruction
  return Access::put(*this, Operation::negate, d, &a, nullptr);
}
PeOperation PeProgram::absolute(const PeVector& d, const PeVector& a, CallLine) {
  return Access::put(*this, Operation::absolute, d, &a, nullptr);
}
PeOperation PeProgram::band(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::band, d, &a, &b);
}
PeOperation PeProgram::band(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::band, d, &a, nullptr, &b);
}
PeOperation PeProgram::band(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return band(d, a, s); });
}
PeOperation PeProgram::bor(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::bor, d, &a, &b);
}
PeOperation PeProgram::bor(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::bor, d, &a, nullptr, &b);
}
PeOperation PeProgram::bor(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return bor(d, a, s); });
}
PeOperation PeProgram::bxor(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return Access::put(*this, Operation::bxor, d, &a, &b);
}
PeOperation PeProgram::bxor(const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return Access::put(*this, Operation::bxor, d, &a, nullptr, &b);
}
PeOperation PeProgram::bxor(const PeVector& d, const PeVector& a, PeValue b, CallLine) {
  return with_literal(*this, b, a.type(), [&](PeScalar s) { return bxor(d, a, s); });
}
PeOperation PeProgram::shl(const PeVector& d, const PeVector& a, PeScalar bits, CallLine) {
  return Access::put(*this, Operation::shl, d, &a, nullptr, &bits);
}
PeOperation PeProgram::shl(const PeVector& d, const PeVector& a, PeValue bits, CallLine) {
  return with_literal(*this, bits, a.type(), [&](PeScalar s) { return shl(d, a, s); });
}
PeOperation PeProgram::shr(const PeVector& d, const PeVector& a, PeScalar bits, CallLine) {
  return Access::put(*this, Operation::shr, d, &a, nullptr, &bits);
}
PeOperation PeProgram::shr(const PeVector& d, const PeVector& a, PeValue bits, CallLine) {
  return with_literal(*this, bits, a.type(), [&](PeScalar s) { return shr(d, a, s); });
}
PeOperation PeProgram::sar(const PeVector& d, const PeVector& a, PeScalar bits, CallLine) {
  return Access::put(*this, Operation::sar, d, &a, nullptr, &bits);
}
PeOperation PeProgram::sar(const PeVector& d, const PeVector& a, PeValue bits, CallLine) {
  return with_literal(*this, bits, a.type(), [&](PeScalar s) { return sar(d, a, s); });
}

PeOperation PeProgram::dot(const PeVector& d, const PeVector& a, const PeVector& b, CallLine) {
  return accumulate(*this, Operation::multiply_add, d, &a, b, 0);
}
PeOperation PeProgram::sum(const PeVector& d, const PeVector& a, CallLine) {
  return accumulate(*this, Operation::add, d, nullptr, a, 0);
}
PeOperation PeProgram::max_of(const PeVector& d, const PeVector& a, CallLine) {
  return accumulate(*this, Operation::max, d, nullptr, a, least_of(d.type()));
}

}  // namespace weft::inline v0
