#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "model/lanes.hpp"
#include "weft/fault.hpp"
#include "weft/instruction.hpp"
#include "weft/types.hpp"

/// The whole state of a fabric, as plain data. Everything is by strip: one bit (Mask) or one word
/// (Vector) per PE. The step sees it through `View` only.
namespace weft::model {

inline constexpr int kMaxRouterDepth = 4;
inline constexpr int kMaxRampDepth = 6;
inline constexpr int kMaxPositions = 4;
inline constexpr int kMicrothreads = 8;
inline constexpr int kDelaySlots = 8;  ///< one more than the longest ramp
inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Machine constants in the form the step wants them.
struct Timing {
  std::uint32_t hop, ramp, scalar, scalar_f32, branch_taken, vector_start, task_start,
      microthread_start, router_write;
  std::uint32_t rate[kCosts];  ///< of vector classes, elements a cycle
  std::uint32_t two_source_divisor, stride_4_rate;
  std::uint32_t router_depth, memory_bytes;
  std::uint32_t input_depth[kInputQueues], output_depth[kOutputQueues];
};

/// Wavelets of one color that wait at one input of a strip's routers; entry 0 is the head.
struct PortQueue {
  Mask valid[kMaxRouterDepth];
  std::uint64_t fresh_cycle;
  Mask fresh;  ///< lanes to which a link brought one in cycle fresh_cycle, where hops take two
  Mask control[kMaxRouterDepth];
  Vector payload[kMaxRouterDepth];
};

/// Filters of one color. Range filters keep their ends in limit1 and max_counter.
struct FilterState {
  Vector counter, limit1, max_counter, limit2;
  Mask count_data, count_control;
  Mask in_window;       ///< lanes with counter <= max_counter
  Mask range;           ///< lanes with a range filter
  Mask filter_control;  ///< lanes that accept only control wavelets at counter = max_counter
  Mask sparse;          ///< lanes whose filter turns off at its limit
  Mask has_limit2;
};

/// What filters of one color have decided since launch, for who explains a deadlock. Not kept where
/// lanes are lines.
struct FilterTally {
  Vector let_in;   ///< data wavelets
  Vector control;  ///< control wavelets let in
  Vector refused;  ///< of both
};

/// Switches of one color: ports open at each position (bit per port), already composed.
struct SwitchState {
  std::uint8_t rx[kMaxPositions][kLanes], tx[kMaxPositions][kLanes];
  std::uint8_t code[kMaxPositions][kLanes];  ///< as named: direction, and 8 for an input
  std::uint8_t position[kLanes], last[kLanes], initial[kLanes], pop[kLanes];
  Mask ring;
};

/// One color in one strip. What a hop needs comes first; what the strips beside it read, and most
/// of what a short way does, is one cache line.
struct alignas(64) ColorState {
  Mask rx[kPorts];             ///< lanes whose present position opens the input
  std::int32_t queue[kPorts];  ///< in View::port_queues; -1: no lane ever opens the port
  std::uint8_t ports;          ///< bit per port that has a queue
  std::uint8_t filled;  ///< bit per port: at the start of the cycle some lane has a wavelet there
  std::uint8_t exits;   ///< bit per link that some position of some lane opens, or once did
  std::uint8_t inputs;  ///< bit per input queue that some lane's ramp output leads to

  Mask tx[kPorts];              ///< lanes whose present position opens the output
  Mask held;                    ///< lanes in which the color is torn down
  std::int32_t beyond[kLinks];  ///< this color in the strip that the link leads to; -1: none

  Mask sent[kLinks];  ///< lanes that put a wavelet on the link in the strip's left_cycle; stale
                      ///< unless StripState::sent has the color
  Mask room[kPorts];  ///< lanes whose queue can take one more, at the start of the cycle

  Mask opens[kPorts];           ///< lanes of which some position opens the input
  Mask filtered;                ///< lanes with a filter
  std::int32_t filter;          ///< in View::filters; -1: none
  Mask to_queue[kInputQueues];  ///< lanes whose ramp output leads to the input queue
  Mask routed;                  ///< lanes that have a route for the color
  Mask shares;                  ///< lanes whose input queue serves another color too
  Mask swap[kPorts];  ///< lanes where what comes in changes to the color that differs in bit 0
};
static_assert(offsetof(ColorState, sent) % 64 == 0);  // a line, with the links' room

/// The way of a strip's only busy color that comes by one side and leaves by the other: what
/// short_ways.hpp has to know of its routers, in one place. Forgotten when one of them changes.
struct ShortWay {
  std::uint32_t color_bit;     ///< as in StripState::busy; 0: none is known
  std::int32_t color;          ///< in View::colors
  std::int32_t queue;          ///< in View::port_queues
  std::int32_t ahead, behind;  ///< the color in the strips that it goes to and comes from; -1: none
  Port link;                   ///< by which it leaves
  bool keeps_room;  ///< the color has this queue only, of two wavelets or more: while they go on,
                    ///< `room` and `filled` stay as they are
  Mask plain;       ///< lanes in which it goes that way and no other
};

/// One strip's routers. What every hop needs comes first.
struct StripState {
  std::uint32_t colors;        ///< colors that some lane routes
  std::uint32_t swaps;         ///< colors that some lane swaps
  std::uint32_t busy;          ///< of these, colors with a wavelet at an open input
  std::uint32_t left;          ///< colors of which something left in cycle left_cycle
  std::uint32_t sent[kLinks];  ///< of these, colors that left by the link
  std::uint64_t left_cycle;
  std::uint32_t outputs_held;  ///< bit per queue of its cores: some lane's queue may hold wavelets
  bool straight;               ///< all that left in cycle left_cycle did by `way`
  bool programmed;  ///< some lane has, or had, a program: else its cores never do anything
  std::uint64_t hops, delivered;

  ShortWay way;
  Mask link_control[kLinks];
  std::uint64_t wavelets, filtered;
  std::int32_t color_state[kColors];  ///< in View::colors and View::switches; -1: none
  Vector link[kLinks];  ///< link registers: what left to the west, east, south and north
  Vector command;       ///< control wavelets that leave, as the router obeys them
};

/// A queue between router and core. An entry is seen at its far end a ramp's time after it came.
struct RampQueue {
  Mask valid[kMaxRampDepth], seen[kMaxRampDepth], control[kMaxRampDepth];
  Mask arriving[kDelaySlots];  ///< by cycle: lanes in which one more entry will be seen
  std::uint8_t color[kLanes];
  Vector payload[kMaxRampDepth];
};

/// Where a vector operand lives: packed kind, queue, color and control flag.
struct Operand {
  enum Kind : std::uint32_t {
    memory = 0,
    fabric_in = 1,
    fabric_out = 2,
    scalar = 3,
    absent = 4,
    fifo = 5,
    shaped = 6,  ///< memory of several dimensions
  };

  WEFT_HD static std::uint32_t pack(Kind kind, std::uint32_t queue = 0, std::uint32_t color = 0,
                                    std::uint32_t control = 0) {
    return kind | queue << 8 | color << 16 | control << 24;
  }
  WEFT_HD static Kind kind(std::uint32_t word) { return static_cast<Kind>(word & 255U); }
  WEFT_HD static std::uint32_t queue(std::uint32_t word) { return word >> 8 & 255U; }
  WEFT_HD static std::uint32_t color(std::uint32_t word) { return word >> 16 & 255U; }
  WEFT_HD static bool control(std::uint32_t word) { return word >> 24 != 0; }
  WEFT_HD static std::uint32_t number(std::uint32_t word) { return word >> 8; }  ///< shape or FIFO
};

/// Dimensions of a memory operand, outermost first.
struct ShapeState {
  std::uint32_t extent[kDimensions];
  std::int32_t stride[kDimensions];
  std::uint32_t elements;
};

/// A FIFO of a program.
struct FifoPlace {
  std::uint32_t address, capacity, bytes;
  std::int32_t push_task, pop_task;  ///< local tasks, or -1
};

/// One FIFO in one strip.
struct FifoState {
  Mask was_empty, was_full;  ///< found so, and not changed since
  Vector head, held;         ///< number of the oldest element; elements
};

/// One lane's vector instruction under way. Operands: 0 destination, 1 and 2 sources. By lane, not
/// by field, because lanes mostly do their elements alone: one cache line each.
struct alignas(64) Work {
  std::uint32_t where[3];  ///< Operand
  std::uint32_t at[3];  ///< byte address of the next element, of shaped ones the base; or a scalar
  std::uint32_t step[3];  ///< bytes from element to element; of shaped ones the elements done
  std::uint32_t pc, left;
};

/// Vector instructions with a fabric operand, under way.
struct Microthread {
  Mask live;
  Mask starting;                 ///< live, but the first element comes later
  std::uint64_t soonest;         ///< the least `first` of these lanes; 0: none
  Mask input_only, output_only;  ///< live, and needs nothing but this number's queue
  Mask fifo;                     ///< live, and has a FIFO operand
  Mask alike;  ///< live, and all have the `work` of the lowest of them (together.hpp)
  std::uint64_t first[kLanes];  ///< cycle of the first element
  Work work[kLanes];
};

/// One strip's cores. What every visit looks at comes first.
struct CoreState {
  Mask placed;                ///< lanes that have a program and have not faulted
  Mask running;               ///< in a task
  Mask ending;                ///< running, and all that is left of the task is its end, at `wake`:
                              ///< whoever looks at the strip after it takes them out
  Mask waiting;               ///< in a task, for a microthread to end
  std::uint64_t next_end;     ///< no lane in `ending` has an earlier `wake`
  std::uint64_t next_issue;   ///< no instruction is executed before this cycle
  std::uint32_t inputs_held;  ///< bit per queue: some lane's queue may hold wavelets
  std::uint32_t live;         ///< bit per microthread: some lane runs it
  std::uint32_t local_any;    ///< bit per id: active in some lane
  std::uint32_t inputs_arriving[kDelaySlots], outputs_arriving[kDelaySlots];  ///< bit per queue
  Mask queue_blocked[kInputQueues];  ///< lanes in which the queue's present color is blocked
  Mask input_claimed[kInputQueues], output_claimed[kOutputQueues];  ///< by a live microthread
  Mask local_active[kLocalTasks], local_blocked[kLocalTasks];
  Mask fabric_dsr[kDescriptors];  ///< lanes whose descriptor names a queue or a FIFO
  Mask shaped_dsr[kDescriptors];  ///< lanes whose descriptor names memory of several dimensions
  std::uint64_t wake[kLanes];     ///< cycle of the next instruction
  std::uint64_t turn[kLanes];     ///< cycle in which it is executed at the latest; while a task
                                  ///< waits for its start, perhaps an earlier one
  Vector pc;
  Vector pending;  ///< colors torn down and not asked for, a bit each
  Vector reg[kRegisters];
  Vector base[kDescriptors], length[kDescriptors], stride[kDescriptors], where[kDescriptors];
  std::uint16_t program[kLanes];
  std::int32_t fifo;  ///< the first of its FIFOs in View::fifos; -1: none
  Mask color_blocked[kColors];
  std::uint8_t queue_color[kInputQueues][kLanes];
  Microthread microthread[kMicrothreads];
  RampQueue in[kInputQueues], out[kOutputQueues];
};

/// A program's tasks (first instructions in View::code, or -1) and FIFOs.
struct TaskTable {
  std::int32_t data[kColors], local[kLocalTasks], control[kControlTasks];
  std::uint32_t high_data, high_local;
  std::uint64_t high_control;
  std::int32_t first, last;    ///< its instructions: first .. last - 1
  std::uint32_t memory_bytes;  ///< that its arrays take; it may use others
  FifoPlace fifo[kFifos];
};

/// Some neighbouring elements of an array.
struct IndexRange {
  std::int32_t first, count;

  WEFT_HD bool has(std::int32_t index) const { return index >= first && index < first + count; }
};

struct Bundle;  // bundle.hpp

/// What the step works on: pointers and sizes only, so that it can be handed to a GPU as it is.
struct View {
  int width, height;  ///< PEs
  int strips, rows;   ///< strips of a row, and their rows
  WEFT_HD std::size_t strip_count() const {
    return static_cast<std::size_t>(strips) * static_cast<std::size_t>(rows);
  }
  Timing timing;
  std::uint64_t horizon;  ///< no instruction is issued at or after this cycle
  bool data;  ///< false: vector instructions compute nothing, and only control wavelets carry a
              ///< payload
  const Instruction* code;
  /// By instruction: until so many cycles after its issue, a core without microthreads does nothing
  /// that anybody could notice, and has no fault. 0: not known.
  const std::uint32_t* quiet;
  const TaskTable* programs;
  const ShapeState* shapes;  ///< of all programs
  StripState* strip;         ///< [row * strips + column], as core and memory
  CoreState* core;
  std::uint32_t* memory;  ///< [strip][word][lane], near_words of each PE
  std::uint32_t*
      far_memory;            ///< [strip][word][lane], memory_words; its first near_words are unused
  std::uint64_t near_words;  ///< memory_words, unless a GPU keeps a part in faster memory
  std::uint64_t memory_words;  ///< per PE
  ColorState* colors;
  /// On a GPU, all strips and colors as those of other tiles may see them; `near` are the tile's
  /// own, which are looked up in `strip` and `colors`, perhaps in faster memory.
  const StripState* far_strip;
  const ColorState* far_colors;
  IndexRange near_strips, near_colors;
  SwitchState* switches;
  FilterState* filters;
  FilterTally* tallies;  ///< [filter]; null: nothing is tallied
  FifoState* fifos;
  PortQueue* port_queues;
  /// The next cycle in which the phase has work, by strip and (the least of them) by row.
  std::uint64_t *route_wake, *deliver_wake, *core_wake;
  std::uint64_t *route_row, *deliver_row, *core_row;
  std::uint64_t* left_row;  ///< by row: the last cycle in which something may have left its strips;
                            ///< kept where there are short ways only (short_ways.hpp)
  Fault* faults;            ///< by strip: the first one
  std::uint64_t* fault_row;  ///< cycle of the row's first fault
  const Bundle* bundle;      ///< the strips are a bundle of lines; null: they are not
};
static_assert(std::is_trivially_copyable_v<View>);
static_assert(std::is_trivially_copyable_v<CoreState> && std::is_trivially_copyable_v<StripState>);

/// A strip's place.
struct Place {
  int index;  ///< row * strips + column
  int row, column;

  WEFT_HD int x(int lane) const { return column * kStripWidth + lane / kStripHeight; }
  WEFT_HD int y(int lane) const { return row * kStripHeight + lane % kStripHeight; }
};

/// A PE's strip, and its lane there. `strips`: of a row.
struct Seat {
  int strip, lane;
};

WEFT_HD Seat seat_of(int strips, int x, int y) {
  return {y / kStripHeight * strips + x / kStripWidth,
          x % kStripWidth * kStripHeight + y % kStripHeight};
}

WEFT_HD void earlier(std::uint64_t& wake, std::uint64_t cycle) {
  if (cycle < wake) wake = cycle;
}

/// A strip beside the one that is stepped, or a color in it.
template <class L>
WEFT_HD const StripState& strip_beside(const View& v, std::int32_t index) {
  if constexpr (L::kFarMemory)
    if (!v.near_strips.has(index)) return v.far_strip[index];
  return v.strip[index];
}
template <class L>
WEFT_HD const ColorState& color_beside(const View& v, std::int32_t index) {
  if constexpr (L::kFarMemory)
    if (!v.near_colors.has(index)) return v.far_colors[index];
  return v.colors[index];
}

/// One of the strip's routers changes: its way must be found anew.
template <class L>
WEFT_HD void forget_way(StripState& strip) {
  if constexpr (L::kShortWays) strip.way.color_bit = 0;
}

/// The row's least wake, where the engine asks for it.
template <class L>
WEFT_HD void earlier_in_row(std::uint64_t& wake, std::uint64_t cycle) {
  if constexpr (L::kRowWakes) earlier(wake, cycle);
}

template <class L>
WEFT_HD void wake_core(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.core_wake[at.index], cycle);
  earlier_in_row<L>(v.core_row[at.row], cycle);
}

template <class L>
WEFT_HD void wake_deliver(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.deliver_wake[at.index], cycle);
  earlier_in_row<L>(v.deliver_row[at.row], cycle);
}

template <class L>
WEFT_HD void wake_route(const View& v, Place at, std::uint64_t cycle) {
  earlier(v.route_wake[at.index], cycle);
  earlier_in_row<L>(v.route_row[at.row], cycle);
}

/// Keeps the first fault of a strip: lowest (cycle, y, x); of one PE and cycle the router's, which
/// comes first in FaultKind.
template <class L>
WEFT_HD_RARE void record(const View& v, Place at, int lane, FaultKind kind, std::uint64_t cycle,
                         int color, std::int64_t detail) {
  Fault& first = v.faults[at.index];
  const int x = at.x(lane), y = at.y(lane);
  if (first.kind != FaultKind::none && first.cycle <= cycle) {
    if (first.cycle < cycle || first.y < y || (first.y == y && first.x < x)) return;
    if (first.y == y && first.x == x && first.kind <= kind) return;
  }
  first.kind = kind;
  first.cycle = cycle;
  first.x = x;
  first.y = y;
  first.color = color;
  first.detail = detail;
  earlier_in_row<L>(v.fault_row[at.row], cycle);
}

}  // namespace weft::model
