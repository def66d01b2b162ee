#pragma once

#include <map>
#include <vector>

#include "program/registers.hpp"
#include "program/wait_tasks.hpp"
#include "weft/program.hpp"

/// The code of a program's waits.
namespace weft::inline v0 {

class WaitCode {
 public:
  /// `registers`: those of the program. Throws Error(program) if waits share tasks, and no register
  /// is left.
  WaitCode(const std::vector<Wait>& waits, WaitTasks tasks, Registers& registers);

  /// The local task of a wait's chain.
  int id(int join) const { return tasks_.id[static_cast<std::size_t>(join)]; }
  /// The task ends here; the code that is written next comes after the wait.
  void write(ProgramBuilder& builder, int number);
  /// Behind all other code.
  void finish(ProgramBuilder& builder) const;

 private:
  const std::vector<Wait>& waits_;
  WaitTasks tasks_;
  std::map<std::size_t, Reg> place_;  ///< by section: the register that tells where it goes on
  Label end_;
};

}  // namespace weft::inline v0
