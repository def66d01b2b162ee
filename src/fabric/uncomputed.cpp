#include "fabric/uncomputed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/info.hpp"
#include "isa/table.hpp"

namespace weft::fabric {
namespace {

using isa::OperandKind;

/// A symbol; null: memory without a name.
using Symbol = const std::pair<const std::string, MemorySpan>*;

/// All that the program puts into a register, wherever it does.
struct Held {
  std::set<std::int32_t> numbers;  ///< immediates that its values began as
  bool other = false;              ///< values that the program does not show
  bool uncomputed = false;         ///< some follow from data
  bool operator==(const Held&) const = default;

  void add(const Held& more) {
    numbers.insert(more.numbers.begin(), more.numbers.end());
    other |= more.other;
    uncomputed |= more.uncomputed;
  }
};

/// Goes over the program until it learns nothing new: no order of the instructions is assumed.
class Search {
 public:
  explicit Search(const Program& program) : program_(program) {
    const auto bound = [](std::int32_t entry) { return entry != Program::kUnbound; };
    held_[0].uncomputed = std::ranges::any_of(program.data_entry, bound);  // the payload
    held_[0].other = held_[0].uncomputed || std::ranges::any_of(program.control_entry, bound);
    for (bool more = true; more;) {
      const auto held = held_;
      const auto named = named_;
      const auto found = found_;
      for (const Instruction& i : program.code) learn(i);
      more = held != held_ || named != named_ || found != found_;
    }
  }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const Symbol symbol : found_)
      if (symbol != nullptr) names.insert(symbol->first);
    return names;
  }

 private:
  Symbol symbol_at(std::int64_t address) const {
    for (const auto& symbol : program_.symbols) {
      const MemorySpan& span = symbol.second;
      if (address >= span.address && address < std::int64_t{span.address} + span.bytes)
        return &symbol;
    }
    return nullptr;
  }

  /// Where [a + offset] may be.
  std::set<Symbol> places(int a, std::int32_t offset) const {
    const Held& held = held_[static_cast<std::size_t>(a)];
    std::set<Symbol> places;
    for (const std::int32_t number : held.numbers)
      places.insert(symbol_at(std::int64_t{number} + offset));
    if (held.numbers.empty() && held.other && offset == 0) {  // a pointer to anywhere
      places.insert(nullptr);
      for (const auto& symbol : program_.symbols) places.insert(&symbol);
    } else if (held.numbers.empty() || (held.other && offset != 0)) {  // an index, or 0
      places.insert(symbol_at(offset));
    }
    return places;
  }

  void learn(const Instruction& i) {
    const isa::Format format = isa::format_of(i.op);
    if (isa::is_vector(format)) {
      add(found_, named_[i.d]);
    } else if (isa::info(format).group == isa::Group::descriptors &&
               isa::info(format).d == OperandKind::dsr) {
      learn_descriptor(i);
    } else if (i.op == Op::sw || i.op == Op::sh) {
      if (held_[i.d].uncomputed) add(found_, places(i.a, i.imm));
    } else {
      learn_register(i, isa::info(format));
    }
  }

  void learn_descriptor(const Instruction& i) {
    if (i.op == Op::dbase) named_[i.d].insert(symbol_at(i.imm));
    if (i.op == Op::dbaser) add(named_[i.d], places(i.a, i.imm));
    if (i.op == Op::dfifo) named_[i.d].insert(symbol_at(program_.fifos[i.a].address));
  }

  void learn_register(const Instruction& i, const isa::FormatInfo& format) {
    Held value;
    switch (format.d) {
      case OperandKind::computed:
        if (format.imm == OperandKind::immediate && format.a == OperandKind::none)
          value.numbers.insert(i.imm);
        if (isa::is_read(format.a)) value.add(held_[i.a]);
        if (isa::is_read(format.b)) value.add(held_[i.b]);
        break;
      case OperandKind::found:
      case OperandKind::found_pair:
        value.other = true;
        value.uncomputed =
            format.group == isa::Group::memory &&
            std::ranges::any_of(places(i.a, i.imm), [&](Symbol s) { return found_.contains(s); });
        break;
      default:
        return;
    }
    held_[i.d].add(value);
    if (format.d == OperandKind::found_pair) held_[i.d + std::size_t{1}].add(value);
  }

  static void add(std::set<Symbol>& all, const std::set<Symbol>& more) {
    all.insert(more.begin(), more.end());
  }

  const Program& program_;
  std::array<Held, kRegisters> held_{};
  std::array<std::set<Symbol>, kDescriptors> named_{};  ///< memory that a descriptor names
  std::set<Symbol> found_{};
};

}  // namespace

std::set<std::string> uncomputed_symbols(const Program& program) { return Search(program).names(); }

}  // namespace weft::fabric
