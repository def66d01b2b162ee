#pragma once

#include <optional>
#include <vector>

#include "program/pe_impl.hpp"

/// The code that Design::fabric adds with `check`: it ends the run where a register moves a view
/// out of its array, or counts more elements than it has, and notes the roots that the PEs of a
/// line name.
namespace weft::inline v0 {

class RunChecks {
 public:
  /// Takes registers for what the program needs.
  RunChecks(const PeProgramAccess::Impl& program, Registers& registers);

  /// Before an instruction: its count.
  void count(ProgramBuilder& builder, const Item& item);
  /// And its operand k, which a register moves or strides.
  void view(ProgramBuilder& builder, const Item& item, std::size_t k, const DescriptorValue& value);
  /// Before a PE receives: notes the root, which Fabric compares when a run ends.
  void moving_root(ProgramBuilder& builder, const Item& item);

  const std::vector<FailedCheck>& failed() const { return failed_; }
  const std::vector<ProgramNotes::Check>& texts() const { return texts_; }
  const std::vector<ProgramNotes::RootedLines>& roots() const { return roots_; }

 private:
  struct Range {
    std::int64_t least, most;
  };

  static void within(ProgramBuilder& builder, Reg value, Range range, Reg limit, Label out);
  /// The register that counts the instruction's elements, if one does.
  std::optional<PeScalar> count_of(const Item& item) const;
  /// Where the condition does not hold.
  Label otherwise(ProgramBuilder& builder, const Item& item, std::string text);

  const PeProgramAccess::Impl& program_;
  std::optional<Reg> value_, number_;
  std::vector<ProgramNotes::RootedLines> roots_;
  std::vector<FailedCheck> failed_;
  std::vector<ProgramNotes::Check> texts_;
};

}  // namespace weft::inline v0
