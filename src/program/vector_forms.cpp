#include "program/vector_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace weft::inline v0 {
namespace {

using Type = ElementType;

constexpr Type kNone = Type::unspecified;

std::string type_text(const PeVector& v) {
  return v.type() == kNone ? v.name() : fmt::format("{} ({})", v.name(), to_string(v.type()));
}

/// "float, Half": the types of the operation, of operands alike.
std::string types_of(const VectorOperands& o) {
  std::string types;
  for (const Type type : {Type::f32, Type::f16, Type::i32, Type::u32, Type::i16, Type::u16}) {
    const auto alike = [type](bool given) { return given ? std::optional(type) : std::nullopt; };
    if (isa::vector_op(o.operation, {type, alike(o.a != nullptr), alike(o.b != nullptr),
                                     alike(o.scalar != nullptr)}))
      types += fmt::format("{}{}", types.empty() ? "" : ", ", to_string(type));
  }
  return types;
}

bool is_complex(Type type) { return type == Type::c64 || type == Type::c32; }

/// The types of all operands but streams.
std::vector<Type> types_given(const VectorOperands& o) {
  std::vector<Type> types;
  for (const PeVector* v : {o.d, o.a, o.b})
    if (v != nullptr && v->type() != kNone) types.push_back(v->type());
  if (o.scalar != nullptr) types.push_back(o.scalar->type);
  return types;
}

}  // namespace

std::optional<Op> instruction_of(const VectorOperands& o) {
  const auto type_of = [](const auto* v) { return v ? std::optional(v->type()) : std::nullopt; };
  return isa::vector_op(o.operation,
                        {o.d->type(), type_of(o.a), type_of(o.b),
                         o.scalar != nullptr ? std::optional(o.scalar->type) : std::nullopt});
}

ErrorText why_none(const VectorOperands& o) {
  std::string operands = type_text(*o.d);
  for (const PeVector* v : {o.a, o.b})
    if (v != nullptr) operands += ", " + type_text(*v);
  if (o.scalar != nullptr)
    operands += fmt::format(", {} ({})", o.register_name, to_string(o.scalar->type));
  const std::string problem =
      fmt::format("invalid operands of {}: {}", isa::method_name(o.operation), operands);

  const std::vector<Type> types = types_given(o);
  const bool alike = std::ranges::all_of(types, [&](Type t) { return t == types.front(); });
  if (std::ranges::any_of(types, is_complex))
    return {problem, "no instruction takes complex numbers",
            "declare their real and imaginary parts as vectors of real numbers"};
  if (alike)
    return {problem, fmt::format("it takes {}", types_of(o)), "declare vectors of such a type"};
  if (std::ranges::all_of(types, is_float) && o.operation != isa::Operation::copy)
    return {problem, "no instruction takes these types together",
            "convert one of them with copy into a vector of the other type"};
  return {problem, "no instruction takes these types together, or converts one into the other",
          "declare them with one type, or convert the numbers on the host"};
}

}  // namespace weft::inline v0
