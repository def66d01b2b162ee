#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/info.hpp"
#include "program/pe_impl.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// The vector operations of a PeProgram.
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

std::string type_text(const PeVector* v) {
  return v->type() == kNone ? v->name() : fmt::format("{} ({})", v->name(), to_string(v->type()));
}

DescriptorValue value_of(const PeVector& v, int place, int length) {
  DescriptorValue value;
  value.length = length;
  if (v.kind() == PeVector::Kind::memory) {
    const std::vector<Dimension> dimensions = v.joined();
    if (v.offset())
      value.moved = place;
    else
      value.base = v.address();
    if (dimensions.size() == 1) {
      value.stride = dimensions[0].stride;
    } else {
      value.kind = DescriptorValue::Kind::shaped;
      for (const Dimension& d : dimensions) value.shape.emplace_back(d.extent, d.stride);
      value.length = -1;  // dshape sets it
    }
    return value;
  }
  value.color = v.color();
  value.control = v.control();
  value.kind = v.kind() == PeVector::Kind::input ? DescriptorValue::Kind::input
                                                 : DescriptorValue::Kind::output;
  return value;
}

}  // namespace

PeOperation PeProgram::put_vector(std::string_view operation, const PeVector& d, const PeVector* a,
                                  const PeVector* b, const PeScalar* scalar) {
  for (const VectorForm& form : kForms)
    if (form.operation == operation && form.scalar == (scalar != nullptr) && fits(form.d, &d) &&
        fits(form.a, a) && (form.scalar ? form.b == scalar->type : fits(form.b, b)))
      return put_vector(form.op, d, a, b, scalar);
  std::string operands = type_text(&d);
  for (const PeVector* v : {a, b})
    if (v != nullptr) operands += ", " + type_text(v);
  if (scalar != nullptr)
    operands += fmt::format(", register {} ({})", scalar->reg.index, to_string(scalar->type));
  impl_->refuse(fmt::format("{} of {} cannot be", operation, operands),
                "no instruction takes these types together",
                "convert one of them with copy (FP16 and FP32), or declare it with another type");
}

PeOperation PeProgram::put_vector(Op op, const PeVector& d, const PeVector* a, const PeVector* b,
                                  const PeScalar* scalar) {
  const std::array<const PeVector*, 3> operands = {&d, a, b};
  int count = 0;
  const PeVector* counted = nullptr;
  for (const PeVector* v : operands) {
    if (v == nullptr || v->size() == 0) continue;
    if (counted != nullptr && v->size() != count)
      impl_->refuse(
          fmt::format("{} of {} and {} cannot be", mnemonic(op), counted->name(), v->name()),
          fmt::format("one has {} elements, the other {}", count, v->size()),
          "take slices of one size");
    count = v->size();
    counted = v;
  }
  if (counted == nullptr)
    impl_->refuse(fmt::format("{} of streams alone has no length", mnemonic(op)),
                  "nothing tells how many wavelets", "give from() a count");
  if (d.kind() == PeVector::Kind::input || (a != nullptr && a->kind() == PeVector::Kind::output) ||
      (b != nullptr && b->kind() == PeVector::Kind::output))
    impl_->refuse(fmt::format("{} has its streams the wrong way round", mnemonic(op)),
                  "what comes from the router is a source, what goes there a destination",
                  "use from() for sources and to() for the destination");
  Item item;
  item.instruction.op = op;
  if (scalar != nullptr) item.instruction.b = scalar->reg.index;
  for (std::size_t k = 0; k < 3; ++k) {
    if (operands[k] == nullptr) continue;
    check_owner(*operands[k]);
    const bool tells_length = k == (a == nullptr ? 0U : 1U);
    DescriptorValue value = value_of(*operands[k], static_cast<int>(k), tells_length ? count : -1);
    if (value.kind == DescriptorValue::Kind::input)
      value.queue = impl_->queue_of(operands[k]->color(), true);
    if (value.kind == DescriptorValue::Kind::output)
      value.queue = impl_->queue_of(operands[k]->color(), false);
    item.value[k] = impl_->value_number(value);
    item.offset[k] = operands[k]->offset();
    item.base[k] = operands[k]->address();
  }
  impl_->put(item);
  return {this, impl_->current, impl_->sections[impl_->current].size() - 1};
}

PeOperation PeProgram::vector(Op op, const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector(op, d, &a, &b, nullptr);
}
PeOperation PeProgram::vector(Op op, const PeVector& d, const PeVector& a) {
  return put_vector(op, d, &a, nullptr, nullptr);
}

PeOperation PeProgram::copy(const PeVector& d, const PeVector& a) {
  if (d.type() == kNone && a.type() == kNone)  // from stream to stream
    return put_vector(Op::vmov32, d, &a, nullptr, nullptr);
  return put_vector("copy", d, &a, nullptr, nullptr);
}
PeOperation PeProgram::fill(const PeVector& d, PeScalar value) {
  return put_vector("fill", d, nullptr, nullptr, &value);
}
PeOperation PeProgram::fill(const PeVector& d, PeValue value) {
  return fill(d, constant(value, d.type()));
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector("add", d, &a, &b, nullptr);
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, PeScalar b) {
  return put_vector("add", d, &a, nullptr, &b);
}
PeOperation PeProgram::add(const PeVector& d, const PeVector& a, PeValue b) {
  return add(d, a, constant(b, a.type()));
}
PeOperation PeProgram::sub(const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector("sub", d, &a, &b, nullptr);
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector("mul", d, &a, &b, nullptr);
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, PeScalar b) {
  return put_vector("mul", d, &a, nullptr, &b);
}
PeOperation PeProgram::mul(const PeVector& d, const PeVector& a, PeValue b) {
  return mul(d, a, constant(b, a.type()));
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector("multiply_add", d, &a, &b, nullptr);
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, PeScalar b) {
  return put_vector("multiply_add", d, &a, nullptr, &b);
}
PeOperation PeProgram::multiply_add(const PeVector& d, const PeVector& a, PeValue b) {
  return multiply_add(d, a, constant(b, a.type()));
}
PeOperation PeProgram::max(const PeVector& d, const PeVector& a, const PeVector& b) {
  return put_vector("max", d, &a, &b, nullptr);
}
PeOperation PeProgram::negate(const PeVector& d, const PeVector& a) {
  return put_vector("negate", d, &a, nullptr, nullptr);
}
PeOperation PeProgram::absolute(const PeVector& d, const PeVector& a) {
  return put_vector("absolute", d, &a, nullptr, nullptr);
}

PeVector PeProgram::from(Color color, int count) {
  return PeVector::stream(PeVector::Kind::input, color, count);
}
PeVector PeProgram::to(Color color, bool control) {
  return PeVector::stream(PeVector::Kind::output, color, 0, control);
}

PeOperation& PeOperation::set(VectorOptions::AtEnd at_end, Task task) {
  Item& item = program_->impl_->sections[section_][index_];
  const auto is_stream = [&](int value) {
    if (value < 0) return false;
    const auto kind = program_->impl_->by_number[static_cast<std::size_t>(value)].kind;
    return kind == DescriptorValue::Kind::input || kind == DescriptorValue::Kind::output;
  };
  if (std::none_of(item.value.begin(), item.value.end(), is_stream))
    program_->impl_->refuse(
        fmt::format("{} over memory cannot be asynchronous", mnemonic(item.instruction.op)),
        "it is done when it is issued", "do not wait for it");
  VectorOptions options = VectorOptions::unpack(item.instruction.imm);
  if (options.at_end != VectorOptions::AtEnd::nothing && at_end != VectorOptions::AtEnd::nothing)
    program_->impl_->refuse(
        fmt::format("{} has two actions at its end", mnemonic(item.instruction.op)),
        "an operation activates or unblocks one task",
        "wait for it once, or activate the other task in the first one");
  options.async = true;
  if (at_end != VectorOptions::AtEnd::nothing) {
    options.at_end = at_end;
    options.task_kind = task.kind;
    options.task_id = task.id;
  }
  item.instruction.imm = options.pack();
  return *this;
}

PeOperation& PeOperation::async() { return set(VectorOptions::AtEnd::nothing, {}); }
PeOperation& PeOperation::then_activate(Task task) {
  return set(VectorOptions::AtEnd::activate, task);
}
PeOperation& PeOperation::then_unblock(Task task) {
  return set(VectorOptions::AtEnd::unblock, task);
}

}  // namespace weft::inline v0
