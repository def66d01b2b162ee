#include "program/registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/types.hpp"

namespace weft {
namespace {

/// r0 is for payloads.
std::vector<int> upwards() {
  std::vector<int> numbers(kRegisters - 1);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

std::string constant_name(std::uint32_t bits) { return fmt::format("the constant {:#x}", bits); }

}  // namespace

Registers::Registers(const std::string& where) : numbers_(where, "register", kRegisters) {
  numbers_.claim(0, "the payload");
}

bool Registers::any_free() const {
  const std::vector<int> all = upwards();
  return std::ranges::any_of(all, [&](int n) { return is_free(n); });
}

int Registers::next(const std::string& owner) {
  if (!any_free()) a_literal_gives_way();
  return numbers_.next(upwards(), owner);
}

int Registers::next(std::span<const int> order, const std::string& owner) {
  if (!any_free())
    if (const auto number = take_given_back({}, owner)) return *number;
  if (!any_free()) a_literal_gives_way();
  return numbers_.next(order, owner);
}

void Registers::claim(int number, const std::string& owner) { numbers_.claim(number, owner); }

int Registers::next_in_scope(std::size_t section, const std::string& owner,
                             std::span<const int> not_these) {
  if (const auto number = take_given_back(section, owner, not_these)) return *number;
  return next(owner);
}

int Registers::next_in_loop(std::size_t section, const std::string& owner) {
  if (!any_free())
    if (const auto number = take_given_back(section, owner)) return *number;
  return next(owner);
}

std::optional<int> Registers::take_given_back(std::optional<std::size_t> section,
                                              const std::string& owner,
                                              std::span<const int> not_these) {
  const auto lowest_of = [&](const std::vector<int>& numbers) {
    std::optional<int> lowest;
    for (const int n : numbers)
      if (std::ranges::find(not_these, n) == not_these.end() && (!lowest || n < *lowest))
        lowest = n;
    return lowest;
  };
  std::vector<int>* numbers = section ? &for_section_[*section] : &for_all_;
  std::optional<int> lowest = lowest_of(*numbers);
  if (!lowest) lowest = lowest_of(*(numbers = &for_all_));
  if (!lowest) return {};
  const int number = *lowest;
  numbers->erase(std::ranges::find(*numbers, number));
  const std::string before = numbers_.owner(number);
  if (numbers == &for_all_) passed_on_.push_back({number, before, owner, section});
  numbers_.give_back(number);
  const bool is_new =
      (", then " + before + ", then ").find(", then " + owner + ", then ") == std::string::npos;
  numbers_.claim(number, is_new ? before + ", then " + owner : before);
  return number;
}

void Registers::give_back(int number, std::optional<std::size_t> section) {
  (section ? for_section_[*section] : for_all_).push_back(number);
}

const std::string* Registers::given_back(int number) const {
  const auto has = [&](const std::vector<int>& numbers) {
    return std::ranges::find(numbers, number) != numbers.end();
  };
  const bool is = has(for_all_) ||
                  std::ranges::any_of(for_section_, [&](const auto& at) { return has(at.second); });
  return is ? &numbers_.owner(number) : nullptr;
}

void Registers::use(std::uint32_t bits, double weight) {
  if (const auto at = literals_.find(bits); at != literals_.end()) {
    at->second.uses += weight;
    return;
  }
  Literal literal{.uses = weight};
  if (!any_free() && !place_) a_literal_gives_way();
  if (any_free() || !place_) literal.number = numbers_.next(upwards(), constant_name(bits));
  literals_[bits] = literal;
}

std::optional<int> Registers::of(std::uint32_t bits) const {
  const auto at = literals_.find(bits);
  return at == literals_.end() ? std::nullopt : at->second.number;
}

std::optional<std::uint32_t> Registers::literal_in(int number) const {
  for (const auto& [bits, literal] : literals_)
    if (literal.number == number) return bits;
  return {};
}

int Registers::keep(std::uint32_t bits) {
  const auto number = of(bits);
  Literal kept{.number = number ? *number : next(constant_name(bits)), .keeps = true};
  literals_[bits] = kept;
  return *kept.number;
}

Registers::Literal* Registers::least_used() {
  Literal* least = nullptr;
  for (auto& [bits, literal] : literals_)
    if (literal.number && !literal.keeps && (least == nullptr || literal.uses < least->uses))
      least = &literal;
  return least;
}

/// Frees a register; the first time, a second literal leaves its own to those loaded at their uses.
bool Registers::a_literal_gives_way() {
  Literal* least = least_used();
  if (least == nullptr) return false;
  if (!place_) {
    const int place = *std::exchange(least->number, {});
    least = least_used();
    numbers_.give_back(place);
    numbers_.claim(place, "values that are loaded where they are used");
    place_ = place;
    if (least == nullptr) return false;
  }
  numbers_.give_back(*std::exchange(least->number, {}));
  return true;
}

void Registers::settle() {
  if (!place_) return;
  std::vector<std::pair<std::uint32_t, Literal*>> all;
  std::vector<int> free;
  for (auto& [bits, literal] : literals_)
    if (!literal.keeps) {
      all.emplace_back(bits, &literal);
      if (literal.number) free.push_back(*std::exchange(literal.number, {}));
    }
  std::ranges::stable_sort(all, {}, [](const auto& at) { return -at.second->uses; });
  std::ranges::sort(free);
  for (std::size_t k = 0; k < free.size(); ++k) {
    numbers_.give_back(free[k]);
    numbers_.claim(free[k], constant_name(all[k].first));
    all[k].second->number = free[k];
  }
}

std::map<std::uint32_t, int> Registers::set_at_launch() const {
  std::map<std::uint32_t, int> all;
  for (const auto& [bits, literal] : literals_)
    if (literal.number) all[bits] = *literal.number;
  return all;
}

}  // namespace weft
