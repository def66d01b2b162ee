#include "program/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/info.hpp"

namespace weft::inline v0 {
namespace {

/// The bytes before which the view begins and ends, from its first element on.
std::pair<std::int64_t, std::int64_t> reach_of(const Item& item, std::size_t k,
                                               const DescriptorValue& value,
                                               const std::vector<DescriptorValue>& values) {
  const isa::Widths widths = isa::widths_of(isa::info(item.instruction.op).cost);
  const auto bytes = static_cast<std::int64_t>(widths.bytes[k] == 0 ? 4 : widths.bytes[k]);
  std::vector<std::pair<int, int>> shape = value.shape;
  if (value.kind == DescriptorValue::Kind::memory)
    shape = {{length_of(item, values), value.stride}};
  std::int64_t first = 0, last = bytes;
  for (const auto& [extent, stride] : shape) {
    const std::int64_t reach = std::int64_t{extent - 1} * stride * bytes;
    (reach < 0 ? first : last) += reach;
  }
  return {first, last};
}

}  // namespace

RunChecks::RunChecks(const PeProgramAccess::Impl& program, Registers& registers,
                     std::set<int>& descriptors)
    : program_(program) {
  const auto take = [&](const char* owner) {
    return Reg{static_cast<std::uint8_t>(registers.next(owner))};
  };
  const auto descriptor = [&] {
    int n = kDescriptors - 1;
    while (n > 0 && descriptors.contains(n)) --n;
    descriptors.insert(n);
    return Dsr{static_cast<std::uint8_t>(n)};
  };
  const auto& roots = program.moving_roots;
  const bool views = std::ranges::any_of(
      program.by_number, [](const DescriptorValue& v) { return v.moved >= 0 && !v.strided; });
  if (views || !roots.empty()) value_ = take("the check of moved views and roots");
  if (roots.empty()) return;
  if (std::ranges::any_of(roots, [](const MovingRoot& r) { return !r.in_register; }))
    number_ = take("the check of roots");
  stream_ = descriptor();
  word_ = descriptor();
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
  if (value.strided || counted) return;
  const Move& move = program_.move_of(item, k);
  const std::uint32_t at = move.base;
  for (const auto& [name, span] : program_.arrays) {
    if (at < span.address || at >= span.address + span.bytes) continue;
    const auto [first, last] = reach_of(item, k, value, program_.by_number);
    const auto from = static_cast<std::int64_t>(span.address) - at;
    const Label out = otherwise(b, item, fmt::format("a view of {} is moved out of it", name));
    b.li(*value_, static_cast<std::int32_t>(from - first));
    b.blt(*move.offset, *value_, out);
    b.li(*value_, static_cast<std::int32_t>(from + span.bytes - last));
    b.blt(*value_, *move.offset, out);
    return;
  }
}

void RunChecks::moving_root(ProgramBuilder& b, const Item& item, const QueueChoice& queues) {
  const MovingRoot& root = program_.moving_roots[static_cast<std::size_t>(item.moving_root)];
  const Reg own = root.in_register ? root.in_register->reg : *number_;
  if (!root.in_register) b.li(own, root.number);
  if (item.returns) {
    b.dfabout(*stream_, queues.output.at(root.color), root.color);
    b.dlen(*stream_, 1);
    return b.vmov32r(*stream_, own);
  }
  if (!place_) place_ = b.reserve("the check of roots", 4, ElementType::u32);
  b.dfabin(*stream_, queues.input.at(root.color));
  b.dlen(*stream_, 1);
  b.dbase(*word_, static_cast<int>(place_->address));
  b.dlen(*word_, 1);
  b.vmov32(*word_, *stream_);
  b.li(*value_, static_cast<std::int32_t>(place_->address));
  b.lw(*value_, *value_);
  b.bne(*value_, own, otherwise(b, item, "the PEs of a line name different roots"));
}

}  // namespace weft::inline v0
