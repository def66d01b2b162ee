#pragma once

#include <optional>
#include <set>
#include <vector>

#include "program/pe_impl.hpp"

/// The code that Design::fabric adds with `check`: it ends the run where a register moves a view
/// out of its array, or where the PEs of a line do not name the same root.
namespace weft::inline v0 {

class RunChecks {
 public:
  /// Takes registers, descriptors and memory for what the program needs.
  RunChecks(const PeProgramAccess::Impl& program, Registers& registers, std::set<int>& descriptors);

  /// Before the instruction that uses operand k.
  void view(ProgramBuilder& builder, const Item& item, std::size_t k, const DescriptorValue& value);
  /// Before the root sends, and before a PE receives: the root's number goes first.
  void moving_root(ProgramBuilder& builder, const Item& item, const QueueChoice& queues);

  const std::vector<FailedCheck>& failed() const { return failed_; }
  const std::vector<ProgramNotes::Check>& texts() const { return texts_; }

 private:
  /// Where the condition does not hold.
  Label otherwise(ProgramBuilder& builder, const Item& item, std::string text);

  const PeProgramAccess::Impl& program_;
  std::optional<Reg> value_, number_;
  std::optional<Dsr> stream_, word_;
  std::optional<MemorySpan> place_;  ///< of `word_`
  std::vector<FailedCheck> failed_;
  std::vector<ProgramNotes::Check> texts_;
};

}  // namespace weft::inline v0
