#include "program/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

RunChecks::RunChecks(const PeProgramAccess::Impl& program, Registers& registers)
    : program_(program) {
  const auto take = [&](const char* owner) {
    return Reg{static_cast<std::uint8_t>(registers.next(owner))};
  };
  const auto any = [&](auto property) { return std::ranges::any_of(program.by_number, property); };
  const bool views = any([](const DescriptorValue& v) { return v.moved >= 0; });
  const bool strides = any([](const DescriptorValue& v) { return v.strided; });
  const bool roots = !program.moving_roots.empty();
  if (views || roots) value_ = take("the check of moved views and roots");
  if (strides || roots) number_ = take("the check of strides and roots");
}

Label RunChecks::otherwise(ProgramBuilder& builder, const Item& item, std::string text) {
  const Label out = builder.label();
  failed_.push_back({out, item.note});
  texts_.push_back({std::move(text), ""});
  return out;
}

void RunChecks::view(ProgramBuilder& b, const Item& item, std::size_t k,
                     const DescriptorValue& value) {
  const bool counted = std::ranges::any_of(item.value, [&](int number) {
    return number >= 0 && program_.by_number[static_cast<std::size_t>(number)].counted;
  });
  if (counted) return;  // a register knows its last element
  const Move& move = program_.move_of(item, k);
  const std::uint32_t at = move.base;
  for (const auto& [name, span] : program_.arrays) {
    if (at < span.address || at >= span.address + span.bytes) continue;
    const auto [first, last] = reach_of(item, k, value, program_.by_number);
    const auto from = static_cast<std::int64_t>(span.address) - at;
    const Label out = otherwise(b, item, fmt::format("a view of {} is moved out of it", name));
    const auto least = static_cast<std::int32_t>(from - first);
    const auto most = static_cast<std::int32_t>(from + span.bytes - last);
    const auto check = [&](Reg moved_by, Reg limit) {
      b.li(limit, least);
      b.blt(moved_by, limit, out);
      b.li(limit, most);
      b.blt(limit, moved_by, out);
    };
    if (move.offset) check(*move.offset, *value_);
    if (move.stride) {  // its last element too
      const int steps = length_of(item, program_.by_number) - 1;
      b.muli(*value_, *move.stride, steps * element_bytes_of(item, k));
      if (move.offset) b.add(*value_, *value_, *move.offset);
      check(*value_, *number_);
    }
    return;
  }
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
    lines->address = b.reserve(symbol, 4 * (1 + kNotedRoots), ElementType::u32).address;
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
