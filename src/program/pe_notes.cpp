#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/info.hpp"
#include "isa/operations.hpp"
#include "program/color_names.hpp"
#include "program/number_text.hpp"
#include "program/pe_impl.hpp"
#include "program/traces.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// A PeProgram in its user's words: operations and their lines, checks and prints.
namespace weft::inline v0 {
namespace {

constexpr int kMostPrints = 1024;

}  // namespace

std::string ProgramNotes::Operation::text() const {
  return where.empty() ? what : fmt::format("{} ({})", what, where);
}

const ProgramNotes::Operation* ProgramNotes::operation_at(std::int64_t instruction) const {
  const auto after = std::ranges::upper_bound(operations, instruction, {}, &Operation::first);
  if (after == operations.begin()) return nullptr;
  const Operation& operation = *std::prev(after);
  return operation.what.empty() ? nullptr : &operation;
}

int ProgramNotes::phase_at(std::int64_t instruction) const {
  const auto after = std::ranges::upper_bound(phases, instruction, {}, &PhaseMark::first);
  return after == phases.begin() ? PhaseMark::kNone : std::prev(after)->phase;
}

int PeProgram::Impl::begin_phase(const std::string& called) {
  if (called.empty() ||
      std::ranges::any_of(called, [](unsigned char c) { return c < 32 || c == 127; }))
    refuse(
        fmt::format("invalid name of a phase: {}", called.empty() ? "an empty one" : "a control"),
        "tables and files name phases by it", "write printable characters");
  std::vector<std::string>& names = notes.phase_names;
  const auto known = std::ranges::find(names, called);
  const auto number = static_cast<int>(known - names.begin());
  if (known == names.end()) names.push_back(called);
  const int outer = at.phases.empty() ? 0 : at.phases.back().number;
  at.phases.push_back({++phases_begun, outer, std::exchange(at.phase, number)});
  return outer;
}

bool PeProgram::Impl::end_phase(int outer) {
  if (at.phases.empty() || at.phases.back().outer != outer) return false;
  at.phase = at.phases.back().name_around;
  at.phases.pop_back();
  return true;
}

void PeProgram::Impl::refuse_crossed_phases() const {
  refuse("a phase has ended that is not the innermost one of its task",
         "phases end from the inside out, in the task in which they began",
         "end the inner one first");
}

PePhase PeProgram::phase(const std::string& name) { return {this, impl_->begin_phase(name)}; }

PeBlock PeProgram::open_phase(const std::string& name) {
  PeBlock b;
  b.kind = PeBlock::Kind::phase;
  b.outer = impl_->begin_phase(name);
  return b;
}

void PePhase::end() noexcept {
  if (program_ != nullptr && !program_->impl_->end_phase(outer_))
    program_->impl_->phases_crossed = true;  // build refuses
  program_ = nullptr;
}

int PeProgram::Impl::note(const std::string& what) {
  std::string where = line ? line() : call_line_text();
  std::vector<ProgramNotes::Operation>& all = notes.operations;
  if (all.empty() || all.back().what != what || all.back().where != where)
    all.push_back({0, what, std::move(where)});
  return static_cast<int>(all.size()) - 1;
}

std::string PeProgram::Impl::register_text(PeScalar s) const {
  if (being_used && being_used->scalar.reg.index == s.reg.index)
    return number_text(being_used->bits, s.type).text;
  if (const std::optional<std::uint32_t> bits = registers.literal_in(s.reg.index))
    return number_text(*bits, s.type).text;
  if (const auto known = scoped.find({s.scope, s.reg.index}); known != scoped.end())
    return known->second;
  return registers.is_free(s.reg.index) ? fmt::format("register {}", s.reg.index)
                                        : registers.owner(s.reg.index);
}

std::string PeProgram::Impl::instruction_text(const Instruction& i) const {
  const isa::FormatInfo& format = isa::info(isa::format_of(i.op));
  const bool used_by_number = !registers.is_free(i.d) && registers.owner(i.d) == kUsedByNumber;
  if (format.group != isa::Group::scalar || used_by_number) return std::string(mnemonic(i.op));
  const bool sets = i.op == Op::li || i.op == Op::mov;
  std::string words =
      fmt::format("{}({}", sets ? "set" : isa::method_name(i.op), register_text({Reg{i.d}}));
  for (const auto& [kind, number] : {std::pair{format.a, i.a}, {format.b, i.b}})
    if (kind == isa::OperandKind::reg) words += ", " + register_text({Reg{number}});
  if (format.imm == isa::OperandKind::immediate) words += fmt::format(", {}", i.imm);
  return words + ")";
}

std::string PeProgram::Impl::text_of(std::string_view what,
                                     std::initializer_list<PeScalar> operands) const {
  std::string words(what);
  for (const PeScalar& s : operands)
    words += (&s == operands.begin() ? "(" : ", ") + register_text(s);
  return words + ")";
}

std::string PeProgram::Impl::element_text(const PeVector& element) const {
  const auto found = arrays.find(element.name());
  if (found == arrays.end() || element.offset()) return element.name();
  const std::uint32_t bytes = static_cast<std::uint32_t>(element_bytes(element.type()));
  std::uint32_t number = (element.address() - found->second.address) / bytes;
  std::string text;
  for (auto extent = found->second.extents.rbegin(); extent != found->second.extents.rend();
       ++extent) {
    const auto n = static_cast<std::uint32_t>(*extent);
    text = fmt::format("{}{}{}", number % n, text.empty() ? "" : ", ", text);
    number /= n;
  }
  return fmt::format("{}[{}]", element.name(), text);
}

void PeProgram::Impl::check_alike(std::string_view what,
                                  std::initializer_list<PeScalar> operands) const {
  const ElementType type = operands.begin()->type;
  bool alike = true;
  std::string names, types;
  for (const PeScalar& s : operands) {
    check(s);
    alike &= s.type == type;
    const char* between = names.empty() ? "" : &s == operands.end() - 1 ? " and " : ", ";
    names += between + register_text(s);
    types += fmt::format("{}{}", between, to_string(s.type));
  }
  if (!alike)
    refuse(fmt::format("invalid operands of {}: {}", what, names),
           fmt::format("their types are {}", types), "declare them with one type, or convert one");
}

std::string PeProgram::Impl::operation_text(Op op, const PeVector& d, const PeVector* a,
                                            const PeVector* b, const PeScalar* scalar) const {
  const auto text = [&](const PeVector& v) {
    if (v.kind() == PeVector::Kind::memory || v.kind() == PeVector::Kind::fifo) return v.name();
    const bool named = questions != nullptr && !questions->colors->is_free(v.color());
    return fmt::format(
        "{}({})", v.kind() == PeVector::Kind::input ? "from" : "to",
        named ? questions->colors->owner(v.color()) : fmt::format("color {}", v.color().number));
  };
  std::string words = fmt::format("{}({}", isa::method_name(op), text(d));
  const std::string number = scalar != nullptr ? ", " + register_text(*scalar) : "";
  if (isa::is_reversed(op)) words += number;
  for (const PeVector* v : {a, b})
    if (v != nullptr) words += ", " + text(*v);
  if (!isa::is_reversed(op)) words += number;
  return words + ")";
}

void PeProgram::name_lines(std::function<std::string()> line) { impl_->line = std::move(line); }

void PeProgram::check(const PeCondition& condition, const std::string& text, CallLine) {
  const std::string what = fmt::format("check(\"{}\")", text);
  const Says says(impl_->saying, what);
  const Label failed = impl_->builder.label();
  put_branch(*this, condition, false, failed);
  const int note = impl_->note(what);
  impl_->failed_checks.push_back({failed, note});
  impl_->notes.checks.push_back(
      {text, impl_->notes.operations[static_cast<std::size_t>(note)].where});
}

void PeProgram::keep_prints(int values) {
  if (values < 1 || values > kMostPrints || !std::has_single_bit(static_cast<unsigned>(values)))
    impl_->refuse(fmt::format("invalid count of prints to keep: {}", values),
                  fmt::format("allowed: powers of two up to {}", kMostPrints),
                  "choose one of these");
  if (impl_->print_place)
    impl_->refuse("keep_prints comes too late", "a print has its memory already",
                  "write it before the first print");
  impl_->kept_prints = values;
}

void PeProgram::print(const std::string& name, PeScalar value, CallLine) {
  impl_->check(value);
  if (!impl_->print_place) {
    const int entries = impl_->kept_prints;
    const PeVector ring =
        array(kPrintedSymbol, ElementType::u32, {entries, static_cast<int>(kPrintedWords)});
    // The program's own, and nobody's before: the first place is 0.
    const auto own = [&](const char* owner) {
      return scalar_of(impl_->registers.next(owner), ElementType::u32);
    };
    const PeScalar at = own("the place of the next print"), word = own("a word of a print");
    impl_->print_place = {at, word, ring.address(),
                          entries * static_cast<std::int32_t>(4 * kPrintedWords) - 1};
  }
  const PrintPlace place = *impl_->print_place;
  const Says says(impl_->saying,
                  fmt::format("print(\"{}\", {})", name, impl_->register_text(value)));
  impl_->notes.prints.push_back({name, value.type});
  const auto base = static_cast<std::int32_t>(place.base);
  tsc(place.value);
  sw(place.value, place.at, base);
  tsch(place.value);
  sw(place.value, place.at, base + 4);
  li(place.value, static_cast<std::int32_t>(impl_->notes.prints.size()));
  sw(place.value, place.at, base + 8);
  sw(value, place.at, base + 12);
  addi(place.at, place.at, static_cast<std::int32_t>(4 * kPrintedWords));
  li(place.value, place.mask);
  band(place.at, place.at, place.value);
}

}  // namespace weft::inline v0
