#pragma once

#include <cstddef>

#include "model/state/programs.hpp"
#include "model/state/timing.hpp"
#include "pe/planes.hpp"
#include "weft/fault.hpp"

/// The state of one PE's core, and of its ramp, near (what each cycle reads) and far.
namespace weft::pe {

inline constexpr int kRampQueues = kInputQueues;  ///< each way; fewer lead to the router

/// What a descriptor, or an operand of a vector instruction, names.
enum class Kind : std::uint8_t {
  absent,
  scalar,
  memory,
  shaped,  ///< memory of several dimensions
  fifo,
  input,
  data_output,
  control_output,
};

struct Name {
  std::uint32_t word;

  WEFT_HD static Name of(Kind kind, std::uint32_t number = 0, std::uint32_t color = 0) {
    return {static_cast<std::uint32_t>(kind) | color << 3U | number << 8U};
  }
  WEFT_HD Kind kind() const { return static_cast<Kind>(word & 7U); }
  WEFT_HD int color() const { return static_cast<int>(word >> 3U & 31U); }
  WEFT_HD int number() const { return static_cast<int>(word >> 8U); }  ///< queue, shape or FIFO
  WEFT_HD bool in_memory() const { return kind() == Kind::memory || kind() == Kind::shaped; }
  WEFT_HD bool is_fabric() const { return kind() >= Kind::input; }
  WEFT_HD bool is_output() const { return kind() >= Kind::data_output; }
};

struct Descriptor {
  Name name;
  std::uint32_t base, length, stride;  ///< bytes, elements, elements
};

/// How far a vector instruction is. Operands: 0 the destination, 1 and 2 the sources. Aligned, so
/// that a GPU loads it at once.
struct alignas(16) Progress {
  std::uint32_t at[3];  ///< byte address of the next element, of a shape the base; or a scalar
  std::uint32_t left;   ///< elements
};

/// A vector instruction under way.
struct Work : Progress {
  Name name[3];
  std::uint32_t step[3];  ///< bytes to the next element; of a shape the elements done
  std::uint32_t pc;
  std::uint32_t first;  ///< cycle of the first element
};

struct FifoFill {
  std::uint32_t head, held;  ///< number of the oldest element; elements
  bool found_empty, found_full;
};

/// What a PE did in the cycle that was stepped last.
enum class Did : std::uint8_t {
  moved = 1,    ///< a wavelet left a queue, or the core did something
  will = 2,     ///< a wavelet will move, if nothing else happens: it is late, or its link rests
  again = 4,    ///< the core looks for a task again: one ended, or a wavelet started none
  stretch = 8,  ///< the core's next instruction is due, for run_stretch
  fault = 16,   ///< FarCore says which one
  timed = 32,   ///< it had work that came by itself: all but wavelets at open inputs
  polled = 64,  ///< it had wavelets at open inputs, perhaps stuck
  holds = 128,  ///< it has wavelets in its router
};
WEFT_HD constexpr std::uint32_t bits(Did what) { return static_cast<std::uint32_t>(what); }

/// The ramp's queues in one direction.
struct RampSizes {
  std::uint8_t depth[kRampQueues];
  std::uint8_t first[kRampQueues], mask[kRampQueues];  ///< slots: the first; their number - 1
  std::uint32_t slots;                                 ///< of all of them
};

/// What is on its way along a ramp: a byte for each cycle mod 8, the queues in which one more will
/// be seen. The clock never jumps over a cycle in which something arrives.
struct alignas(4) Way {
  std::uint8_t queues[model::kDelaySlots];

  WEFT_HD std::uint8_t& at(std::uint64_t cycle) {
    return queues[static_cast<std::uint32_t>(cycle) % model::kDelaySlots];
  }
  /// Wavelets of one queue.
  WEFT_HD unsigned of(int queue) const {
    const std::uint32_t bits = 0x01010101U << queue;
    return static_cast<unsigned>(count(half(0) & bits) + count(half(1) & bits));
  }
  /// Those of the first four cycles, and of the others.
  WEFT_HD std::uint32_t half(int n) const { return word_at(n == 0 ? queues : queues + 4); }
  WEFT_HD bool any() const { return (half(0) | half(1)) != 0; }
};

/// Cycles from this one on until something arrives on one of two ways; kDelaySlots: nothing does.
WEFT_HD unsigned cycles_to_arrival(const Way& a, const Way& b, std::uint32_t cycle) {
  const std::uint32_t low = a.half(0) | b.half(0), high = a.half(1) | b.half(1);
  if ((low | high) == 0) return model::kDelaySlots;
  const bool second = cycle / 4 % 2 != 0;
  const std::uint32_t near = second ? high : low, far = second ? low : high;
  const auto turned = [cycle](std::uint32_t from, std::uint32_t on) {
    return static_cast<std::uint32_t>((from | std::uint64_t{on} << 32U) >> cycle % 4 * 8U);
  };
  const std::uint32_t soon = turned(near, far);
  return static_cast<unsigned>(soon != 0 ? lowest(soon) : 32 + lowest(turned(far, near))) / 8U;
}

/// The ramp in one direction: how many wavelets came into each queue, and left it.
struct Ramp {
  QueueNumbers came, left;
  Way in_flight;
  std::uint8_t ready, full;  ///< a bit for each queue: its first wavelet is seen; it has no room

  WEFT_HD unsigned held(int queue) const { return came.since(left, queue); }
  WEFT_HD unsigned seen(int queue) const { return held(queue) - in_flight.of(queue); }
  WEFT_HD bool any() const { return came.word != left.word; }
};

/// Of queues on the ramp: the color of the last that came; a bit for each slot with a control
/// wavelet.
struct RampMarks {
  std::uint8_t color[kRampQueues], control[kRampQueues];
};

/// A core runs so many cycles ahead at most, where it is not known what it will do: a loop without
/// an end would not come back otherwise.
inline constexpr std::uint32_t kMostAhead = 4096;

/// Read in each cycle, with the ramp. Cycles are modulo 2^32, as none is 2^31 away: an instruction
/// takes some 65,600 at most, and a core is 2^29 behind at most (Code::alone).
struct Core {
  std::uint32_t due;              ///< cycle of the next instruction; counts if running, not waiting
  std::uint32_t first;            ///< no microthread in `starting` has an earlier one
  std::uint32_t pc;               ///< of the next instruction, numbered over all programs
  bool placed;                    ///< has a program, and had no fault
  bool running, waiting;          ///< in a task; for a microthread of it to end
  bool offered;                   ///< a local task is active and not blocked
  std::uint8_t live, starting;    ///< microthreads, a bit each; their first element comes later
  std::uint8_t takes, puts;       ///< live, and needs nothing but the queue of its number
  std::uint8_t moves;             ///< of these, those of which each element is that of move_word
  std::uint8_t claimed, blocked;  ///< input queues: by a microthread; their color is
  std::uint8_t did;               ///< bits of Did
  Ramp ramp[2];                   ///< by direction, to the core first
  RampMarks marks[2];
  std::uint32_t none;  ///< an odd number of words: PEs side by side have banks of their own

  /// In a task that waits for nothing but its next cycle.
  WEFT_HD bool goes_on() const {
#if defined(__CUDACC__)
    static_assert(offsetof(Core, placed) % 4 == 0);
    static_assert(offsetof(Core, running) == offsetof(Core, placed) + 1);
    static_assert(offsetof(Core, waiting) == offsetof(Core, placed) + 2);
    const auto* bools = reinterpret_cast<const std::uint8_t*>(&placed);  // one load of all four
    return (word_at(bools) & 0xffff00U) == 0x100U;
#else
    return running && !waiting;
#endif
  }
  WEFT_HD bool has(Did what) const { return (did & bits(what)) != 0; }
  WEFT_HD void note(Did what) { did = static_cast<std::uint8_t>(did | bits(what)); }
};

/// As Fault's fields.
struct FaultNote {
  FaultKind kind;
  int color;
  std::int64_t detail;
};

inline constexpr int kOwnWork = model::kMicrothreads;  ///< of an instruction that the core does

inline constexpr std::uint16_t kNoProgram = 0xffff;

struct FarCore {
  Descriptor dsr[kDescriptors];
  Work work[model::kMicrothreads + 1];
  FifoFill fifo[kFifos];
  std::uint32_t active, blocked;  ///< local tasks
  Colors blocked_colors;          ///< real ones, as all colors of a core
  Colors pending;                 ///< torn down, and not asked for since
  std::uint8_t claimed_outputs;
  std::uint16_t x, y, program;
  FaultNote fault;
};

/// The cycle has come, or has passed.
WEFT_HD bool reached(std::uint32_t cycle, std::uint64_t now) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(now) - cycle) >= 0;
}
/// In full, of a cycle that is near to the present one.
WEFT_HD std::uint64_t in_full(std::uint32_t cycle, std::uint64_t now) {
  const auto ahead = static_cast<std::int32_t>(cycle - static_cast<std::uint32_t>(now));
  return now + static_cast<std::uint64_t>(static_cast<std::int64_t>(ahead));
}

template <class Bits>
WEFT_HD void set_bit(Bits& bits, int n, bool yes) {
  const std::uint32_t bit = 1U << n;
  bits = static_cast<Bits>(yes ? bits | bit : bits & ~bit);
}

}  // namespace weft::pe
