#include "program/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "isa/info.hpp"
#include "program/traces.hpp"

namespace weft::inline v0 {
namespace {

int element_bytes_of(const Item& item, std::size_t k) {
  const isa::Widths widths = isa::widths_of(isa::info(item.instruction.op).cost);
  return widths.bytes[k] == 0 ? 4 : static_cast<int>(widths.bytes[k]);
}

/// The bytes before which the view begins and ends, from its first element on; with a stride of a
/// register, those of its first element.
std::pair<std::int64_t, std::int64_t> reach_of(const Item& item, std::size_t k,
                                               const DescriptorValue& value,
                                               const std::vector<DescriptorValue>& values) {
  const std::int64_t bytes = element_bytes_of(item, k);
  std::vector<std::pair<int, int>> shape = value.shape;
  if (value.kind == DescriptorValue::Kind::memory && !value.strided)
    shape = {{length_of(item, values), value.stride}};
  std::int64_t first = 0, last = bytes;
  for (const auto& [extent, stride] : shape) {
    const std::int64_t reach = std::int64_t{extent - 1} * stride * bytes;
    (reach < 0 ? first : last) += reach;
  }
  return {first, last};
}

constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

}  // namespace

RunChecks::RunChecks(const PeProgramAccess::Impl& program, Registers& registers)
    : program_(program) {
  const auto take = [&](const char* owner) {
    return Reg{static_cast<std::uint8_t>(registers.next(owner))};
  };
  const auto any = [&](auto property) { return std::ranges::any_of(program.by_number, property); };
  const bool views = any([](const DescriptorValue& v) { return v.moved >= 0; });
  const bool strides = any([](const DescriptorValue& v) { return v.strided; });
  const bool counts = any([](const DescriptorValue& v) { return v.counted; });
  const bool roots = !program.moving_roots.empty();
  if (views || counts || roots) value_ = take("the check of moved views, counts and roots");
  if (strides || (views && counts) || roots) number_ = take("the check of strides and roots");
}

Label RunChecks::otherwise(ProgramBuilder& builder, const Item& item, std::string text) {
  const Label out = builder.label();
  failed_.push_back({out, item.note});
  texts_.push_back({std::move(text), ""});
  return out;
}

void RunChecks::within(ProgramBuilder& b, Reg value, Range range, Reg limit, Label out) {
  b.li(limit, static_cast<std::int32_t>(range.least));
  b.blt(value, limit, out);
  b.li(limit, static_cast<std::int32_t>(range.most));
  b.blt(limit, value, out);
}

std::optional<PeScalar> RunChecks::count_of(const Item& item) const {
  for (std::size_t k = 0; k < 3; ++k)
    if (item.value[k] >= 0 && program_.by_number[static_cast<std::size_t>(item.value[k])].counted)
      return program_.move_of(item, k).count;
  return {};
}

void RunChecks::count(ProgramBuilder& b, const Item& item) {
  const std::optional<PeScalar> count = count_of(item);
  if (!count) return;
  const int most = length_of(item, program_.by_number);
  const Label out = otherwise(
      b, item, fmt::format("a register counts fewer than 0 elements, or more than {}", most));
  within(b, *count, {0, most}, *value_, out);
}

void RunChecks::view(ProgramBuilder& b, const Item& item, std::size_t k,
                     const DescriptorValue& value) {
  const Move& move = program_.move_of(item, k);
  const auto array = std::ranges::find_if(program_.arrays, [&](const auto& named) {
    return move.base - named.second.address < named.second.bytes;  // unsigned
  });
  if (array == program_.arrays.end()) return;
  const MemorySpan& span = array->second;
  const std::optional<PeScalar> count = count_of(item);
  const int bytes = element_bytes_of(item, k), steps = length_of(item, program_.by_number) - 1;
  const auto [first, last] = count ? std::pair{std::int64_t{0}, std::int64_t{bytes}}
                                   : reach_of(item, k, value, program_.by_number);
  const auto from = static_cast<std::int64_t>(span.address) - move.base;
  const Range range{from - first, from + span.bytes - last};
  const Label out =
      otherwise(b, item, fmt::format("a view of {} is moved out of it", array->first));
  const Label past = b.label();
  const auto skip_below = [&](int least) {  // so many elements
    b.li(*number_, least);
    b.blt(*count, *number_, past);
  };
  if (count) skip_below(1);
  if (move.offset) within(b, *move.offset, range, *value_, out);
  if (steps > 0 && (move.stride || count)) {  // its last element
    if (move.stride) {
      if (count) skip_below(2);
      // None is farther than the array is long, and no product has more than 32 bits.
      const std::int64_t elements = span.bytes / static_cast<std::uint32_t>(bytes);
      const std::int64_t most = count ? std::min(elements, kMostInt / steps) : elements / steps;
      within(b, *move.stride, {-most, most}, *number_, out);
      if (count) {
        b.addi(*value_, *count, -1);
        b.mul(*value_, *value_, *move.stride);
        within(b, *value_, {-elements, elements}, *number_, out);
      }
      b.muli(*value_, count ? *value_ : move.stride->reg, count ? bytes : steps * bytes);
    } else {
      b.addi(*value_, *count, -1);
      b.muli(*value_, *value_, value.stride * bytes);
    }
    if (move.offset) b.add(*value_, *value_, *move.offset);
    within(b, *value_, range, *number_, out);
  }
  b.place(past);
}

void RunChecks::moving_root(ProgramBuilder& b, const Item& item) {
  const MovingRoot& root = program_.moving_roots[static_cast<std::size_t>(item.moving_root)];
  const auto is_of_color = [&](const ProgramNotes::RootedLines& r) {
    return r.color == root.lines.color;
  };
  auto lines = std::ranges::find_if(roots_, is_of_color);
  if (lines == roots_.end()) {
    lines = roots_.insert(lines, root.lines);
    const std::string symbol = fmt::format("roots of color {}", lines->color);
    lines->address =
        b.reserve(symbol, std::uint64_t{4} * (1 + kNotedRoots), ElementType::u32).address;
  }
  const auto use = static_cast<std::int32_t>(lines->uses.size());
  lines->uses.push_back(program_.notes.operations[static_cast<std::size_t>(item.note)]);
  b.li(*value_, static_cast<std::int32_t>(lines->address));
  b.lw(*number_, *value_);
  b.addi(*number_, *number_, 1);
  b.sw(*number_, *value_);
  b.bandi(*number_, *number_, kNotedRoots - 1);
  b.shli(*number_, *number_, 2);
  b.add(*value_, *value_, *number_);
  if (root.in_register)
    b.bandi(*number_, *root.in_register, 0xffff);
  else
    b.li(*number_, root.number);
  b.bori(*number_, *number_, use << 16);
  b.sw(*number_, *value_, 4);
}

}  // namespace weft::inline v0
