#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/call_line.hpp"
#include "weft/pe_operation.hpp"
#include "weft/pe_vector.hpp"
#include "weft/program.hpp"

namespace weft::inline v0 {

/// Writes the program of a PE: memory, registers, queues and tasks are handed out by name,
/// loops and conditions have no labels, and code goes on below a wait. It writes on a
/// ProgramBuilder. Every instruction is at hand too (InstructionWriter), with numbers of the
/// user's: a descriptor that is used by number is not handed out, nor is a register after its first
/// use.
///
/// r0 is for the payload of data and control tasks. The first lines of the program set descriptors
/// and constants, once: they cost one cycle each.
///
/// Errors are Error(program), and name the program, and both owners of a number that is taken.
/// Those of a run name the line that calls a method: its last argument, which is not written. Of
/// one program by one thread at a time.
class PeProgram final : public InstructionWriter {
 public:
  explicit PeProgram(const std::string& name);
  ~PeProgram();
  PeProgram(PeProgram&&) noexcept;
  PeProgram& operator=(PeProgram&&) noexcept;

  using InstructionWriter::activate;
  using InstructionWriter::add;
  using InstructionWriter::band;
  using InstructionWriter::bor;
  using InstructionWriter::bxor;
  using InstructionWriter::call;
  using InstructionWriter::mul;
  using InstructionWriter::sar;
  using InstructionWriter::shl;
  using InstructionWriter::shr;
  using InstructionWriter::sub;

  // Where the PE is. The program function is called once for each combination of results, and PEs
  // with the same results share a program. Only in a function of Design::program.
  /// Whether the fabric has a PE beyond this side.
  bool has_neighbor(Port side);
  /// A property of the PE's column and row.
  bool where(const std::function<bool(int x, int y)>& property);
  /// A number for the PE; each one makes a program of its own.
  int pick(const std::function<int(int x, int y)>& number);

  // Memory
  /// Elements in memory, zero at first: the symbol `name` for Fabric::read and write.
  template <class T>
  PeVector array(const std::string& name, int count) {
    return array(name, element_of<T>, {count});
  }
  /// The same in up to four dimensions, outermost first, row by row.
  template <class T>
  PeVector array(const std::string& name, std::initializer_list<int> extents) {
    return array(name, element_of<T>, std::vector<int>(extents));
  }
  PeVector array(const std::string& name, ElementType type, const std::vector<int>& extents);
  /// Elements with values at launch, the same in each PE: Design::fabric writes them.
  template <class T>
  PeVector values(const std::string& name, const std::vector<T>& values) {
    PeVector v = array<T>(name, static_cast<int>(values.size()));
    std::vector<PeValue> at_launch(values.begin(), values.end());
    at_start(v, [at_launch = std::move(at_launch)](int, int) { return at_launch; });
    return v;
  }
  /// One element with a value of the PE's own at launch.
  template <class T>
  PeVector parameter(const std::string& name, std::function<T(int x, int y)> value) {
    PeVector v = array<T>(name, 1);
    at_start(
        v, [value = std::move(value)](int x, int y) { return std::vector<PeValue>{value(x, y)}; });
    return v;
  }
  /// The values of a symbol at launch, by PE: as many as it has elements.
  void at_start(const PeVector& symbol, std::function<std::vector<PeValue>(int x, int y)> values);

  /// A circular buffer for so many elements of two or four bytes, an operand like a stream: copy(f,
  /// v) pushes the elements of v, copy(v, f) pops as many as v has. Over memory, either ends early
  /// where the FIFO is full or empty; with a stream and asynchronous, it waits. The first push
  /// after the FIFO was found empty activates `after_push`, the first pop after it was found full
  /// `after_pop` (local tasks; see declare_task).
  PeFifo fifo(const std::string& name, std::uint32_t capacity, std::uint32_t bytes = 4,
              std::optional<Task> after_push = {}, std::optional<Task> after_pop = {});

  // Registers
  template <class T>
  PeScalar scalar(const std::string& name) {
    return scalar(name, element_of<T>);
  }
  PeScalar scalar(const std::string& name, ElementType type, std::optional<Reg> number = {});
  /// A register that holds the value in the whole program, or in the whole scope. The same value
  /// has one register. Values that are written as operands (`add(d, a, 2)`) have registers too, as
  /// long as there are enough. Beyond that, those that are used least are loaded right before each
  /// use, one instruction more: together they keep one register.
  PeScalar constant(PeValue value, ElementType type);
  /// Registers and constants made in the body are given back at its end: to later scopes and loops
  /// of the same task, and, in the main task before its first wait and outside its loops, to all
  /// later scopes and scalars. (Elsewhere other tasks might run in between.) A register that is
  /// handed out anew holds what it held. Constants are loaded where the scope begins.
  void scope(const std::function<void()>& body);
  /// Its register, for methods of InstructionWriter, which do not know of scopes: refused outside
  /// its scope, also where another one has the register.
  Reg number_of(PeScalar s) const;
  PeScalar x();  ///< this PE's column
  PeScalar y();  ///< this PE's row

  void set(PeScalar d, PeValue value, CallLine = {});           ///< d = value
  void set(PeScalar d, PeScalar a, CallLine = {});              ///< the bits of a
  void add(PeScalar d, PeScalar a, PeScalar b, CallLine = {});  ///< d = a + b, of one type
  void add(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void add(PeScalar d, PeValue a, PeScalar b, CallLine line = {}) { add(d, b, a, line); }
  void sub(PeScalar d, PeScalar a, PeScalar b, CallLine = {});  ///< d = a - b
  void sub(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void sub(PeScalar d, PeValue a, PeScalar b, CallLine = {});
  void mul(PeScalar d, PeScalar a, PeScalar b, CallLine = {});  ///< d = a b
  void mul(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void mul(PeScalar d, PeValue a, PeScalar b, CallLine line = {}) { mul(d, b, a, line); }
  /// A NaN if either is one. Integers have no such instruction: a copy and a branch.
  void max(PeScalar d, PeScalar a, PeScalar b, CallLine = {});
  void max(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void max(PeScalar d, PeValue a, PeScalar b, CallLine line = {}) { max(d, b, a, line); }
  void min(PeScalar d, PeScalar a, PeScalar b, CallLine = {});
  void min(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void min(PeScalar d, PeValue a, PeScalar b, CallLine line = {}) { min(d, b, a, line); }
  /// The bits of a number, shifted: the value is loaded into a register first.
  void shl(PeScalar d, PeValue a, PeScalar bits, CallLine = {});
  void shr(PeScalar d, PeValue a, PeScalar bits, CallLine = {});
  void sar(PeScalar d, PeValue a, PeScalar bits, CallLine = {});
  void negate(PeScalar d, PeScalar a, CallLine = {});
  void absolute(PeScalar d, PeScalar a, CallLine = {});
  /// d = the number in a, in d's type. From floating point to integers toward 0: the nearest 32-bit
  /// integer beyond their range, and 0 of a NaN. A 16-bit integer is the low half of a 32-bit one.
  void convert(PeScalar d, PeScalar a, CallLine = {});

  // Routines: a PE has no instruction for these. The first use of one adds it to the program, and
  // takes three registers for all of them. docs/isa.md has their cycles.
  /// Floating point: correctly rounded, of all operands. Integers: toward 0. An integer by 0 gives
  /// all ones, and the remainder is a, as RISC-V has it.
  void divide(PeScalar d, PeScalar a, PeScalar b, CallLine = {});
  void divide(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void divide(PeScalar d, PeValue a, PeScalar b, CallLine = {});
  /// Of integers; its sign is a's.
  void remainder(PeScalar d, PeScalar a, PeScalar b, CallLine = {});
  void remainder(PeScalar d, PeScalar a, PeValue b, CallLine = {});
  void remainder(PeScalar d, PeValue a, PeScalar b, CallLine = {});
  void reciprocal(PeScalar d, PeScalar a, CallLine = {});  ///< 1 / a, correctly rounded
  /// Correctly rounded; of a negative number a NaN.
  void square_root(PeScalar d, PeScalar a, CallLine = {});

  /// d = cycles since tsc(start), modulo 2^32.
  void elapsed(PeScalar d, PeScalar start, CallLine = {});
  /// d = the element; the element = s. Of a vector of one element. An int16 gets its sign: two
  /// instructions more.
  void load(PeScalar d, const PeVector& element, CallLine = {});
  void store(const PeVector& element, PeScalar s, CallLine = {});

  // Vectors: element by element. Operands in memory have one size and the instruction's type.
  // A stream takes the place of one source and of the destination.
  /// Also between FP16, FP32 and int16; to integers toward 0, the nearest one beyond their range.
  PeOperation copy(const PeVector& d, const PeVector& a, CallLine = {});
  PeOperation fill(const PeVector& d, PeScalar value, CallLine = {});
  PeOperation fill(const PeVector& d, PeValue value, CallLine = {});
  PeOperation add(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation add(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation add(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation add(const PeVector& d, PeValue a, const PeVector& b, CallLine line = {}) {
    return add(d, b, a, line);
  }
  PeOperation sub(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation sub(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation sub(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation sub(const PeVector& d, PeScalar a, const PeVector& b, CallLine = {});
  PeOperation sub(const PeVector& d, PeValue a, const PeVector& b, CallLine = {});
  PeOperation mul(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation mul(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation mul(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation mul(const PeVector& d, PeValue a, const PeVector& b, CallLine line = {}) {
    return mul(d, b, a, line);
  }
  /// d = d + a b, rounded once.
  PeOperation multiply_add(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation multiply_add(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation multiply_add(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  /// d = a + b s. One instruction where d is a; else a copy of a into d, and that. Over memory.
  PeOperation multiply_add(const PeVector& d, const PeVector& a, const PeVector& b, PeScalar s,
                           CallLine = {});
  PeOperation multiply_add(const PeVector& d, const PeVector& a, const PeVector& b, PeValue s,
                           CallLine = {});
  PeOperation max(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation max(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation max(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation max(const PeVector& d, PeValue a, const PeVector& b, CallLine line = {}) {
    return max(d, b, a, line);
  }
  PeOperation min(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation min(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation min(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation min(const PeVector& d, PeValue a, const PeVector& b, CallLine line = {}) {
    return min(d, b, a, line);
  }
  PeOperation negate(const PeVector& d, const PeVector& a, CallLine = {});
  PeOperation absolute(const PeVector& d, const PeVector& a, CallLine = {});
  // Bits of integers. Shifts take the bits of their count modulo the elements' bits.
  PeOperation band(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation band(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation band(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation bor(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation bor(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation bor(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation bxor(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation bxor(const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation bxor(const PeVector& d, const PeVector& a, PeValue b, CallLine = {});
  PeOperation shl(const PeVector& d, const PeVector& a, PeScalar bits, CallLine = {});
  PeOperation shl(const PeVector& d, const PeVector& a, PeValue bits, CallLine = {});
  /// Zeros from the left.
  PeOperation shr(const PeVector& d, const PeVector& a, PeScalar bits, CallLine = {});
  PeOperation shr(const PeVector& d, const PeVector& a, PeValue bits, CallLine = {});
  /// Sign from the left.
  PeOperation sar(const PeVector& d, const PeVector& a, PeScalar bits, CallLine = {});
  PeOperation sar(const PeVector& d, const PeVector& a, PeValue bits, CallLine = {});
  // Of all elements, one after the other, into one element in memory, whose descriptor has stride
  // 0. It is set first: one instruction more.
  /// Sum of a[i] b[i].
  PeOperation dot(const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation sum(const PeVector& d, const PeVector& a, CallLine = {});
  PeOperation max_of(const PeVector& d, const PeVector& a, CallLine = {});
  /// Any vector instruction, over vectors.
  PeOperation vector(Op op, const PeVector& d, const PeVector& a, const PeVector& b, CallLine = {});
  PeOperation vector(Op op, const PeVector& d, const PeVector& a, PeScalar b, CallLine = {});
  PeOperation vector(Op op, const PeVector& d, const PeVector& a, CallLine = {});
  /// Any instruction, by numbers: as the method of its name.
  void instruction(const Instruction& i, CallLine = {}) { put(i.op, i.d, i.a, i.b, i.imm); }

  // Streams
  /// Wavelets that come by the color, as a source; `count` where no other operand has a count.
  PeVector from(Color color, int count = 0);
  /// Wavelets to the color, as a destination; with `control`, control wavelets.
  PeVector to(Color color, bool control = false);
  PeOperation send(Color color, const PeVector& a, CallLine line = {}) {
    return copy(to(color), a, line);
  }
  PeOperation receive(const PeVector& d, Color color, CallLine line = {}) {
    return copy(d, from(color), line);
  }
  /// The queue that the color takes in this program; otherwise chosen when the program is complete.
  /// Queue n from the router and queue n to it share microthread n, which does one operation at a
  /// time (else a fault, microthread_in_use). So colors whose operations may run at the same time
  /// get queues with different numbers; if there are too few, that is an error of the program.
  void input_queue(Color color, int queue);
  void output_queue(Color color, int queue);

  // Control flow. A body is a function that writes it, or what stands between open and close.
  void repeat(int times, const std::function<void()>& body, CallLine = {});  ///< nothing for 0
  /// Not at all if 0.
  void repeat(PeScalar times, const std::function<void()>& body, CallLine = {});
  /// i = first, first + step, ... below `end`; step > 0, first < end.
  void range(PeScalar i, int first, int end, int step, const std::function<void()>& body,
             CallLine = {});
  void repeat_while(const PeCondition& condition, const std::function<void()>& body, CallLine = {});
  void when(const PeCondition& condition, const std::function<void()>& then,
            const std::function<void()>& otherwise = {}, CallLine = {});

  /// Goes on behind the innermost loop, also from a condition in it. Costs a jump. Not between an
  /// operation and the wait for it.
  void leave(CallLine = {});

  PeBlock open_repeat(int times, CallLine = {});  ///< times > 0
  PeBlock open_repeat(PeScalar times, CallLine = {});
  PeBlock open_range(PeScalar i, int first, int end, int step = 1, CallLine = {});
  PeBlock open_repeat_while(const PeCondition& condition, CallLine = {});
  PeBlock open_when(const PeCondition& condition, CallLine = {});
  PeBlock open_scope();
  void close(PeBlock& block);
  /// Right after the end of a `when`: what is written if its condition does not hold.
  PeBlock open_otherwise(PeBlock& when, CallLine = {});

  /// Code goes on below when all these have ended. They become asynchronous. The task ends here,
  /// and the code below is a task of its own, so other tasks may run in between; registers stay.
  /// Costs the start of a task, and one more for each operation past the second. There may be any
  /// number of waits: where tasks become scarce, waits share them, those in the innermost loops
  /// last. That takes a register, and a call and a return at each of these waits. An operation is
  /// waited for once, in the same task, loop or condition in which it is issued.
  void wait(std::initializer_list<PeOperation> operations, CallLine line = {}) {
    wait(std::vector<PeOperation>(operations), line);
  }
  void wait(const std::vector<PeOperation>& operations, CallLine = {});

  // To find mistakes in a run, and where its cycles go
  /// Names the code that is written while the value lives ("auto halo = pe.phase("halo");"), with
  /// the tasks that are written in it; a phase within it has its own code. A profile then counts by
  /// phase, and RunReport::phases has their cycles. Phases end from the inside out: build throws
  /// Error(program) if not. Costs no instruction.
  PePhase phase(const std::string& name);
  PeBlock open_phase(const std::string& name);  ///< the same, until close
  /// Where the condition does not hold, the run ends with a fault, check_failed, that has this text
  /// and the line. Costs a branch that is not taken, and three instructions of memory.
  void check(const PeCondition& condition, const std::string& text, CallLine = {});
  /// Notes the value with the cycle, for Fabric::prints. Costs ten scalar instructions, two
  /// registers of the program, and once the memory that keep_prints names.
  void print(const std::string& name, PeScalar value, CallLine = {});
  /// So many of the last values of the PE are kept, in 16 bytes each; a power of two, at most 1024.
  /// 32, if nothing is said before the first print.
  void keep_prints(int values);
  /// In the place of the lines that call the methods, for programs that something else writes:
  /// `line` is asked, once for each instruction, for the line that issues it ("heat.py:31").
  void name_lines(std::function<std::string()> line);

  /// The task ends here, and the code below is a task of its own, active at once: so those run in
  /// between that the core prefers to it, as far as they are runnable. It takes a local task with a
  /// high number, and keeps the priority of the task around it. So between two tasks of that
  /// priority data tasks come first, then local tasks by number; control tasks do not come before
  /// it. Costs two instructions, and the start of a task.
  void pause(CallLine = {});

  // Subroutines
  /// Code that call() goes to and comes back from, written here, and once. It may call those that
  /// are written before it, but not itself. It has the registers and memory of the program. Each
  /// level of calls takes a register. One with a wait or a pause takes a register of its own, and
  /// is called by one task only. Costs a call and a return for each call (branch_taken_cycles
  /// each).
  PeSubroutine subroutine(const std::string& name, const std::function<void()>& body);
  void call(PeSubroutine subroutine, CallLine = {});

  // Tasks, beside the main one. An idle core takes a task of high priority before all of low
  // priority; among those, data tasks by color, then local tasks by number, then control tasks by
  // entry, lowest first. No task interrupts another. Code below a wait keeps its task's priority.
  /// The color's control wavelets start tasks from launch on.
  void start_unblocked(Color color);
  /// A local task, to be activated. A low number comes before a high one.
  Task task(const std::string& name, const std::function<void()>& body, std::optional<int> id = {},
            TaskPriority priority = TaskPriority::low);
  /// The same; `body` is given the task, so that it can activate itself.
  Task task(const std::string& name, const std::function<void(Task self)>& body,
            std::optional<int> id = {}, TaskPriority priority = TaskPriority::low);
  /// A local task whose code comes later, by task(declared, body), so that tasks which are written
  /// before it can name it.
  Task declare_task(const std::string& name, std::optional<int> id = {},
                    TaskPriority priority = TaskPriority::low);
  void task(Task declared, const std::function<void()>& body);
  /// The task that data wavelets of the color start; `body` is given the payload. An int16 gets its
  /// sign: two instructions. A receive of the same color would share the wavelets with the task, so
  /// it is refused, unless it stands in the task and the core waits for it, or the program blocks
  /// the task somewhere.
  template <class T>
  Task on_data(Color color, const std::function<void(PeScalar payload)>& body,
               TaskPriority priority = TaskPriority::low) {
    return on_data(color, element_of<T>, body, priority);
  }
  Task on_data(Color color, ElementType type, const std::function<void(PeScalar payload)>& body,
               TaskPriority priority = TaskPriority::low);
  /// The task that control wavelets with this entry start, where their color is unblocked.
  Task on_control(int entry, const std::function<void(PeScalar payload)>& body,
                  TaskPriority priority = TaskPriority::low);

  /// Checks and finishes.
  Program build() const;

 private:
  friend class PeOperation;
  friend class PePhase;
  friend struct PeProgramAccess;
  struct Impl;

  void put(Op op, int d, int a, int b, std::int32_t imm) override;
  PeOperation put_vector(Op op, const PeVector& d, const PeVector* a, const PeVector* b,
                         const PeScalar* scalar);
  void put_scalar(Op op, PeScalar d, PeScalar a, PeScalar b);
  void check_owner(const PeVector& v) const;
  PeBlock open_count_down(PeScalar left);
  bool may_have_ended(const std::vector<PeOperation>& operations) const;
  Task new_local_task(const std::string& owner, std::optional<int> id = {});
  void write_task(Task task, TaskPriority priority, const std::function<void()>& body);

  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::inline v0
