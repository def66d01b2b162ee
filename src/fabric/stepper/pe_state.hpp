#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/layout.hpp"
#include "weft/program.hpp"

/// The machine's state of one PE between two cycles, as plain data, whichever engine stepped it:
/// all but its memory, which Stepper::read has. Code that compares fabrics, or looks at one that
/// stands still, reads this.
namespace weft::fabric {

/// A bit per Port.
using Ports = std::bitset<kPorts>;

struct HeldWavelet {
  std::uint32_t payload = 0;
  bool control = false;
  bool seen = true;  ///< on an input queue of the ramp: it has come to the core's end

  bool operator==(const HeldWavelet&) const = default;
};

/// A filter: its settings as a layout has them, with the registers' present values, and what it
/// has decided since launch.
struct FilterFacts {
  Filter settings;
  bool tallied = false;
  std::uint32_t let_in = 0, control = 0, refused = 0;  ///< data, control, both
};

/// The ports that a switch position opens.
struct Opening {
  Ports rx, tx;
};

/// One color in one router.
struct Channel {
  int color = 0;
  int input_queue = -1;  ///< where its ramp output leads; -1: nowhere
  int position = 0;      ///< of the switch; in the cycle of a fault maybe past the last one
  int initial = 0;       ///< where a reset goes
  bool ring = false;     ///< from the last position an advance goes to the first
  PopMode pop = PopMode::no_pop;
  Ports rx, tx;            ///< open now
  Ports ever_rx, ever_tx;  ///< open at some position
  std::vector<Opening> positions;
  Ports swaps;  ///< what comes in there changes to the color that differs in bit 0
  bool torn_down = false;
  std::array<std::vector<HeldWavelet>, kPorts> queue;
  std::optional<FilterFacts> filter;

  /// The inputs from which some position leads to an output.
  Ports inputs_to(Port out) const;
};

/// The thing that a descriptor register, or an operand of a vector instruction, names.
struct OperandFacts {
  enum class Kind : std::uint8_t { memory, input, output, fifo, scalar };
  Kind kind = Kind::scalar;
  int number = -1;       ///< of the queue or FIFO
  int color = -1;        ///< output: of what is sent
  bool control = false;  ///< output: control wavelets are sent

  bool operator==(const OperandFacts&) const = default;
};

/// A descriptor register.
struct DescriptorFacts {
  OperandFacts names{OperandFacts::Kind::memory};
  std::uint32_t base = 0, length = 0, stride = 0;  ///< bytes, elements, elements
  std::optional<Shape> shape;                      ///< memory of several dimensions
};

/// A vector instruction under way.
struct MicrothreadFacts {
  int number = 0;
  std::uint32_t left = 0;                ///< elements
  std::array<OperandFacts, 3> operands;  ///< destination, sources
  VectorOptions options;
  std::uint32_t pc = 0;  ///< its instruction, by number in the program
};

/// A queue on the ramp. One that is empty has neither color nor blocked.
struct RampFacts {
  int color = 0;         ///< of what it holds
  bool blocked = false;  ///< input: the color is
  bool claimed = false;  ///< by a live microthread
  std::vector<HeldWavelet> wavelets;
};

struct FifoFacts {
  std::uint32_t capacity = 0, held = 0;
  std::uint32_t head = 0;                        ///< place of the oldest element, if there is one
  bool found_empty = false, found_full = false;  ///< by an instruction, and not changed since
};

/// A program's instructions, and where its tasks begin: by number in the program, -1 for none.
struct ProgramCode {
  std::span<const Instruction> instructions{};  ///< they belong to the fabric
  std::int32_t first = 0;                       ///< of them, as targets of jumps are numbered
  std::array<std::int32_t, kColors> data{};
  std::array<std::int32_t, kLocalTasks> local{};
  std::array<std::int32_t, kControlTasks> control{};
  std::uint32_t fifo_tasks = 0;  ///< local tasks that pushes and pops activate, a bit each
};

/// A program: its code, and colors of it, a bit each.
struct ProgramFacts {
  std::shared_ptr<const ProgramCode> code{};
  std::uint32_t sends = 0;  ///< some descriptor names it for output
  std::uint32_t data_tasks = 0;
  bool control_tasks = false;
};

struct PeState {
  int x = 0, y = 0;
  std::vector<Channel> channels;  ///< by color
  std::array<RampFacts, kInputQueues> input;
  std::array<RampFacts, kOutputQueues> output;
  bool programmed = false;  ///< else nothing of what follows
  ProgramFacts program;
  bool running = false;    ///< in a task
  bool waiting = false;    ///< for a microthread of that task to end
  std::uint32_t pc = 0;    ///< running: the next instruction, by its number in the program
  std::uint64_t wake = 0;  ///< running, and not waiting: the cycle of that instruction
  std::uint32_t active_tasks = 0, blocked_tasks = 0;  ///< local ones, a bit each
  std::uint32_t blocked_colors = 0;                   ///< a bit each
  std::uint32_t torn_down = 0;  ///< colors that were, and not asked for since, a bit each
  std::array<std::uint32_t, kRegisters> registers{};
  std::array<DescriptorFacts, kDescriptors> descriptors;
  std::vector<MicrothreadFacts> microthreads;
  std::vector<FifoFacts> fifos;  ///< of the program

  const Channel* channel(int color) const;
  /// A wavelet of the channel's color could start a task.
  bool may_start_task(const Channel& channel) const;
};

ProgramFacts program_facts(const ProgramCode& code);

}  // namespace weft::fabric
