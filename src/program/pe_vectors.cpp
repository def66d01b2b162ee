#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "isa/info.hpp"
#include "isa/operations.hpp"
#include "program/pe_impl.hpp"
#include "program/vector_forms.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// How a PeProgram writes vector instructions.
namespace weft::inline v0 {
namespace {

DescriptorValue value_of(const PeVector& v, int place, int length, bool counted) {
  DescriptorValue value;
  value.length = length;
  value.counted = counted;
  if (v.kind() == PeVector::Kind::memory) {
    const std::vector<Dimension> dimensions = v.joined();
    if (v.offset() || v.stride())
      value.moved = place;
    else
      value.base = v.address();
    if (v.stride()) {
      value.strided = true;
    } else if (dimensions.size() == 1) {
      value.stride = dimensions[0].stride;
    } else {
      value.kind = DescriptorValue::Kind::shaped;
      for (const Dimension& d : dimensions) value.shape.emplace_back(d.extent, d.stride);
      value.length = -1;  // dshape sets it
    }
    return value;
  }
  if (v.kind() == PeVector::Kind::fifo) {
    value.kind = DescriptorValue::Kind::fifo;
    value.base = v.fifo().index;
    return value;
  }
  value.color = v.color();
  value.control = v.control();
  value.kind = v.kind() == PeVector::Kind::input ? DescriptorValue::Kind::input
                                                 : DescriptorValue::Kind::output;
  return value;
}

}  // namespace

int length_of(const Item& item, const std::vector<DescriptorValue>& values) {
  for (const std::size_t k : {1U, 0U, 2U}) {
    if (item.value[k] < 0) continue;
    const DescriptorValue& v = values[static_cast<std::size_t>(item.value[k])];
    int count = 1;
    for (const auto& [extent, stride] : v.shape) count *= extent;
    if (v.kind == DescriptorValue::Kind::shaped) return count;
    if (v.length >= 0) return v.length;
  }
  return 0;
}

Op PeProgram::Impl::op_of(isa::Operation operation, const PeVector& d, const PeVector* a,
                          const PeVector* b, const PeScalar* scalar) const {
  const VectorOperands operands{
      operation, &d, a, b, scalar, scalar != nullptr ? register_text(*scalar) : std::string()};
  if (const std::optional<Op> op = instruction_of(operands)) return *op;
  const ErrorText text = why_none(operands);
  refuse(text.problem, text.reason, text.remedy);
}

bool PeProgram::Impl::has_halves(const PeVector& v) const {
  return v.kind() == PeVector::Kind::fifo && fifo_bytes.at(v.fifo().index) == 2;
}

void PeProgram::Impl::check_fifos(Op op, const std::array<const PeVector*, 3>& operands) const {
  const auto is_fifo = [&](std::size_t k) {
    return operands[k] != nullptr && operands[k]->kind() == PeVector::Kind::fifo;
  };
  if (is_fifo(0) && isa::accumulates(op))
    refuse(fmt::format("{} into {}", isa::method_name(op), operands[0]->name()),
           "it reads its destination, and what is in a FIFO is read by popping it",
           "add in memory, and push the sum");
  if (is_fifo(1) && operands[2] != nullptr)
    refuse(fmt::format("{} has {} as its first source", isa::method_name(op), operands[1]->name()),
           "of two sources, a FIFO is the second", "swap them, or pop it into memory first");
  const isa::Widths widths = isa::widths_of(isa::cost_of(op));
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (is_fifo(k) && widths.bytes[k] != fifo_bytes.at(operands[k]->fifo().index))
      refuse(fmt::format("{} does not go with {}", isa::method_name(op), operands[k]->name()),
             fmt::format("it has elements of {} bytes, and the FIFO of {}", widths.bytes[k],
                         fifo_bytes.at(operands[k]->fifo().index)),
             "declare the FIFO with the bytes of these elements");
}

std::optional<PeScalar> PeProgram::Impl::count_of(
    Op op, const std::array<const PeVector*, 3>& operands) const {
  const PeVector* counted = nullptr;
  for (const PeVector* v : operands) {
    if (v == nullptr || !v->count()) continue;
    if (counted != nullptr && counted->count()->reg.index != v->count()->reg.index)
      refuse(fmt::format("{} counts {} and {} by two registers", isa::method_name(op),
                         counted->name(), v->name()),
             "an instruction has one length", "count both by one register");
    counted = v;
  }
  return counted == nullptr ? std::nullopt : counted->count();
}

PeOperation PeProgram::put_vector(Op op, const PeVector& d, const PeVector* a, const PeVector* b,
                                  const PeScalar* scalar) {
  const std::array<const PeVector*, 3> operands = {&d, a, b};
  int count = 0;
  const PeVector* counted = nullptr;
  for (const PeVector* v : operands) {
    if (v == nullptr || v->size() == 0) continue;
    if (counted != nullptr && v->size() != count)
      impl_->refuse(fmt::format("invalid operands of {}: {} and {}", isa::method_name(op),
                                counted->name(), v->name()),
                    fmt::format("one has {} elements, the other {}", count, v->size()),
                    "take slices of one size");
    count = v->size();
    counted = v;
  }
  if (counted == nullptr)
    impl_->refuse(fmt::format("{} of streams alone has no length", isa::method_name(op)),
                  "no operand has a count of wavelets", "give from() a count, or take counted()");
  if (d.kind() == PeVector::Kind::input || (a != nullptr && a->kind() == PeVector::Kind::output) ||
      (b != nullptr && b->kind() == PeVector::Kind::output))
    impl_->refuse(fmt::format("{} has its streams the wrong way round", isa::method_name(op)),
                  "what comes from the router is a source, what goes there a destination",
                  "use from() for sources and to() for the destination");
  if (count > 0xffff)
    impl_->refuse(
        fmt::format("{} of {} has {} elements", isa::method_name(op), counted->name(), count),
        "an instruction has at most 65,535", "split it");
  for (const PeVector* v : operands)
    if (v != nullptr) check_owner(*v);
  impl_->check_fifos(op, operands);
  const std::optional<PeScalar> length = impl_->count_of(op, operands);
  Item item;
  item.instruction.op = op;
  if (scalar != nullptr) impl_->check(*scalar);
  if (scalar != nullptr) item.instruction.b = scalar->reg.index;
  for (std::size_t k = 0; k < 3; ++k) {
    if (operands[k] == nullptr) continue;
    const bool sets_length = k == (a == nullptr ? 0U : 1U);
    const DescriptorValue value =
        value_of(*operands[k], static_cast<int>(k), sets_length ? count : -1,
                 sets_length && length.has_value());
    for (const auto& s : {operands[k]->offset(), operands[k]->stride(), operands[k]->count()})
      if (s) impl_->check(*s);
    if (value.kind == DescriptorValue::Kind::input || value.kind == DescriptorValue::Kind::output)
      impl_->take_queue(operands[k]->color(), operands[k]->kind() == PeVector::Kind::input);
    item.value[k] = impl_->value_number(value);
    item.move[k] = impl_->move_number(*operands[k], value.counted ? length : std::nullopt);
  }
  impl_->put(item, impl_->operation_text(op, d, a, b, scalar));
  return {this, impl_->at.section, impl_->section().size() - 1};
}

PeOperation PeProgram::vector(Op op, const PeVector& d, const PeVector& a, const PeVector& b,
                              CallLine) {
  return put_vector(op, d, &a, &b, nullptr);
}
PeOperation PeProgram::vector(Op op, const PeVector& d, const PeVector& a, PeScalar b, CallLine) {
  return put_vector(op, d, &a, nullptr, &b);
}
PeOperation PeProgram::vector(Op op, const PeVector& d, const PeVector& a, CallLine) {
  return put_vector(op, d, &a, nullptr, nullptr);
}

PeOperation PeProgram::copy(const PeVector& d, const PeVector& a, CallLine) {
  for (const PeVector* v : {&d, &a}) check_owner(*v);
  if (d.type() == ElementType::unspecified &&
      a.type() == ElementType::unspecified)  // from stream or FIFO to another
    return put_vector(impl_->has_halves(d) || impl_->has_halves(a) ? Op::vmov16 : Op::vmov32, d, &a,
                      nullptr, nullptr);
  return PeProgramAccess::put(*this, isa::Operation::copy, d, &a, nullptr);
}
PeVector PeProgram::from(Color color, int count) {
  return PeVector::stream(PeVector::Kind::input, color, count);
}
PeVector PeProgram::to(Color color, bool control) {
  return PeVector::stream(PeVector::Kind::output, color, 0, control);
}

}  // namespace weft::inline v0
