#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "program/pe_impl.hpp"
#include "weft/pe_program.hpp"

/// Registers of a PeProgram, and the scopes that give them back.
namespace weft::inline v0 {

Reg PeProgram::Impl::new_register(const std::string& owner) {
  static constexpr std::array kUpwards = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return scalar_of(registers.next(kUpwards, owner), ElementType::i32);
}

PeScalar PeProgram::Impl::new_scalar(const std::string& owner, ElementType type) {
  if (at.scopes.empty()) return {new_register(owner), type};
  OpenScope& scope = at.scopes.back();
  const int number = registers.next_in_scope(at.section, owner);
  scope.registers.push_back(number);
  scoped[{scope.number, number}] = owner;
  return scalar_of(number, type, scope.number);
}

PeScalar PeProgram::Impl::constant(std::uint32_t bits, ElementType type) {
  for (auto scope = at.scopes.rbegin(); scope != at.scopes.rend(); ++scope) {
    const auto& constants = scopes[static_cast<std::size_t>(scope->number)];
    if (const auto known = constants.find(bits); known != constants.end())
      return scalar_of(known->second, type, scope->number);
  }
  if (at.scopes.empty() || registers.of(bits)) return scalar_of(registers.keep(bits), type);
  // It is loaded where the scope begins, so no scope within may have had the register.
  OpenScope& scope = at.scopes.back();
  const std::string owner = fmt::format("the constant {:#x}", bits);
  const int number = registers.next_in_scope(at.section, owner, scope.of_inner);
  scope.registers.push_back(number);
  scoped[{scope.number, number}] = owner;
  scopes[static_cast<std::size_t>(scope.number)][bits] = number;
  return scalar_of(number, type, scope.number);
}

PeScalar PeProgram::Impl::loop_counter() {
  if (std::vector<PeScalar>& free = free_counters[at.section]; !free.empty()) {
    const PeScalar counter = free.back();
    free.pop_back();
    return counter;
  }
  return scalar_of(registers.next_in_loop(at.section, "the count of a loop"), ElementType::i32);
}

namespace {

/// Each loop counts as ten rounds.
double rounds(int depth) { return depth == 0 ? 1 : 10 * rounds(depth - 1); }

}  // namespace

Literal PeProgram::Impl::literal(PeValue value, ElementType type) {
  expect_literal(value, type);
  const std::uint32_t bits = value.bits(type);
  being_used = Literal{scalar_of(registers.of(bits).value_or(0), type), bits};
  return *being_used;
}

void PeProgram::Impl::expect_literal(PeValue value, ElementType type) {
  registers.use(value.bits(type), rounds(at.depth));
}

void PeProgram::Impl::mark(const Literal& literal, int field) {
  being_used.reset();
  section().back().literal_field = field;
  section().back().literal = literal.bits;
}

void PeProgram::Impl::check(PeScalar s) const {
  const auto is_its_own = [&](const OpenScope& scope) { return scope.number == s.scope; };
  if (s.scope == 0 || std::ranges::any_of(at.scopes, is_its_own)) return;
  const auto known = scoped.find({s.scope, s.reg.index});
  refuse(fmt::format("{} is used outside its scope",
                     known == scoped.end() ? "a register of another program" : known->second),
         "the scope gives it back at its end, and other tasks do not have it",
         "declare it before the scope, or use it inside");
}

Reg PeProgram::number_of(PeScalar s) const {
  impl_->check(s);
  return s;
}

PeBlock PeProgram::open_scope() {
  PeBlock b;
  b.kind = PeBlock::Kind::scope;
  impl_->enter(b);
  const auto number = static_cast<int>(impl_->scopes.size());
  impl_->scopes.emplace_back();
  impl_->at.scopes.push_back({number});
  impl_->put({.kind = Item::Kind::scope, .wait = number});
  return b;
}

// The main task runs once. Before its first wait, and outside its loops, no other code has run when
// the scope's code does, and the scope's code does not come again.
void PeProgram::Impl::close_scope() {
  const bool is_first = at.section == 0 && at.waits == 0 && at.depth == 0;
  const OpenScope closed = std::move(at.scopes.back());
  at.scopes.pop_back();
  for (const int number : closed.registers)
    registers.give_back(number, is_first ? std::nullopt : std::optional(at.section));
  if (at.scopes.empty()) return;
  for (const std::vector<int>* inner : {&closed.registers, &closed.of_inner})
    std::ranges::copy(*inner, std::back_inserter(at.scopes.back().of_inner));
}

void PeProgram::scope(const std::function<void()>& body) {
  PeBlock b = open_scope();
  body();
  close(b);
}

}  // namespace weft::inline v0
