#include "program/vector_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace weft::inline v0 {
namespace {

using Type = ElementType;

/// The instruction of an operation, by the types of its operands; `scalar`: the last is a register.
struct VectorForm {
  std::string_view operation;
  Type d, a, b;  ///< unspecified: there is none
  bool scalar;
  Op op;
};
constexpr Type kNone = Type::unspecified;
constexpr VectorForm kForms[] = {
    {"copy", Type::f32, Type::f32, kNone, false, Op::vmov32},
    {"copy", Type::i32, Type::i32, kNone, false, Op::vmov32},
    {"copy", Type::u32, Type::u32, kNone, false, Op::vmov32},
    {"copy", Type::f16, Type::f16, kNone, false, Op::vmov16},
    {"copy", Type::i16, Type::i16, kNone, false, Op::vmov16},
    {"copy", Type::u16, Type::u16, kNone, false, Op::vmov16},
    {"copy", Type::f32, Type::f16, kNone, false, Op::vfh2s},
    {"copy", Type::f16, Type::f32, kNone, false, Op::vfs2h},
    {"fill", Type::f32, kNone, Type::f32, true, Op::vmov32r},
    {"fill", Type::i32, kNone, Type::i32, true, Op::vmov32r},
    {"fill", Type::u32, kNone, Type::u32, true, Op::vmov32r},
    {"fill", Type::f16, kNone, Type::f16, true, Op::vmov16r},
    {"fill", Type::i16, kNone, Type::i16, true, Op::vmov16r},
    {"fill", Type::u16, kNone, Type::u16, true, Op::vmov16r},
    {"add", Type::f32, Type::f32, Type::f32, false, Op::vfadds},
    {"add", Type::f16, Type::f16, Type::f16, false, Op::vfaddh},
    {"add", Type::f32, Type::f32, Type::f16, false, Op::vfaddhs},
    {"add", Type::i32, Type::i32, Type::i32, false, Op::vadd32},
    {"add", Type::u32, Type::u32, Type::u32, false, Op::vadd32},
    {"add", Type::i16, Type::i16, Type::i16, false, Op::vadd16},
    {"add", Type::u16, Type::u16, Type::u16, false, Op::vadd16},
    {"add", Type::f32, Type::f32, Type::f32, true, Op::vfaddsr},
    {"add", Type::f16, Type::f16, Type::f16, true, Op::vfaddhr},
    {"sub", Type::f32, Type::f32, Type::f32, false, Op::vfsubs},
    {"sub", Type::f16, Type::f16, Type::f16, false, Op::vfsubh},
    {"sub", Type::i32, Type::i32, Type::i32, false, Op::vsub32},
    {"sub", Type::u32, Type::u32, Type::u32, false, Op::vsub32},
    {"sub", Type::i16, Type::i16, Type::i16, false, Op::vsub16},
    {"sub", Type::u16, Type::u16, Type::u16, false, Op::vsub16},
    {"mul", Type::f32, Type::f32, Type::f32, false, Op::vfmuls},
    {"mul", Type::f16, Type::f16, Type::f16, false, Op::vfmulh},
    {"mul", Type::f32, Type::f32, Type::f32, true, Op::vfmulsr},
    {"mul", Type::f16, Type::f16, Type::f16, true, Op::vfmulhr},
    {"multiply_add", Type::f32, Type::f32, Type::f32, false, Op::vfmacs},
    {"multiply_add", Type::f16, Type::f16, Type::f16, false, Op::vfmach},
    {"multiply_add", Type::f32, Type::f16, Type::f16, false, Op::vfmachs},
    {"multiply_add", Type::f32, Type::f32, Type::f32, true, Op::vfmacsr},
    {"multiply_add", Type::f16, Type::f16, Type::f16, true, Op::vfmachr},
    {"max", Type::f32, Type::f32, Type::f32, false, Op::vfmaxs},
    {"max", Type::f16, Type::f16, Type::f16, false, Op::vfmaxh},
    {"negate", Type::f32, Type::f32, kNone, false, Op::vfnegs},
    {"negate", Type::f16, Type::f16, kNone, false, Op::vfnegh},
    {"absolute", Type::f32, Type::f32, kNone, false, Op::vfabss},
    {"absolute", Type::f16, Type::f16, kNone, false, Op::vfabsh},
};

/// A stream has the type that the operation gives it.
bool fits(Type wanted, const PeVector* given) {
  if (given == nullptr) return wanted == kNone;
  return given->type() == wanted || (given->type() == kNone && wanted != kNone);
}

std::string type_text(const PeVector& v) {
  return v.type() == kNone ? v.name() : fmt::format("{} ({})", v.name(), to_string(v.type()));
}

bool fits(const VectorForm& form, const VectorOperands& o) {
  return form.operation == o.operation && form.scalar == (o.scalar != nullptr) &&
         fits(form.d, o.d) && fits(form.a, o.a) &&
         (form.scalar ? form.b == o.scalar->type : fits(form.b, o.b));
}

/// "float, Half": the types of the operation, of operands alike.
std::string types_of(const VectorOperands& o) {
  std::string types;
  for (const VectorForm& form : kForms) {
    const bool alike =
        (form.a == kNone || form.a == form.d) && (form.b == kNone || form.b == form.d);
    if (form.operation != o.operation || form.scalar != (o.scalar != nullptr) || !alike) continue;
    types += fmt::format("{}{}", types.empty() ? "" : ", ", to_string(form.d));
  }
  return types;
}

bool is_complex(Type type) { return type == Type::c64 || type == Type::c32; }
bool is_float(Type type) { return type == Type::f32 || type == Type::f16; }

/// The types of all operands but streams.
std::vector<Type> types_given(const VectorOperands& o) {
  std::vector<Type> types;
  for (const PeVector* v : {o.d, o.a, o.b})
    if (v != nullptr && v->type() != kNone) types.push_back(v->type());
  if (o.scalar != nullptr) types.push_back(o.scalar->type);
  return types;
}

}  // namespace

std::optional<Op> instruction_of(const VectorOperands& operands) {
  for (const VectorForm& form : kForms)
    if (fits(form, operands)) return form.op;
  return {};
}

ErrorText why_none(const VectorOperands& o) {
  std::string operands = type_text(*o.d);
  for (const PeVector* v : {o.a, o.b})
    if (v != nullptr) operands += ", " + type_text(*v);
  if (o.scalar != nullptr)
    operands += fmt::format(", register {} ({})", o.scalar->reg.index, to_string(o.scalar->type));
  const std::string problem = fmt::format("{} of {} cannot be", o.operation, operands);

  const std::vector<Type> types = types_given(o);
  const bool alike = std::ranges::all_of(types, [&](Type t) { return t == types.front(); });
  if (std::ranges::any_of(types, is_complex))
    return {problem, "no instruction takes complex numbers",
            "declare their real and imaginary parts as vectors of real numbers"};
  if (alike && o.scalar != nullptr && instruction_of({o.operation, o.d, o.a, o.a, nullptr}))
    return {problem, fmt::format("with a number it takes {}", types_of(o)),
            "fill a vector with the number, and give that"};
  if (alike)
    return {problem, fmt::format("it takes {}", types_of(o)), "declare vectors of such a type"};
  if (std::ranges::all_of(types, is_float) && o.operation != "copy")
    return {problem, "no instruction takes these types together",
            "convert one of them with copy into a vector of the other type"};
  return {problem, "no instruction takes these types together, or converts one into the other",
          "declare them with one type, or convert the numbers on the host"};
}

}  // namespace weft::inline v0
