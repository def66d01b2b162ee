#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/operations.hpp"
#include "program/allotment.hpp"
#include "program/wait_tasks.hpp"
#include "weft/pe_program.hpp"

/// How a PeProgram keeps what it has recorded, until build() makes a Program of it
/// (pe_build.cpp): descriptors are values until then, and get their numbers last.
namespace weft::inline v0 {

/// The value of a descriptor. Equal ones share a descriptor.
struct DescriptorValue {
  enum class Kind : std::uint8_t { memory, shaped, input, output } kind = Kind::memory;
  std::uint32_t base = 0;                    ///< bytes
  int length = -1;                           ///< elements; -1: nobody asks for it
  int stride = 0;                            ///< elements
  std::vector<std::pair<int, int>> shape{};  ///< of `shaped`: extents and strides
  int moved = -1;  ///< the operand's place, if its base is set at each use
  int color = 0;
  bool control = false;
  auto operator<=>(const DescriptorValue&) const = default;
};

/// A color's use of a queue from the router (input) or to it.
struct QueueUse {
  bool input;
  int color;
  auto operator<=>(const QueueUse&) const = default;
};

/// The queues of a program, by color.
struct QueueChoice {
  std::map<int, int> input, output;
};

/// Whose the numbers of a program are.
struct ProgramNames {
  QueueChoice queues;
  std::map<int, std::string> registers, local_tasks;
};

/// A piece of a program's code.
struct Item {
  enum class Kind : std::uint8_t { instruction, label, task, wait } kind = Kind::instruction;
  Instruction instruction{};
  /// Of vector instructions: the values of the descriptors d, a and b; -1: by number, or none.
  std::array<int, 3> value{-1, -1, -1};
  /// Of those that are moved: the register and the number that are its base, in bytes.
  std::array<std::optional<PeScalar>, 3> offset{};
  std::array<std::uint32_t, 3> base{};
  int depth = 0;         ///< loops around it
  int block = 0;         ///< the innermost task, loop or condition around it
  int waits_before = 0;  ///< in the program
  Label label{};
  Task task{};
  int wait = -1;  ///< of a wait: its number
  /// The local task that the instruction names, or activates or unblocks at its end, if that is one
  /// of a wait's chain: its number.
  int join = -1;
};
using Section = std::vector<Item>;

/// What a Design knows of a PE when a program function asks where it is.
struct Questions {
  std::function<int(const std::function<int(int x, int y)>&)> pick;
  int width = 0, height = 0;
  std::uint64_t design = 0;  ///< its id
  const Allotment* colors = nullptr;
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
  Allotment registers, local_tasks, input_queues, output_queues;
  std::vector<bool> microthread_taken;  ///< by number: by a queue of either kind
  QueueChoice queues;                   ///< as they are handed out, before the program is complete
  std::set<QueueUse> of_user;           ///< that have a queue of the user's
  std::map<std::uint32_t, PeScalar> constants;  ///< by bits
  std::optional<PeScalar> x, y;
  /// Of loops that are closed, by section: another task may run in between. Not for anything else:
  /// constants are set before the first loop.
  std::map<std::size_t, std::vector<PeScalar>> free_counters;
  std::map<DescriptorValue, int> values;
  std::vector<DescriptorValue> by_number;  ///< of `values`
  std::set<int> own_descriptors;           ///< that the program uses by number
  std::vector<Section> sections{1};        ///< the main task first
  std::size_t current = 0;                 ///< section that is being written
  int depth = 0;
  int block = 0, blocks = 1;  ///< where it is being written, and how many there have been
  int waits = 0;              ///< so far in the section that is being written
  std::vector<Wait> all_waits;
  int joins = 0;  ///< tasks of their chains
  std::vector<AtStart> at_start;
  const Questions* questions = nullptr;
  std::multimap<std::string, int> task_names{{"main", 0}};  ///< of the user's local tasks

  Item& put(Item item);
  Item& put(const Instruction& i) { return put(Item{.instruction = i}); }
  void put_label(Label label);
  void enter(PeBlock& b) {
    b.number = blocks++;
    b.outer = std::exchange(block, b.number);
  }
  PeScalar loop_counter();
  void give_ids(Wait& wait, const std::string& owner);
  /// Frees tasks of waits, which share some then; false if no wait has one.
  bool take_ids_from_a_wait();
  /// When the program is complete. Throws Error(program) if there are too few.
  WaitTasks final_wait_tasks() const;
  int value_number(const DescriptorValue& value);
  void take_queue(Color color, bool input);
  void claim_queue(Color color, bool input, int queue);
  /// When the program is complete. Throws Error(program) if there are too few for what runs at the
  /// same time.
  QueueChoice final_queues() const;
  ProgramNames names() const;
  std::string name_of(Color color) const;
  void check_color(Color color) const;
  /// The instruction for operands that there are (not null). Refuses types that none takes.
  Op op_of(isa::Operation operation, const PeVector& d, const PeVector* a, const PeVector* b,
           const PeScalar* scalar) const;
  [[noreturn]] void refuse_open_block() const;
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& remedy) const;
};

/// For Design and patterns.
struct PeProgramAccess {
  static PeProgram::Impl& impl(PeProgram& program) { return *program.impl_; }
  static void check_owner(const PeProgram& program, const PeVector& v) { program.check_owner(v); }
};

}  // namespace weft::inline v0
