#include "weft/pe_vector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "program/extents.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(ErrorCategory::program, what, why, remedy);
}

constexpr int kMostElements = 0xffff;
constexpr const char* kMostElementsRule = "an instruction has at most 65,535 elements";
constexpr const char* kNotMemory = "it is a stream or a FIFO";
constexpr const char* kScale = "scale the numbers, or declare a type with a larger range";

struct IntegerRange {
  ElementType type;
  std::int64_t least, most;
};
template <class T>
constexpr IntegerRange kRange = {element_of<T>, std::numeric_limits<T>::min(),
                                 std::numeric_limits<T>::max()};

const IntegerRange& range_of(ElementType type) {
  static constexpr IntegerRange kRanges[] = {kRange<std::int32_t>, kRange<std::uint32_t>,
                                             kRange<std::int16_t>, kRange<std::uint16_t>};
  return *std::ranges::find(kRanges, type, &IntegerRange::type);
}

}  // namespace

std::uint32_t PeValue::bits(ElementType type) const {
  const auto refused = [&](const std::string& why, const std::string& remedy) {
    refuse(fmt::format("invalid number of type {}: {}", to_string(type),
                       is_whole_ ? fmt::format("{}", whole_) : fmt::format("{}", real_)),
           why, remedy);
  };
  const auto real = static_cast<float>(real_);
  switch (type) {
    case ElementType::f32:
      if (std::isfinite(real_) && !std::isfinite(real))
        refused("the largest is 3.4028235e38", kScale);
      return std::bit_cast<std::uint32_t>(real);
    case ElementType::f16:
      if (std::isfinite(real_) && !std::isfinite(static_cast<float>(Half(real))))
        refused("the largest is 65504", kScale);
      return Half(real).bits;
    case ElementType::c64:
    case ElementType::c32:
      refused("no instruction takes complex numbers",
              "declare their real and imaginary parts as vectors of real numbers");
      break;
    case ElementType::unspecified:
      refused("a stream has no type", "give a register of a type: constant(value, type)");
      break;
    default:
      break;
  }
  const IntegerRange& range = range_of(type);
  if (!is_whole_)
    refused(real_ == std::floor(real_) ? "it is a floating-point number" : "it is no integer",
            "write an integer, or declare a floating-point type");
  if (whole_ < range.least || whole_ > range.most)
    refused(fmt::format("the type has {} to {}", range.least, range.most),
            "write a number in this range, or declare another type");
  return static_cast<std::uint32_t>(whole_);
}

PeVector PeVector::in_memory(std::string name, ElementType type, std::uint32_t address,
                             const std::vector<int>& extents) {
  if (const std::uint64_t bytes = bytes_of_array(name, type, extents); bytes > kMostMemoryBytes)
    refuse(fmt::format("no room for {} ({} bytes)", name, bytes), memory_text(),
           "reserve less, or spread it over more PEs");
  PeVector v;
  v.type_ = type;
  v.address_ = address;
  v.dimensions_ = static_cast<int>(extents.size());
  int stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    v.extent_[d] = extents[d];
    v.stride_[d] = stride;
    stride *= extents[d];
  }
  v.name_ = std::move(name);
  return v;
}

PeVector PeVector::stream(Kind kind, Color color, int count, bool control) {
  if (count < 0 || count > kMostElements)
    refuse(fmt::format("invalid count of a stream: {} wavelets", count), kMostElementsRule,
           "take them by several instructions; 0 leaves it to the other operand");
  PeVector v;
  v.kind_ = kind;
  v.color_ = color;
  v.control_ = control;
  v.extent_[0] = count;
  v.stride_[0] = 1;
  v.name_ = fmt::format("the stream of color {}", color.number);
  return v;
}

PeVector PeVector::counted(int count) const {
  if (kind_ == Kind::memory)
    refuse(fmt::format("{} has its own count", name_), fmt::format("it has {} elements", size()),
           "take a slice of it");
  PeVector v = stream(kind_, color_, count, control_);
  v.name_ = name_;
  v.program_ = program_;
  v.fifo_ = fifo_;
  return v;
}

PeFifo::PeFifo(const std::string& name, FifoId id) {
  kind_ = Kind::fifo;
  name_ = fmt::format("the FIFO {}", name);
  fifo_ = id.index;
  stride_[0] = 1;
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
  const std::int64_t last = first + (std::int64_t{count} - 1) * step;
  if (first < 0 || count < 1 || first >= extent || last < 0 || last >= extent)
    refuse(fmt::format("{} has no elements {} to {}", name, first, last),
           fmt::format("it has elements 0 to {}", extent - 1), "take a part that is inside");
}

/// Of a register that moves, strides or counts a view.
void check_whole(const char* what, const std::string& name, PeScalar r, const char* unit) {
  if (r.type != ElementType::i32 && r.type != ElementType::u32)
    refuse(fmt::format("cannot {} {} by a register of type {}", what, name, to_string(r.type)),
           fmt::format("it counts {}", unit), "declare the register as int32 or uint32");
}

/// Of a view that a register strides or counts.
const char* of_register(const PeVector& v) {
  return v.stride() ? "a register strides it" : "a register counts it";
}

void check_dimensions(const PeVector& v, const char* what, int dimensions) {
  if (v.stride() || v.count())
    refuse(fmt::format("{} has no {}", v.name(), what), of_register(v),
           fmt::format("take the part first, and {} it then", v.stride() ? "stride" : "count"));
  if (v.kind() != PeVector::Kind::memory || v.dimensions() != dimensions)
    refuse(fmt::format("{} has no {}", v.name(), what),
           v.kind() != PeVector::Kind::memory
               ? kNotMemory
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
  if (count > 1) part.stride_[0] = stride_[0] * step;
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
  if (kind_ != Kind::memory || all.size() > 1 || shaped_by_register())
    refuse(fmt::format("cannot flatten {}", name_),
           count_by_ ? of_register(*this) : "its elements are not evenly spaced",
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
  if (kind_ != Kind::memory || dimensions_ == kDimensions || times < 1 || shaped_by_register())
    refuse(fmt::format("cannot repeat {} {} times", name_, times),
           kind_ != Kind::memory  ? kNotMemory
           : times < 1            ? "that leaves nothing"
           : shaped_by_register() ? of_register(*this)
                                  : "it has four dimensions already",
           "repeat a view of memory that has up to three, once or more");
  if (std::int64_t{times} * size() > std::numeric_limits<int>::max())
    refuse(fmt::format("cannot repeat {} {} times", name_, times), kMostElementsRule,
           "repeat it less often");
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

PeVector PeVector::pairs() const {
  const bool halves = kind_ == Kind::memory && element_bytes(type_) == 2;
  if (!halves || dimensions_ != 1 || shaped_by_register() || (size() > 1 && stride_[0] != 1) ||
      size() % 2 != 0 || address_ % 4 != 0)
    refuse(fmt::format("the elements of {} are not pairs", name_),
           "two elements of 16 bits, side by side, share a word of memory",
           "take an even number of such elements, from an even one on");
  PeVector v = *this;
  v.type_ = ElementType::u32;
  v.extent_[0] = size() / 2;
  return v;
}

PeVector PeVector::moved_by_bytes(PeScalar bytes) const {
  if (kind_ != Kind::memory || offset_)
    refuse(fmt::format("cannot move {}", name_), offset_ ? "it has been moved before" : kNotMemory,
           "move a view of memory, once");
  check_whole("move", name_, bytes, "bytes");
  PeVector v = *this;
  v.offset_ = bytes;
  return v;
}

PeVector PeVector::strided_by(PeScalar elements) const {
  if (kind_ != Kind::memory || stride_by_ || dimensions_ != 1)
    refuse(fmt::format("cannot stride {}", name_),
           kind_ != Kind::memory ? kNotMemory
           : stride_by_          ? "a register strides it already"
                                 : fmt::format("it has {} dimensions", dimensions_),
           "take a view of memory with one dimension, once");
  check_whole("stride", name_, elements, "elements");
  PeVector v = *this;
  v.stride_by_ = elements;
  return v;
}

PeVector PeVector::counted_by(PeScalar elements) const {
  if (kind_ != Kind::memory || count_by_ || dimensions_ != 1)
    refuse(fmt::format("cannot count {}", name_),
           kind_ != Kind::memory ? kNotMemory
           : count_by_           ? of_register(*this)
                                 : fmt::format("it has {} dimensions", dimensions_),
           "take a view of memory with one dimension, once");
  check_whole("count", name_, elements, "elements");
  PeVector v = *this;
  v.count_by_ = elements;
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
    if (stride < std::numeric_limits<std::int16_t>::min() ||
        stride > std::numeric_limits<std::int16_t>::max() || extent > kMostElements)
      refuse(fmt::format("{} exceeds a descriptor", name_),
             fmt::format("it has {} elements, {} apart, in a dimension: at most 65,535, at most "
                         "32,767 apart",
                         extent, stride),
             "take smaller parts of it");
    const int outer = joins ? all.back().extent : 1;
    if (joins) all.pop_back();
    all.push_back({static_cast<std::uint16_t>(outer * extent), static_cast<std::int16_t>(stride)});
  }
  if (all.empty()) all.push_back({1, 0});
  return all;
}

namespace {

PeCondition join(PeCondition::Joined joined, const PeCondition& a, const PeCondition& b) {
  PeCondition both;
  both.joined = joined;
  both.parts = {a, b};
  return both;
}

}  // namespace

PeCondition operator&(const PeCondition& a, const PeCondition& b) {
  return join(PeCondition::Joined::all, a, b);
}
PeCondition operator|(const PeCondition& a, const PeCondition& b) {
  return join(PeCondition::Joined::any, a, b);
}
PeCondition operator~(const PeCondition& a) {
  PeCondition not_a = a;
  not_a.negated = !a.negated;
  return not_a;
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
