#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "program/pe_impl.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// From what a PeProgram was told to a Program. The values of descriptors get numbers here: they
/// are set once, at the start of the main task. If there are more values than descriptors, those
/// that save most are, and the others are set before each use, as far as they are not there
/// already.
namespace weft::inline v0 {
namespace {

/// The descriptor of each value.
struct Numbers {
  std::vector<int> of;                     ///< by value; -1: set before each use
  std::array<int, 3> passing{-1, -1, -1};  ///< for these, by the operand's place
};

/// Instructions that set a descriptor.
int price(const DescriptorValue& value) {
  const int length = value.length >= 0 ? 1 : 0;
  if (value.moved >= 0) return 1 + length;  // its base is set at each use anyway
  switch (value.kind) {
    case DescriptorValue::Kind::memory:
      return 2 + length;
    case DescriptorValue::Kind::shaped:
      return 2;
    default:
      return 1 + length;
  }
}

/// The instructions that keeping a value in a descriptor of its own saves, as far as loops tell:
/// each counts as ten rounds.
std::vector<double> savings(const std::vector<DescriptorValue>& values,
                            const std::vector<Section>& sections) {
  std::vector<double> saved(values.size());
  for (const Section& section : sections)
    for (const Item& item : section)
      for (const int value : item.value)
        if (value >= 0) {
          double rounds = 1;
          for (int d = 0; d < item.depth; ++d) rounds *= 10;
          const auto at = static_cast<std::size_t>(value);
          saved[at] += rounds * price(values[at]);
        }
  return saved;
}

/// Where nobody asks for a value's length, one with a length that is the same else will do.
std::vector<int> with_length(const std::vector<DescriptorValue>& values) {
  std::vector<int> same(values.size());
  std::iota(same.begin(), same.end(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].length >= 0) continue;
    for (std::size_t k = 0; k < values.size(); ++k) {
      DescriptorValue other = values[k];
      if (other.length < 0) continue;
      other.length = -1;
      if (other == values[i]) {
        same[i] = static_cast<int>(k);
        break;
      }
    }
  }
  return same;
}

/// The places of operands whose values have no descriptor of their own.
std::vector<std::size_t> places_without(const std::vector<int>& number_of,
                                        const std::vector<Section>& sections) {
  std::array<bool, 3> found{};
  for (const Section& section : sections)
    for (const Item& item : section)
      for (std::size_t k = 0; k < 3; ++k)
        if (item.value[k] >= 0 && number_of[static_cast<std::size_t>(item.value[k])] < 0)
          found[k] = true;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < 3; ++k)
    if (found[k]) places.push_back(k);
  return places;
}

Numbers number(const std::vector<DescriptorValue>& values, const std::vector<Section>& sections,
               const std::set<int>& taken) {
  std::vector<int> free;
  for (int d = 0; d < kDescriptors; ++d)
    if (!taken.contains(d)) free.push_back(d);
  const std::vector<int> same = with_length(values);
  std::vector<double> saved = savings(values, sections);
  std::vector<int> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto to = static_cast<std::size_t>(same[i]);
    if (to != i) saved[to] += saved[i];
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (same[i] == static_cast<int>(i)) order.push_back(same[i]);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return saved[static_cast<std::size_t>(a)] > saved[static_cast<std::size_t>(b)];
  });

  // The fewer places of operands those that are not kept have, the more can be.
  std::vector<std::size_t> places{0, 1, 2};
  if (order.size() <= free.size()) places.clear();
  for (;;) {
    Numbers numbers{.of = std::vector<int>(values.size(), -1)};
    if (free.size() < places.size()) return numbers.of.clear(), numbers;
    const std::size_t kept = std::min(order.size(), free.size() - places.size());
    for (std::size_t k = 0; k < kept; ++k) numbers.of[static_cast<std::size_t>(order[k])] = free[k];
    for (std::size_t i = 0; i < values.size(); ++i)
      numbers.of[i] = numbers.of[static_cast<std::size_t>(same[i])];
    for (std::size_t k = 0; k < places.size(); ++k)
      numbers.passing[places[k]] = free[free.size() - 1 - k];
    const std::vector<std::size_t> needed = places_without(numbers.of, sections);
    if (needed.size() == places.size()) return numbers;
    places = needed;
  }
}

class Assembly {
 public:
  Assembly(ProgramBuilder builder, const std::vector<DescriptorValue>& values, Numbers numbers)
      : builder_(std::move(builder)), values_(values), numbers_(std::move(numbers)) {}

  ProgramBuilder& builder() { return builder_; }

  /// Sets the descriptors that are kept, once.
  void set_kept() {
    std::vector<bool> done(kDescriptors);
    // Those with a length first, as others may share their descriptors.
    for (const bool with_length : {true, false})
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const int d = numbers_.of[i];
        if (d < 0 || (values_[i].length >= 0) != with_length || done[static_cast<std::size_t>(d)])
          continue;
        done[static_cast<std::size_t>(d)] = true;
        const DescriptorValue fresh{};  // stride 0
        set(d, values_[i], &fresh);
      }
  }

  void write(const Item& item) {
    switch (item.kind) {
      case Item::Kind::label:
        holds_ = {};
        return builder_.place(item.label);
      case Item::Kind::task:
        holds_ = {};
        return bind(item.task);
      default:
        return write_instruction(item);
    }
  }

 private:
  void bind(Task task) {
    if (task.kind == TaskKind::local) builder_.local_task(task.id);
    if (task.kind == TaskKind::data) builder_.data_task(task.id);
    if (task.kind == TaskKind::control) builder_.control_task(task.id);
  }

  /// `before`: what the descriptor holds, if that is known.
  void set(int number, const DescriptorValue& value, const DescriptorValue* before) {
    using Kind = DescriptorValue::Kind;
    const Dsr d{static_cast<std::uint8_t>(number)};
    switch (value.kind) {
      case Kind::input:
        builder_.dfabin(d, value.queue);
        break;
      case Kind::output:
        return builder_.dfabout(d, value.queue, value.color, value.control);
      case Kind::shaped:
        if (value.moved >= 0) return;  // set at each use
        builder_.dbase(d, static_cast<int>(value.base));
        return builder_.dshape(d, shape_of(value.shape));
      case Kind::memory:
        if (value.moved < 0) builder_.dbase(d, static_cast<int>(value.base));
        if (before == nullptr || before->kind != Kind::memory || before->stride != value.stride)
          builder_.dstride(d, value.stride);
    }
    const bool known = before != nullptr && before->kind != Kind::shaped;
    if (value.length >= 0 && !(known && before->length == value.length))
      builder_.dlen(d, value.length);
  }

  /// Sets a descriptor that is used for one instruction after the other.
  void set_passing(std::size_t place, const DescriptorValue& value) {
    std::optional<DescriptorValue>& holds = holds_[place];
    const int number = numbers_.passing[place];
    if (holds != value) set(number, value, holds ? &*holds : nullptr);
    const int length = holds && value.length < 0 && value.kind != DescriptorValue::Kind::shaped
                           ? holds->length
                           : value.length;
    holds = value;
    holds->length = length;
  }

  ShapeId shape_of(const std::vector<std::pair<int, int>>& shape) {
    if (const auto at = shapes_.find(shape); at != shapes_.end()) return at->second;
    std::vector<Dimension> d;
    for (const auto& [extent, stride] : shape)
      d.push_back({static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)});
    const ShapeId id = d.size() == 2   ? builder_.shape({d[0], d[1]})
                       : d.size() == 3 ? builder_.shape({d[0], d[1], d[2]})
                                       : builder_.shape({d[0], d[1], d[2], d[3]});
    return shapes_.emplace(shape, id).first->second;
  }

  void write_instruction(const Item& item) {
    Instruction i = item.instruction;
    std::uint8_t* fields[] = {&i.d, &i.a, &i.b};
    for (std::size_t k = 0; k < 3; ++k) {
      if (item.value[k] < 0) continue;
      const DescriptorValue& value = values_[static_cast<std::size_t>(item.value[k])];
      int number = numbers_.of[static_cast<std::size_t>(item.value[k])];
      if (number < 0) {
        number = numbers_.passing[k];
        set_passing(k, value);
      }
      if (value.moved >= 0) {
        const Dsr d{static_cast<std::uint8_t>(number)};
        builder_.dbaser(d, item.offset[k]->reg, static_cast<std::int32_t>(item.base[k]));
        if (value.kind == DescriptorValue::Kind::shaped) builder_.dshape(d, shape_of(value.shape));
      }
      *fields[k] = static_cast<std::uint8_t>(number);
    }
    builder_.instruction(i);
  }

  ProgramBuilder builder_;
  const std::vector<DescriptorValue>& values_;
  Numbers numbers_;
  std::array<std::optional<DescriptorValue>, 3> holds_{};  ///< of `passing` ones, here in the text
  std::map<std::vector<std::pair<int, int>>, ShapeId> shapes_;
};

}  // namespace

Program PeProgram::build() const {
  const Impl& p = *impl_;
  Numbers numbers = number(p.by_number, p.sections, p.own_descriptors);
  if (numbers.of.size() != p.by_number.size())
    p.refuse("no descriptors are left", "the text uses more than 13 of the 16 by number",
             "use vectors without numbers");
  Assembly assembly(p.builder, p.by_number, std::move(numbers));
  ProgramBuilder& b = assembly.builder();
  b.start(b.local_task(0));
  for (const auto& [bits, s] : p.constants) b.li(s, static_cast<std::int32_t>(bits));
  if (p.x) b.xcoord(*p.x);
  if (p.y) b.ycoord(*p.y);
  assembly.set_kept();
  for (std::size_t section = 0; section < p.sections.size(); ++section) {
    for (const Item& item : p.sections[section]) assembly.write(item);
    const bool ended = !p.sections[0].empty() &&
                       p.sections[0].back().kind == Item::Kind::instruction &&
                       p.sections[0].back().instruction.op == Op::end;
    if (section == 0 && !ended) b.end();
  }
  for (const int id : p.blocked) b.start_blocked({TaskKind::local, static_cast<std::uint8_t>(id)});
  return b.build();
}

}  // namespace weft::inline v0
