#pragma once

#include <array>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/operations.hpp"
#include "program/allotment.hpp"
#include "program/built_program.hpp"
#include "program/call_line.hpp"
#include "program/questions.hpp"
#include "program/registers.hpp"
#include "program/routines.hpp"
#include "program/says.hpp"
#include "program/started_use.hpp"
#include "program/wait_tasks.hpp"
#include "weft/pe_program.hpp"

/// How a PeProgram keeps what it has recorded, until build() makes a Program of it
/// (pe_build.cpp): descriptors are values until then, and get their numbers last.
namespace weft::inline v0 {

/// The owner of registers that instructions name and no PeScalar has.
inline constexpr const char* kUsedByNumber = "use by number";

/// The value of a descriptor. Equal ones share a descriptor.
struct DescriptorValue {
  enum class Kind : std::uint8_t { memory, shaped, input, output, fifo } kind = Kind::memory;
  std::uint32_t base = 0;                    ///< bytes; of a FIFO its number
  int length = -1;                           ///< elements; -1: nobody asks for it
  bool counted = false;                      ///< that is the most: it is set at each use
  int stride = 0;                            ///< elements
  std::vector<std::pair<int, int>> shape{};  ///< of `shaped`: extents and strides
  int moved = -1;        ///< the operand's place, if its base is set at each use
  bool strided = false;  ///< and its stride
  int color = 0;
  bool control = false;
  auto operator<=>(const DescriptorValue&) const = default;
};

/// How registers move a view: by bytes from its base on, by the stride, and how they count it.
struct Move {
  std::uint32_t base;
  std::optional<PeScalar> offset, stride, count;
};

/// A piece of a program's code.
struct Item {
  enum class Kind : std::uint8_t {
    instruction,
    label,
    task,
    wait,
    pause,       ///< the task ends, and the code below is `task`
    scope,       ///< a scope begins: its constants are loaded
    subroutine,  ///< one begins
  } kind = Kind::instruction;
  Instruction instruction{};
  /// Of vector instructions: the values of the descriptors d, a and b; -1: by number, or none.
  std::array<int, 3> value{-1, -1, -1};
  /// Of operands that registers move, stride or count, also of a load or store (a): which of the
  /// program's moves; -1: none does.
  std::array<int, 3> move{-1, -1, -1};
  int depth = 0;         ///< loops around it
  int block = 0;         ///< the innermost task, loop or condition around it
  int waits_before = 0;  ///< in the program
  Label label{};
  Task task{};
  int wait = -1;  ///< of a wait, a scope or a subroutine: its number
  /// Where an operand is a value that the user wrote: the field of the instruction (0 to 2: d, a,
  /// b), which gets the register that holds it.
  int literal_field = -1;
  std::uint32_t literal = 0;
  /// The local task that the instruction names, or activates or unblocks at its end, if that is one
  /// of a wait's chain: its number.
  int join = -1;
  bool returns = false;  ///< the PE receives what this sends, and waits for that
  int chain = -1;        ///< the steps that follow it, by number
  int note = -1;         ///< the operation of the user's that it is part of, by number; -1: none
  int phase = -1;        ///< as ProgramNotes::PhaseMark::phase
  int moving_root = -1;  ///< it receives from a root that its use names: by number
};
using Section = std::vector<Item>;

/// Steps that follow an operation beside the code that has issued it, in a task of their own.
struct Chain {
  std::size_t section, last;  ///< of the task, and its item whose end is that of all
  /// Memory of those steps whose descriptors are the pattern's own.
  std::vector<PeVector> holds{};
};

inline PeScalar scalar_of(int number, ElementType type, int scope = 0) {
  return {Reg{static_cast<std::uint8_t>(number)}, type, scope};
}

/// A value that an operand is, in the register that has it so far.
struct Literal {
  PeScalar scalar;
  std::uint32_t bits;
};

/// A loop that is open in the section that is being written.
struct OpenLoop {
  std::size_t first;  ///< item of the section
  Label behind{};     ///< as soon as something leaves it
};

/// A jump behind a loop.
struct Leave {
  std::size_t section, loop, at;  ///< items of the section: the loop's first one, and the jump
};

/// A scope whose registers are handed out, in the section that is being written.
struct OpenScope {
  int number;
  std::vector<int> registers{};
  std::vector<int> of_inner{};  ///< registers of the scopes that were closed in it
};

/// Code that is called.
struct Subroutine {
  std::string name;
  Label entry;
  std::size_t section;
  int level = 0;  ///< of calls in it
  bool written = false;
  bool waits = false;                   ///< so other tasks may run in the midst of it
  Reg back{0};                          ///< where it returns to
  std::optional<std::size_t> caller{};  ///< of one that waits: the section
};

/// A local task that was declared before its code.
struct DeclaredTask {
  std::string name;
  TaskPriority priority;
  bool written = false;
};

/// A phase that was begun and has not ended.
struct OpenPhase {
  int number;       ///< of all that were begun, from 1 on
  int outer;        ///< the number of the one around it in its task; 0: there is none
  int name_around;  ///< as Writing::phase
};

/// Where in the program code is being written.
struct Writing {
  std::size_t section = 0;
  int depth = 0;                    ///< loops around it
  int block = 0;                    ///< the innermost task, loop, condition or scope around it
  int waits = 0;                    ///< so far in the section
  int subroutine = -1;              ///< that it is in
  int phase = -1;                   ///< that it is in; -1: none
  std::vector<OpenPhase> phases{};  ///< begun in this task, the innermost last
  std::vector<OpenLoop> loops{};
  std::vector<OpenScope> scopes{};
};

/// Where a condition that does not hold leads to.
struct FailedCheck {
  Label label;
  int note;
};

/// The root of a use of MovingBroadcast: a register, or a number.
struct MovingRoot {
  std::optional<PeScalar> in_register;
  int number = 0;
  ProgramNotes::RootedLines lines{};  ///< without memory and uses
};

/// Registers and memory of PeProgram::print.
struct PrintPlace {
  PeScalar at, value;  ///< the next entry, in bytes; for what comes into it
  std::uint32_t base;
  std::int32_t mask;  ///< of `at`
};

/// The values of a symbol at launch.
struct AtStart {
  PeVector symbol;
  std::function<std::vector<PeValue>(int x, int y)> values;
};

struct PeProgram::Impl {
  explicit Impl(const std::string& name);

  std::uint64_t id;  ///< of this program
  std::string name;
  ProgramBuilder builder;  ///< memory, labels; build() works on a copy
  Registers registers;
  Allotment local_tasks, input_queues, output_queues;
  std::vector<bool> microthread_taken;  ///< by number: by a queue of either kind
  QueueChoice queues;                   ///< as they are handed out, before the program is complete
  std::set<QueueUse> of_user;           ///< that have a queue of the user's
  std::optional<PeScalar> x, y;
  std::vector<std::uint32_t> fifo_bytes;  ///< of an element, by number
  std::vector<Task> fifo_tasks;           ///< that pushes and pops activate
  std::map<int, std::size_t> data_tasks;  ///< by color: the section
  std::map<int, int> data_task_notes;     ///< by color: the line that declares it, as a note
  std::vector<MovingRoot> moving_roots;
  std::vector<Chain> chains;
  /// Of ring transposes that are started.
  std::optional<std::array<Reg, kRingRegisters>> ring_registers;
  std::map<int, StartedUse> started;  ///< by what uses share: the last one (patterns/steps.hpp)
  std::vector<Move> moves;
  /// Of loops that are closed, by section: another task may run in between. Loops and patterns set
  /// them where they take them. Not for constants, which are set before the first loop.
  std::map<std::size_t, std::vector<PeScalar>> free_counters;
  std::map<DescriptorValue, int> values;
  std::vector<DescriptorValue> by_number;                 ///< of `values`
  std::set<int> own_descriptors;                          ///< that the program uses by number
  std::vector<Section> sections{1};                       ///< the main task first
  std::vector<TaskPriority> priority{TaskPriority::low};  ///< by section
  Writing at;
  int blocks = 1;  ///< how many there have been
  int phases_begun = 0;
  bool phases_crossed = false;  ///< one has ended around another, or in another task
  std::vector<Leave> leaves;
  std::vector<Subroutine> subroutines;
  std::map<int, Reg> back_at_level;                     ///< of subroutines that do not wait
  std::map<int, DeclaredTask> declared;                 ///< by number
  std::vector<std::map<std::uint32_t, int>> scopes{1};  ///< by number: registers by constant
  std::map<std::pair<int, int>, std::string> scoped;    ///< names, by scope and register
  std::vector<Wait> all_waits;
  int joins = 0;  ///< tasks of their chains
  std::vector<AtStart> at_start;
  std::map<std::string, MemorySpan> arrays;  ///< by name
  std::optional<PeScalar> scratch_register;
  std::optional<RoutinePlace> routine_place;
  std::map<Routine, Label> routines;  ///< that the program uses
  const Questions* questions = nullptr;
  std::multimap<std::string, int> task_names{{"main", 0}};  ///< of the user's local tasks
  std::function<std::string()> line;  ///< of the user's source; it may be empty
  std::string saying;                 ///< in the user's words, of what takes several instructions
  ProgramNotes notes;                 ///< `first` of operations is not used
  std::vector<FailedCheck> failed_checks;
  int kept_prints = 32;
  std::optional<PrintPlace> print_place;

  /// `what`: the operation, in the user's words; empty: what says() has said, or the instruction.
  Item& put(Item item, const std::string& what = {});
  /// The number in `notes` of the operation that is being written.
  int note(const std::string& what);
  /// Of the code that follows; returns OpenPhase::outer, for end_phase.
  int begin_phase(const std::string& name);
  /// False: it is not the innermost one of its task.
  bool end_phase(int outer);
  std::string operation_text(Op op, const PeVector& d, const PeVector* a, const PeVector* b,
                             const PeScalar* scalar) const;
  /// "add(n, n, 1)", or the name of an instruction that PeProgram has no method for.
  std::string instruction_text(const Instruction& i) const;
  /// "convert(d, a)"
  std::string text_of(std::string_view what, std::initializer_list<PeScalar> operands) const;
  std::string register_text(PeScalar s) const;
  /// "u[3]": where it is in its array.
  std::string element_text(const PeVector& element) const;
  /// Registers of one type, for the operation.
  void check_alike(std::string_view what, std::initializer_list<PeScalar> registers) const;
  Item& put(const Instruction& i) { return put(Item{.instruction = i}); }
  void put_label(Label label);
  void enter(PeBlock& b) {
    b.number = blocks++;
    b.outer = std::exchange(at.block, b.number);
    b.line = call_line();
  }
  /// The same of a loop. Its first instruction follows.
  void enter_loop(PeBlock& b);
  /// A section of its own: begins with the item, goes on with the body.
  void write_section(Item first, TaskPriority priority, int subroutine,
                     const std::function<void()>& body);
  Section& section() { return sections[at.section]; }
  PeScalar loop_counter();
  PeScalar new_scalar(const std::string& owner, ElementType type);
  PeScalar constant(std::uint32_t bits, ElementType type);
  std::optional<Literal> being_used;  ///< from `literal` to `mark`
  /// A value as an operand: the item that has it is put next, then marked.
  Literal literal(PeValue value, ElementType type);
  /// One that an instruction further on will use.
  void expect_literal(PeValue value, ElementType type);
  void mark(const Literal& literal, int field);
  /// Refuses a register whose scope is not open here.
  void check(PeScalar s) const;
  void close_scope();
  /// An operation's end: the operation itself, or the last step that follows it.
  Item& end_of(std::size_t section, std::size_t index);
  bool is_waited_for(const StartedUse& use);
  /// Code from this item on comes again. Refuses uses in it that it does not wait for.
  void check_waited_for(std::size_t first);
  /// Refuses to wait for an operation that a leave jumps away from.
  void check_not_left(std::size_t item) const;
  /// A wait or a pause is being written.
  void note_wait();
  /// One that waits has the priority of the task that calls it.
  void set_priority(Subroutine& called, TaskPriority of_task);
  Reg place_to_return(const Subroutine& subroutine);
  /// For the whole program; not set at launch.
  Reg new_register(const std::string& owner);
  /// A register for a value that the next instruction uses.
  PeScalar scratch();
  void give_ids(Wait& wait, const std::string& owner);
  /// Frees tasks of waits, which share some then; false if no wait has one.
  bool take_ids_from_a_wait();
  /// When the program is complete. Throws Error(program) if there are too few.
  WaitTasks final_wait_tasks() const;
  int value_number(const DescriptorValue& value);
  /// It is complete. What build() needs stays.
  void forget_what_only_writing_needs();
  /// The number of its move; -1: no register moves or strides it.
  int move_number(const PeVector& v, const std::optional<PeScalar>& count = {});
  const Move& move_of(const Item& item, std::size_t k) const {
    return moves[static_cast<std::size_t>(item.move[k])];
  }
  void take_queue(Color color, bool input);
  void claim_queue(Color color, bool input, int queue);
  /// When the program is complete. Throws Error(program) if there are too few for what runs at the
  /// same time.
  QueueChoice final_queues() const;
  /// `check`: also code that checks views which a register moves.
  BuiltProgram build(bool check) const;
  void check_complete() const;
  /// Somewhere in the program.
  bool ever_blocks(Task task) const;
  /// Refuses to share wavelets of a data task with operations that receive them.
  void check_data_tasks() const;
  /// ProgramNotes::main_runs_once. Refuses a program that starts it again all the same.
  std::string main_runs_once() const;
  std::string name_of(Color color) const;
  void check_color(Color color) const;
  /// The instruction for operands that there are (not null). Refuses types that none takes.
  Op op_of(isa::Operation operation, const PeVector& d, const PeVector* a, const PeVector* b,
           const PeScalar* scalar) const;
  /// Whether it is a FIFO whose elements have two bytes.
  bool has_halves(const PeVector& v) const;
  void check_fifos(Op op, const std::array<const PeVector*, 3>& operands) const;
  /// The register that counts the elements of these operands, if one does.
  std::optional<PeScalar> count_of(Op op, const std::array<const PeVector*, 3>& operands) const;
  [[noreturn]] void refuse_open_block() const;
  [[noreturn]] void refuse_crossed_phases() const;
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& remedy) const;
};

/// The elements of a vector instruction.
int length_of(const Item& item, const std::vector<DescriptorValue>& values);

/// A branch to the label if the condition holds, or if it does not.
void put_branch(PeProgram& p, const PeCondition& c, bool holds, Label target);
/// d = a as 32 bits: of a type of 16 bits, its low half.
void extend(PeProgram& p, Reg d, Reg a, ElementType type);

/// For Design and patterns.
struct PeProgramAccess {
  using Impl = PeProgram::Impl;
  static PeProgram::Impl& impl(PeProgram& program) { return *program.impl_; }
  static PeOperation put(PeProgram& p, isa::Operation operation, const PeVector& d,
                         const PeVector* a, const PeVector* b, const PeScalar* scalar = nullptr) {
    return p.put_vector(p.impl_->op_of(operation, d, a, b, scalar), d, a, b, scalar);
  }
  static void check_owner(const PeProgram& program, const PeVector& v) { program.check_owner(v); }
  /// The last item of the section, as an operation.
  static PeOperation last_item(PeProgram& p) {
    return {&p, p.impl_->at.section, p.impl_->section().size() - 1};
  }
  /// Steps that begin when `first` ends. `body` writes them, and returns the last one, whose end is
  /// then that of `first`, for waits and all else.
  static void follow(PeProgram& p, PeOperation first, const std::string& name,
                     const std::function<PeOperation()>& body);
  /// The same of a task that something in the program starts, and ends as `body` does.
  static void follow(PeProgram& p, PeOperation first, Task task, std::vector<PeVector> holds,
                     const std::function<void()>& body);
  /// Of what begins when `first` ends, `last` is the end.
  static void chain(Impl& impl, PeOperation first, Chain last);
  static StartedUse started_use(const std::string& pattern, const PeOperation& first) {
    return {pattern, first.section_, first.index_};
  }
};

}  // namespace weft::inline v0
