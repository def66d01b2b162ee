#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/element.hpp"
#include "weft/instruction.hpp"
#include "weft/instruction_writer.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {

/// A place in a PE's memory: byte address and size in bytes.
struct MemorySpan {
  std::uint32_t address = 0, bytes = 0;
  ElementType type = ElementType::unspecified;
  std::vector<int> extents{};  ///< of an array, as it is declared; else empty: one dimension
  bool operator==(const MemorySpan&) const = default;
};

/// One dimension of a memory descriptor: so many elements, so many elements apart.
struct Dimension {
  std::uint16_t extent = 1;
  std::int16_t stride = 0;
  bool operator==(const Dimension&) const = default;
};
/// The dimensions of a memory descriptor, outermost first; those not used have extent 1.
using Shape = std::array<Dimension, kDimensions>;

/// A circular buffer in a PE's memory.
struct Fifo {
  std::uint32_t address = 0;   ///< byte address
  std::uint32_t capacity = 0;  ///< elements
  std::uint32_t bytes = 4;     ///< of an element: 2 or 4
  int push_task = -1;          ///< local task that a push activates after the FIFO was found empty
  int pop_task = -1;           ///< local task that a pop activates after the FIFO was found full
  bool operator==(const Fifo&) const = default;
};

enum class TaskPriority : std::uint8_t { low, high };

/// A program in its user's words, for errors and reports. PeProgram writes them; all may be empty.
struct ProgramNotes {
  /// One operation of the user's: the instructions from this one on, up to the next operation.
  struct Operation {
    std::int32_t first = 0;
    std::string what;   ///< "copy(to(halo), u)"
    std::string where;  ///< "heat.py:31"; empty: not known
    /// "copy(to(halo), u) (heat.py:31)".
    std::string text() const;
  };
  /// A value that the program prints (PeProgram::print), or a condition that it checks.
  struct Check {
    std::string text, where;
  };
  struct Print {
    std::string name;
    ElementType type = ElementType::unspecified;
  };
  /// Lines of PEs that name roots (MovingBroadcast), where checks note each use: at `address` how
  /// many there were, then the last ones.
  struct RootedLines {
    int color = 0;
    Rect where{};
    bool rows = false;  ///< lines are rows, or columns
    std::uint32_t address = 0;
    std::vector<Operation> uses{};
  };
  /// The instructions from this one on, up to the next mark, are of a phase.
  struct PhaseMark {
    /// Of no phase; or of the one that the PE is in: code that several phases share.
    static constexpr int kNone = -1, kShared = -2;
    std::int32_t first = 0;
    int phase = kNone;  ///< in phase_names, or one of these
  };
  std::vector<PhaseMark> phases{};  ///< by `first`; before the first one: kNone
  std::vector<std::string> phase_names{};
  std::vector<Operation> operations{};  ///< by `first`
  std::map<int, std::string> local_tasks{};
  std::vector<Check> checks{};
  std::vector<Print> prints{};
  std::vector<RootedLines> roots{};
  /// Why the main task cannot run again: a register that it and the rest of the program share
  /// ("b, which shares register 3 with a"). Empty: it can.
  std::string main_runs_once{};

  /// The operation of an instruction; null: it is of none.
  const Operation* operation_at(std::int64_t instruction) const;
  /// The phase of an instruction, as PhaseMark::phase.
  int phase_at(std::int64_t instruction) const;
  /// They change nothing that a program does.
  bool operator==(const ProgramNotes&) const { return true; }
};

/// The program of a PE: code, bound tasks, and how its memory is laid out. Plain data: threads may
/// read one at the same time, if none changes it.
struct Program {
  static constexpr std::int32_t kUnbound = -1;

  std::string name;
  std::vector<Instruction> code;
  std::array<std::int32_t, kColors> data_entry{};  ///< first instruction, or kUnbound
  std::array<std::int32_t, kLocalTasks> local_entry{};
  std::array<std::int32_t, kControlTasks> control_entry{};
  std::uint32_t high_data = 0;         ///< bit per color: the task has high priority
  std::uint32_t high_local = 0;        ///< bit per id
  std::uint64_t high_control = 0;      ///< bit per id
  std::uint32_t started_local = 0;     ///< bit per id: active at launch
  std::uint32_t blocked_local = 0;     ///< bit per id: blocked at launch
  std::uint32_t unblocked_colors = 0;  ///< bit per color: unblocked at launch
  std::uint32_t memory_bytes = 0;      ///< of code and named memory
  std::map<std::string, MemorySpan> symbols;
  std::vector<Shape> shapes{};
  std::vector<Fifo> fifos{};
  std::multimap<std::string, int> task_names{};  ///< ids of the local tasks that have a name
  ProgramNotes notes{};
  bool operator==(const Program&) const = default;
};

/// Writes a Program, instruction by instruction; the methods of InstructionWriter append one each.
/// Misuse throws Error(program) that names the program and the instruction. Of one builder by one
/// thread at a time; several threads may use several builders.
class ProgramBuilder final : public InstructionWriter {
 public:
  explicit ProgramBuilder(std::string name);

  /// Reserves memory, aligned to four bytes, under a name that Fabric::read and write can use.
  MemorySpan reserve(const std::string& symbol, std::uint64_t bytes,
                     ElementType type = ElementType::unspecified,
                     const std::vector<int>& extents = {});
  /// So many elements of a type.
  template <Element T>
  MemorySpan reserve(const std::string& symbol, int count) {
    const std::int64_t bytes = std::int64_t{count} * element_bytes(element_of<T>);
    return reserve(symbol, static_cast<std::uint64_t>(bytes), element_of<T>);
  }

  /// One to four dimensions for dshape, outermost first, at most 65,535 elements in all.
  ShapeId shape(std::initializer_list<Dimension> dimensions);

  /// Reserves a circular buffer for `capacity` elements of two or four bytes, at most kFifos in a
  /// program. `after_push` is activated by the first push after the FIFO was found empty,
  /// `after_pop` by the first pop after it was found full; both are local tasks.
  FifoId fifo(const std::string& symbol, std::uint32_t capacity, std::uint32_t bytes = 4,
              std::optional<Task> after_push = {}, std::optional<Task> after_pop = {});

  /// How many instructions there are so far: the number of the next one.
  int instructions() const noexcept { return static_cast<int>(program_.code.size()); }

  /// Appends an instruction that somebody else has put together. The immediate of a jump or branch
  /// is the index of a label of this builder.
  void instruction(const Instruction& i) { put(i.op, i.d, i.a, i.b, i.imm); }

  /// The instructions that follow are of the phase of this name, until the next call of one of
  /// these three. They cost nothing: docs/model.md tells what is counted of phases.
  void phase(const std::string& name);
  void no_phase();
  void shared_by_phases();  ///< of the phase that the PE is in then: routines, and the like

  Label label();           ///< a new label, to be placed once
  void place(Label here);  ///< the next instruction is its target

  /// The code of this task follows; it must finish with end().
  Task local_task(int id, TaskPriority priority = TaskPriority::low);
  Task data_task(int color,
                 TaskPriority priority = TaskPriority::low);  ///< unblocked at launch; r0 = payload
  Task control_task(
      int id,
      TaskPriority priority = TaskPriority::low);  ///< r0 = low 16 bits of the wavelet

  void start(Task local);           ///< active at launch
  void start_blocked(Task local);   ///< blocked at launch
  void start_unblocked(int color);  ///< for colors that only start control tasks

  /// Checks and finishes: labels placed, operands in range, tasks ended.
  Program build();

 private:
  void put(Op op, int d, int a, int b, std::int32_t imm) override;

  Task bind(TaskKind kind, int id, std::int32_t* entries);
  void mark_phase(int phase);

  Program program_;
  Task last_task_;
  std::vector<std::int32_t> label_at_;
};

/// The program's text, one instruction a line, with task entries.
std::string disassemble(const Program& program);

/// The payload of a control wavelet: up to eight commands, one for each router that pops (see
/// PopMode).
struct ControlWavelet {
  enum class Command : std::uint8_t { nop, advance, reset, teardown };
  struct Slot {
    Command command = Command::nop;
    bool no_core = true;  ///< the flag NOCE: while this slot is first, cores do not see the wavelet
  };

  std::array<Slot, 8> slots{};
  int entry = kNoEntry;  ///< control task that it starts; kNoEntry: none

  /// Throws Error(usage) for an entry or a command that does not exist.
  std::uint32_t payload() const;
};

}  // namespace weft::inline v0
