#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/allotment.hpp"

namespace weft {

/// The registers of a program. A literal (a value that operands are) has a register of its own, set
/// at launch, while there are enough. Where somebody else needs one, the literals that are used
/// least give way: they share one register (the "place"), and are loaded right before each use.
class Registers {
 public:
  /// `where`: as of an Allotment.
  explicit Registers(const std::string& where);

  /// A register that nobody has had, for the owner. Throws Error(program) if there is none.
  int next(const std::string& owner);
  /// The same in this order, then by what scopes gave back.
  int next(std::span<const int> order, const std::string& owner);
  void claim(int number, const std::string& owner);
  bool is_free(int number) const { return numbers_.is_free(number); }
  const std::string& owner(int number) const { return numbers_.owner(number); }

  /// For a scope, or the count of a loop, in a section of the program.
  int next_in_scope(std::size_t section, const std::string& owner,
                    std::span<const int> not_these = {});
  int next_in_loop(std::size_t section, const std::string& owner);
  /// Back from a scope: to others of the section, or to all that are not set at launch.
  void give_back(int number, std::optional<std::size_t> section);
  /// The name of a register that a scope has given back, if nobody has it now; else null.
  const std::string* given_back(int number) const;

  /// A register that first scopes of the main task gave back, and that somebody has now.
  struct PassedOn {
    int number;
    std::string before, owner;
    std::optional<std::size_t> section;  ///< that has it; none: the whole program
  };
  const std::vector<PassedOn>& passed_on() const { return passed_on_; }

  /// A literal that is used once more; `weight`: how often that comes.
  void use(std::uint32_t literal, double weight);
  /// The register that has the literal for the whole program, if there is one.
  std::optional<int> of(std::uint32_t literal) const;
  /// The literal that this register has, if it has one.
  std::optional<std::uint32_t> literal_in(int number) const;
  /// A register that holds it in the whole program.
  int keep(std::uint32_t literal);

  /// When the program is complete: those that are used most have a register each.
  void settle();
  std::map<std::uint32_t, int> set_at_launch() const;
  /// Of the literals that are loaded where they are used.
  int place() const { return *place_; }

 private:
  struct Literal {
    std::optional<int> number{};
    bool keeps = false;
    double uses = 0;
  };
  bool a_literal_gives_way();
  Literal* least_used();
  bool any_free() const;
  std::optional<int> take_given_back(std::optional<std::size_t> section, const std::string& owner,
                                     std::span<const int> not_these = {});

  Allotment numbers_;
  std::map<std::uint32_t, Literal> literals_;
  std::optional<int> place_;
  std::vector<int> for_all_;                             ///< given back
  std::map<std::size_t, std::vector<int>> for_section_;  ///< given back
  std::vector<PassedOn> passed_on_;
};

}  // namespace weft
