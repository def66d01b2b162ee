#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "weft/pe_vector.hpp"
#include "weft/program.hpp"

/// Parts of a program that PeProgram hands out while it is written.
namespace weft::inline v0 {

class PeProgram;

/// A vector operation that a program has issued.
class PeOperation {
 public:
  /// The core goes on at once; the operation runs as a microthread.
  PeOperation& async();
  /// The same, and at its end the local task becomes active.
  PeOperation& then_activate(Task task);
  /// The same, and at its end the task (local, or data: its color) is unblocked.
  PeOperation& then_unblock(Task task);
  /// "copy(to(halo), u) (heat.py:31)": as errors name it.
  std::string text() const;

 private:
  friend class PeProgram;
  friend struct PeProgramAccess;
  PeOperation(PeProgram* program, std::size_t section, std::size_t index)
      : program_(program), section_(section), index_(index) {}
  PeOperation& set(VectorOptions::AtEnd at_end, Task task);

  PeProgram* program_;
  std::size_t section_, index_;
};

/// Code that is written once and called from several places, from PeProgram::subroutine.
struct PeSubroutine {
  int number = -1;            ///< in its program; -1: not written yet
  std::uint64_t program = 0;  ///< that has it
};

/// A part of a program that has a name, from PeProgram::phase to the end of this value's scope.
class [[nodiscard]] PePhase {
 public:
  PePhase(const PePhase&) = delete;
  PePhase& operator=(const PePhase&) = delete;
  ~PePhase() { end(); }
  void end() noexcept;  ///< before its scope ends

 private:
  friend class PeProgram;
  PePhase(PeProgram* program, int outer) : program_(program), outer_(outer) {}

  PeProgram* program_;  ///< none: it has ended
  int outer_;           ///< the phase around it
};

/// A loop, condition or scope whose body is being written, from PeProgram::open_... to close.
class PeBlock {
 private:
  friend class PeProgram;
  enum class Kind : std::uint8_t { count_down, range, repeat_while, when, otherwise, scope, phase };
  Kind kind = Kind::when;
  Label again, out;
  std::optional<PeScalar> counter;
  int end = 0, step = 0;
  std::optional<PeCondition> condition;
  bool closed = false;
  int number = 0, outer = 0;  ///< of this block, and of the one around it (of a phase, the phase)
  std::source_location line;  ///< that opened it
  std::string what;           ///< in errors: "repeat(10)"
};

}  // namespace weft::inline v0
