#include "weft/pe_vector.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(ErrorCategory::program, what, why, remedy);
}

template <class T>
bool holds(std::int64_t value) {
  return value >= std::int64_t{std::numeric_limits<T>::min()} &&
         value <= std::int64_t{std::numeric_limits<T>::max()};
}

}  // namespace

std::uint32_t PeValue::bits(ElementType type) const {
  switch (type) {
    case ElementType::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(real_));
    case ElementType::f16:
      return Half(static_cast<float>(real_)).bits;
    default:
      break;
  }
  const bool fits = type == ElementType::i32   ? holds<std::int32_t>(whole_)
                    : type == ElementType::u32 ? holds<std::uint32_t>(whole_)
                    : type == ElementType::i16 ? holds<std::int16_t>(whole_)
                    : type == ElementType::u16 ? holds<std::uint16_t>(whole_)
                                               : false;
  if (!is_whole_ || !fits)
    refuse(fmt::format("{} cannot be written as {}", real_, to_string(type)),
           is_whole_ ? "it is out of the type's range" : "it is no integer",
           "write a value of the type of the register or vector");
  return static_cast<std::uint32_t>(whole_);
}

PeVector PeVector::in_memory(std::string name, ElementType type, std::uint32_t address,
                             const std::vector<int>& extents) {
  PeVector v;
  v.type_ = type;
  v.address_ = address;
  if (extents.empty() || extents.size() > kDimensions)
    refuse(fmt::format("{} cannot have {} dimensions", name, extents.size()),
           fmt::format("a descriptor has one to {}", kDimensions), "join some of them");
  v.dimensions_ = static_cast<int>(extents.size());
  int stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] < 1 || extents[d] > 0xffff)
      refuse(fmt::format("{} cannot have {} elements in dimension {}", name, extents[d], d),
             "a dimension has 1 to 65,535", "change its size");
    v.extent_[d] = extents[d];
    v.stride_[d] = stride;
    stride *= extents[d];
  }
  v.name_ = std::move(name);
  return v;
}

PeVector PeVector::stream(Kind kind, Color color, int count, bool control) {
  PeVector v;
  v.kind_ = kind;
  v.color_ = color;
  v.control_ = control;
  v.extent_[0] = count;
  v.stride_[0] = 1;
  v.name_ = fmt::format("the stream of color {}", color.number);
  return v;
}

int PeVector::extent(int dimension) const {
  if (dimension < 0 || dimension >= dimensions_)
    refuse(fmt::format("{} has no dimension {}", name_, dimension),
           fmt::format("it has {}", dimensions_), "choose one of these");
  return extent_[static_cast<std::size_t>(dimension)];
}

int PeVector::size() const noexcept {
  int size = 1;
  for (int d = 0; d < dimensions_; ++d) size *= extent_[static_cast<std::size_t>(d)];
  return size;
}

namespace {

/// `count` elements from `first` on, `step` apart, of `extent`.
void check_part(const std::string& name, int first, int count, int step, int extent) {
  const std::int64_t last = first + std::int64_t{count - 1} * step;
  if (first < 0 || count < 1 || first >= extent || last < 0 || last >= extent)
    refuse(fmt::format("{} has no elements {} to {}", name, first, last),
           fmt::format("it has elements 0 to {}", extent - 1), "take a part that is inside");
}

void check_dimensions(const PeVector& v, const char* what, int dimensions) {
  if (v.kind() != PeVector::Kind::memory || v.dimensions() != dimensions)
    refuse(fmt::format("{} has no {}", v.name(), what),
           v.kind() != PeVector::Kind::memory
               ? "it is a stream"
               : fmt::format("that needs {} dimensions, and it has {}", dimensions, v.dimensions()),
           "take a part that it has");
}

}  // namespace

PeVector PeVector::slice(int first, int count, int step) const {
  check_dimensions(*this, "slice", 1);
  check_part(name_, first, count, step, extent_[0]);
  PeVector part = *this;
  part.address_ += static_cast<std::uint32_t>(first * stride_[0] * element_bytes(type_));
  part.extent_[0] = count;
  part.stride_[0] = stride_[0] * step;
  return part;
}

PeVector PeVector::block(int r, int c, int rows, int columns) const {
  check_dimensions(*this, "block", 2);
  check_part(name_ + " (rows)", r, rows, 1, extent_[0]);
  check_part(name_ + " (columns)", c, columns, 1, extent_[1]);
  PeVector part = *this;
  part.address_ +=
      static_cast<std::uint32_t>((r * stride_[0] + c * stride_[1]) * element_bytes(type_));
  part.extent_[0] = rows;
  part.extent_[1] = columns;
  return part;
}

PeVector PeVector::row(int r) const { return block(r, 0, 1, extent(dimensions_ - 1)).flat(); }
PeVector PeVector::column(int c) const { return block(0, c, extent(0), 1).flat(); }

PeVector PeVector::flat() const {
  const std::vector<Dimension> all = joined();
  if (kind_ != Kind::memory || all.size() > 1)
    refuse(fmt::format("{} cannot be made flat", name_), "its elements are not evenly spaced",
           "take its rows or columns one by one");
  PeVector v = *this;
  v.dimensions_ = 1;
  v.extent_[0] = all[0].extent;
  v.stride_[0] = all[0].stride;
  return v;
}

PeVector PeVector::repeated(int times) const { return with_dimension(dimensions_, times); }
PeVector PeVector::tiled(int times) const { return with_dimension(0, times); }

PeVector PeVector::with_dimension(int at, int times) const {
  if (kind_ != Kind::memory || dimensions_ == kDimensions || times < 1)
    refuse(fmt::format("{} cannot be repeated {} times", name_, times),
           kind_ != Kind::memory ? "it is a stream"
           : times < 1           ? "that leaves nothing"
                                 : "it has four dimensions already",
           "repeat a view of memory that has up to three, once or more");
  PeVector v = *this;
  ++v.dimensions_;
  for (std::size_t d = kDimensions - 1; d > static_cast<std::size_t>(at); --d) {
    v.extent_[d] = extent_[d - 1];
    v.stride_[d] = stride_[d - 1];
  }
  v.extent_[static_cast<std::size_t>(at)] = times;
  v.stride_[static_cast<std::size_t>(at)] = 0;
  return v;
}

PeVector PeVector::moved_by_bytes(PeScalar bytes) const {
  if (kind_ != Kind::memory || offset_)
    refuse(fmt::format("{} cannot be moved", name_),
           offset_ ? "it has been moved before" : "it is a stream", "move a view of memory, once");
  PeVector v = *this;
  v.offset_ = bytes;
  return v;
}

std::vector<Dimension> PeVector::joined() const {
  std::vector<Dimension> all;
  for (int d = 0; d < dimensions_; ++d) {
    const int extent = extent_[static_cast<std::size_t>(d)];
    const int stride = stride_[static_cast<std::size_t>(d)];
    if (extent == 1) continue;
    const bool joins = !all.empty() && all.back().stride == extent * stride &&
                       all.back().extent * extent <= 0xffff;
    const int outer = joins ? all.back().extent : 1;
    if (joins) all.pop_back();
    all.push_back({static_cast<std::uint16_t>(outer * extent), static_cast<std::int16_t>(stride)});
  }
  if (all.empty()) all.push_back({1, 0});
  return all;
}

PeCondition operator==(PeScalar a, PeScalar b) { return {Op::beq, a, b, {}, a.type}; }
PeCondition operator!=(PeScalar a, PeScalar b) { return {Op::bne, a, b, {}, a.type}; }
PeCondition operator<(PeScalar a, PeScalar b) {
  return {a.type == ElementType::u32 ? Op::bltu : Op::blt, a, b, {}, a.type};
}
PeCondition operator>=(PeScalar a, PeScalar b) {
  return {a.type == ElementType::u32 ? Op::bgeu : Op::bge, a, b, {}, a.type};
}
PeCondition operator>(PeScalar a, PeScalar b) { return b < a; }
PeCondition operator<=(PeScalar a, PeScalar b) { return b >= a; }
PeCondition operator==(PeScalar a, PeValue b) { return {Op::beq, a, {}, b, a.type}; }
PeCondition operator!=(PeScalar a, PeValue b) { return {Op::bne, a, {}, b, a.type}; }
PeCondition operator<(PeScalar a, PeValue b) {
  return {a.type == ElementType::u32 ? Op::bltu : Op::blt, a, {}, b, a.type};
}
PeCondition operator>=(PeScalar a, PeValue b) {
  return {a.type == ElementType::u32 ? Op::bgeu : Op::bge, a, {}, b, a.type};
}

PeCondition operator>(PeScalar a, PeValue b) {
  PeCondition c = a < b;
  c.swapped = true;
  return c;
}
PeCondition operator<=(PeScalar a, PeValue b) {
  PeCondition c = a >= b;
  c.swapped = true;
  return c;
}

}  // namespace weft::inline v0
