#pragma once

#include <cstddef>
#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "model/state/programs.hpp"
#include "model/state/timing.hpp"
#include "weft/op.hpp"

/// The cores of a strip, and the queues between them and their routers. Marks as in
/// router_state.hpp, and
///   [wake]     when to look again: never later than something happens, perhaps earlier
namespace weft::model {

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

  WEFT_INLINE static std::uint32_t pack(Kind kind, std::uint32_t queue = 0, std::uint32_t color = 0,
                                        std::uint32_t control = 0) {
    return kind | queue << 8 | color << 16 | control << 24;
  }
  WEFT_INLINE static Kind kind(std::uint32_t word) { return static_cast<Kind>(word & 255U); }
  WEFT_INLINE static std::uint32_t queue(std::uint32_t word) { return word >> 8 & 255U; }
  WEFT_INLINE static std::uint32_t color(std::uint32_t word) { return word >> 16 & 255U; }
  WEFT_INLINE static bool control(std::uint32_t word) { return word >> 24 != 0; }
  WEFT_INLINE static std::uint32_t without_color(std::uint32_t word) {
    return word & ~(255U << 16);
  }
  WEFT_INLINE static std::uint32_t number(std::uint32_t word) {
    return word >> 8;
  }  ///< shape or FIFO
};

/// One FIFO in one strip.
struct FifoState {
  Mask was_empty, was_full;  ///< found so, and not changed since
  Vector head, held;         ///< number of the oldest element; elements
};

/// Of a vector instruction. The descriptors' extents have 16 bits.
inline constexpr std::uint32_t kMostElements = 0xffff;

/// One lane's vector instruction under way. Operands: 0 destination, 1 and 2 sources.
struct Work {
  std::uint32_t where[3];  ///< Operand
  std::uint32_t at[3];  ///< byte address of the next element, of shaped ones the base; or a scalar
  std::uint32_t step[3];  ///< bytes from element to element; of shaped ones the elements done
  std::uint32_t pc, left;

  bool operator==(const Work&) const = default;
};

/// The work of lanes whose elements differ in nothing but words of memory, scalars and colors.
struct Form {
  Op op;
  std::uint32_t where[3];  ///< Operand, color 0

  bool operator==(const Form&) const = default;
};

/// Vector instructions with a fabric operand, under way. Work is by field, so that lanes of one
/// form do an element in few vector instructions. All that lanes need in a cycle that are at the
/// same words, with the same end, comes first, in four cache lines.
struct Microthread {
  Mask live;
  Mask starting;                 ///< live, but the first element comes later
  std::uint64_t soonest;         ///< the least `first` of these lanes; 0: none [wake]
  Mask input_only, output_only;  ///< live, and needs nothing but this number's queue [derived]
  Mask fifo;                     ///< live, and has a FIFO operand [derived]
  Mask formed;                   ///< live, of the form `form`, and to stay in memory. They share
                                 ///< `shared`, and have done its elements before `done`. By lane
                                 ///< are where[0], scalars and pc; unless `same_words`, `step`, and
                                 ///< `at` of element 0; unless `same_ends`, `end` [fast]
  Mask colored;                  ///< formed, and the output queue has the color [fast]

  Work shared;      ///< of formed lanes: that of the first that came, as it came. Of `alike` lanes:
                    ///< as it is now. There are never both [fast]
  Form form;        ///< [fast]
  bool same_words;  ///< those of all formed lanes are the words of `shared` [fast]
  bool same_ends;   ///< all formed lanes end with the last element of `shared` [fast]

  alignas(64) std::uint16_t done[kLanes];  ///< of formed lanes: the number of the next element
                                           ///< [fast]

  std::uint16_t end[kLanes];  ///< of formed lanes, unless `same_ends`: one more than the number of
                              ///< the last element [fast]
  Mask alike;                 ///< live, and all have the work `shared`, not their own
                              ///< (by_line/shared_execution.hpp) [fast]
  std::uint64_t first[kLanes];                ///< cycle of the first element
  Vector where[3], at[3], step[3], pc, left;  ///< Work, by field
};
static_assert(offsetof(Microthread, shared) == 64 && offsetof(Microthread, done) == 128);

/// One strip's cores. Fields that every visit looks at come first.
struct CoreState {
  Mask placed;               ///< lanes that have a program and have not faulted
  Mask running;              ///< in a task
  Mask ending;               ///< running, and only the end of the task is left, at `wake`: the next
                             ///< visit after it takes these lanes out [fast]
  Mask waiting;              ///< in a task, for a microthread to end
  std::uint64_t next_end;    ///< no lane in `ending` has an earlier `wake` [wake]
  std::uint64_t next_issue;  ///< no instruction is executed before this cycle [wake]
  std::uint64_t early_until;  ///< instructions before this cycle were executed as soon as nobody
                              ///< could tell [fast]
  std::uint32_t inputs_held;  ///< bit per queue: some lane's queue may hold wavelets [derived]
  std::uint32_t live;         ///< bit per microthread: some lane runs it [derived]
  std::uint32_t local_any;    ///< bit per id: active in some lane, or was [derived]
  std::uint32_t inputs_arriving[kDelaySlots], outputs_arriving[kDelaySlots];  ///< bit per queue
                                                                              ///< [derived]
  Mask queue_blocked[kInputQueues];  ///< lanes in which the queue's present color is blocked
                                     ///< [derived]
  Mask input_claimed[kInputQueues], output_claimed[kOutputQueues];  ///< by a live microthread
                                                                    ///< [derived]
  Mask local_active[kLocalTasks], local_blocked[kLocalTasks];
  Mask fabric_dsr[kDescriptors];   ///< lanes whose descriptor names a queue or a FIFO [derived]
  Mask shaped_dsr[kDescriptors];   ///< ... or memory of several dimensions [derived]
  std::uint64_t wake[kLanes];      ///< cycle of the next instruction
  std::uint64_t deadline[kLanes];  ///< cycle in which it is executed at the latest; while a task
                                   ///< waits for its start, perhaps an earlier one [fast]
  std::uint64_t took_input;        ///< the last cycle in which wavelets left an input queue [fast]
  Vector pc;
  Vector pending;  ///< colors torn down and not asked for, a bit each
  Vector reg[kRegisters];
  Vector base[kDescriptors], length[kDescriptors], stride[kDescriptors], where[kDescriptors];
  std::uint16_t program[kLanes];  ///< [built]
  std::int32_t fifo;              ///< the first of its FIFOs in View::fifos; -1: none [built]
  Mask color_blocked[kColors];
  std::uint8_t queue_color[kInputQueues][kLanes];
  Microthread microthread[kMicrothreads];
  RampQueue in[kInputQueues], out[kOutputQueues];
};

}  // namespace weft::model
