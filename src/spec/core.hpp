#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "spec/counts.hpp"
#include "spec/router.hpp"
#include "weft/event.hpp"
#include "weft/fault.hpp"
#include "weft/instruction.hpp"
#include "weft/program.hpp"

namespace weft::spec {

constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// A data structure register: memory, a queue from or to the fabric, or a FIFO.
struct Descriptor {
  enum class Kind { memory, input, output, fifo } kind = Kind::memory;
  std::uint32_t base = 0, length = 0, stride = 0;
  std::optional<Shape> shape;  ///< of memory; none: one dimension, with the stride above
  int queue = 0, color = 0;
  bool control = false;
  int fifo = 0;
};

/// An operand of a vector instruction. All but scalars come from a descriptor, as it is when the
/// instruction is issued.
struct Operand {
  enum class Kind { memory, input, output, fifo, scalar, absent } kind = Kind::absent;
  std::uint32_t base = 0, stride = 0, width = 4;  ///< memory: bytes, elements, bytes an element
  std::optional<Shape> shape;                     ///< memory: counts instead of the stride
  std::uint32_t value = 0;                        ///< scalar
  int queue = 0, color = 0;
  bool control = false;
  int fifo = 0;

  bool is_descriptor() const { return kind != Kind::scalar && kind != Kind::absent; }
  bool is_fabric() const { return kind == Kind::input || kind == Kind::output; }
  /// Memory: where element k stands.
  std::uint32_t address(std::uint32_t k) const;
  /// Memory: elements from one to the next, as the rate sees it.
  std::uint32_t inner_stride() const;
};

/// A vector instruction: its destination, its two sources and its number of elements.
struct VectorWork {
  Op op{};
  VectorOptions options;
  std::array<Operand, 3> operand;
  std::uint32_t done = 0, left = 0;
  std::uint32_t pc = 0;

  bool has(Operand::Kind kind) const;
};

/// The fill of a FIFO of the program; its elements are in the PE's memory.
struct FifoFill {
  std::uint32_t head = 0, held = 0;  ///< place of the oldest element; elements
  bool found_empty = false, found_full = false;
};

struct Microthread {
  VectorWork work;
  std::uint64_t first = 0;  ///< cycle of the first element, if it has data and room then
  int phase = -1;           ///< of the program, in which it was issued
};

/// A PE that stopped: what for. `color` and `detail` are those of Fault.
struct Stopped {
  FaultKind kind{};
  int color = -1;
  std::int64_t detail = 0;
  std::int64_t instruction = -1;  ///< in whose execution; -1: in none
};

/// What a core has done in a cycle, for counts and events.
struct Deeds {
  bool in_task = false;   ///< a task holds it
  bool computes = false;  ///< it has begun a task or an instruction whose time runs
  bool took_task = false;
  std::optional<Count> instruction;             ///< that it has issued, by class
  std::uint64_t elements = 0;                   ///< of microthreads
  bool lacks_data = false, lacks_room = false;  ///< some microthread that has begun
  std::set<int> stream_phases{};                ///< of the microthreads that there were
  std::vector<Event> events{};                  ///< if somebody asks for them
};

/// One PE's core. Each step method is one sub-step of the cycle's step 3.
class Core {
 public:
  Core(const Machine& machine, int x, int y);

  void load(std::shared_ptr<const Program> program, std::uint32_t first_instruction);

  void begin_cycle(std::uint64_t cycle);
  void step_microthreads(std::uint64_t cycle, bool is_counted);
  void pick_task(std::uint64_t cycle);
  void issue(std::uint64_t cycle, Router& router);

  /// The router has torn a color down.
  void tell_torn_down(int color);
  bool input_has_room(int queue) const;
  bool output_has_room(int queue) const;
  /// Something of this core is due after `cycle`, whatever the routers do.
  bool is_due(std::uint64_t cycle) const;
  bool holds_work() const;
  /// By the host.
  void activate(int task) { looks_again = active[static_cast<std::size_t>(task)] = true; }

  const Machine& machine;
  int x, y;
  std::shared_ptr<const Program> program;  ///< none: the PE never runs
  std::uint32_t first_instruction = 0;     ///< its number among all programs of the fabric
  std::vector<std::uint32_t> memory;
  std::array<std::uint32_t, kRegisters> reg{};
  std::array<Descriptor, kDescriptors> dsr{};
  bool running = false, waiting = false;
  std::uint32_t pc = 0;    ///< position in the program
  std::uint64_t wake = 0;  ///< cycle of the next instruction
  std::array<bool, kLocalTasks> active{}, blocked{};
  std::array<bool, kColors> color_blocked{};
  std::uint32_t pending = 0;  ///< bit per color: torn down since last asked
  std::array<std::optional<Microthread>, kInputQueues> microthread;
  std::array<Queue, kInputQueues> input;
  std::array<Queue, kOutputQueues> output;
  std::array<std::uint32_t, kInputQueues> colors_seen{};  ///< bit per color that an input queue had
  std::vector<FifoFill> fifo;                             ///< of each of the program's
  std::optional<Stopped> stopped;
  std::int64_t executing = -1;  ///< the instruction, for Stopped
  bool mixed = false;           ///< an input queue got a second color, which is the router's fault
  bool did_something = false;   ///< in this cycle
  bool looks_again = false;     ///< for a task: one ended in this cycle, a wavelet started none, or
                                ///< the host has activated one since
  Deeds did;                    ///< in this cycle
  bool emits = false;           ///< events
  bool emits_elements = false;  ///< also kElementEvent
  std::uint32_t task_pc = 0;    ///< the instruction that a task's present cycle belongs to
  int phase = -1;               ///< of the program, that the PE is in; or none

 private:
  struct Candidate;

  void note_phase();
  void emit(EventKind kind, std::uint64_t cycle, int number, std::uint32_t value);
  void emit_element(std::uint64_t cycle, int number, std::uint32_t queues);
  std::optional<Candidate> choose(std::uint64_t cycle) const;
  void stop(FaultKind kind, int color, std::int64_t detail);
  bool access(std::uint32_t address, std::uint32_t width);
  std::uint32_t read(std::uint32_t address, std::uint32_t width) const;
  void write(std::uint32_t address, std::uint32_t width, std::uint32_t value);

  bool ready(const Microthread& m, std::uint64_t cycle) const;
  bool is_starting(std::uint64_t cycle) const;
  void note_lack_of(const Microthread& m, std::uint64_t cycle);
  bool meets_control(const VectorWork& work) const;
  bool acts(const Microthread& m, std::uint64_t cycle) const;
  void step_microthread(std::size_t number, std::uint64_t cycle);
  void do_element(VectorWork& work, std::uint64_t cycle);
  std::uint32_t take(const Operand& from, std::uint32_t k);
  void put(const Operand& to, std::uint32_t k, std::uint32_t value, std::uint64_t cycle);
  void finish(std::size_t number, std::uint64_t cycle);

  bool lacks(const Operand& fifo, bool is_destination) const;
  bool fifos_lack(const VectorWork& work) const;
  bool knows_lack(const VectorWork& work) const;
  void note_lack(const VectorWork& work);
  std::uint32_t pop(int number);
  void push(int number, std::uint32_t value);
  bool fifos_fit(const VectorWork& work) const;

  void execute(const Instruction& i, std::uint64_t cycle, Router& router);
  void set_descriptor(const Instruction& i);
  void run_vector(const Instruction& i, std::uint64_t cycle);
  void run_in_memory(VectorWork work, std::uint64_t cycle);
  void run_with_fifos(VectorWork work, std::uint64_t cycle);
  int vector_cycles(const VectorWork& work) const;
  void start_microthread(VectorWork work, std::uint64_t cycle);
  bool claimed(Operand::Kind kind, int queue) const;
  void write_router(const Instruction& i, Router& router);
  void set_blocked(TaskKind kind, int id, bool value);
  void continue_at(std::uint32_t next, std::uint64_t cycle, int cycles);

  VectorWork operands_of(const Instruction& i) const;
  static Operand operand(const Descriptor& d, std::uint32_t width);
};

}  // namespace weft::spec
