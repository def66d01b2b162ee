#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/path/records.hpp"
#include "weft/types.hpp"

/// Where wavelets are, and who let whom go on last: by PE, as its events tell.
namespace weft::fabric::path {

/// A cause, and the first cycle in which what it lets go on can do so; 0: there was none.
struct Since {
  Cause cause{};
  std::uint64_t cycle = 0;
};

/// The last two, at different cycles: PEs of a cycle are looked at one by one, and what one did in
/// it must not hide from the others what it did before.
struct Last {
  Since now{}, before{};
  void note(const Since& since) {
    if (since.cycle != now.cycle) before = now;
    now = since;
  }
  /// What can have let something go on in this cycle.
  const Since& by(std::uint64_t cycle) const { return now.cycle <= cycle ? now : before; }
};

/// A wavelet in a queue, from whose head it may leave in cycle `ready`.
struct Waiting {
  Cause cause{};
  std::uint64_t ready = 0;
  std::int8_t color = -1;
};

/// The wavelet at the head, which leaves; or one that the queue was not seen to get.
inline Waiting pop(std::vector<Waiting>& queue) {
  if (queue.empty()) return {};
  const Waiting head = queue.front();
  queue.erase(queue.begin());
  return head;
}

/// One color in one router.
struct ColorTrack {
  std::array<std::vector<Waiting>, kPorts> queue{};
  std::array<Last, kPorts> left{};  ///< the wavelet that left each queue: room for another one
  Since switched{};
  int held = -1;  ///< the reason, as EventKind::held has it; -1: none
  Port held_at = Port::ramp;
};

struct MicrothreadTrack {
  std::uint32_t record = 0;
  std::uint64_t next = 0;  ///< cycle of its next element, if it has data and room
};

/// A time in which somebody looks at a PE, from a cycle on.
struct Stretch {
  std::uint64_t from = 0;
  std::uint32_t before = 0;  ///< the record of all that came before; 0: nothing did
};

/// One PE.
struct PeTrack {
  std::array<std::unique_ptr<ColorTrack>, kColors> colors{};  ///< null: it had no wavelet yet
  // Its ramp and core.
  std::array<Last, kPorts> taken{};  ///< who took each link, and the ramp to the core
  std::array<int, kPorts> taken_by{};
  Last sent{};                                 ///< who took the ramp from the core
  std::array<Last, kOutputQueues> sent_by{};   ///< the same of one queue
  std::array<Since, kOutputQueues> room{};     ///< an output queue has some again
  std::array<Last, kInputQueues> taken_off{};  ///< an input queue has room again
  std::array<std::vector<Waiting>, kInputQueues> input{};
  std::array<std::vector<Waiting>, kOutputQueues> output{};
  std::array<MicrothreadTrack, kInputQueues> microthread{};
  std::array<Since, kLocalTasks> activated{}, unblocked{};
  std::array<Since, kColors> color_unblocked{};
  std::uint32_t task = 0;  ///< the record of the core's present task
  Since free{};            ///< the core, since its last task
  Since touched{};         ///< anything that the core did
  /// Cycle and instruction of what the core has issued: `at(entry)` and `pc(entry)`.
  std::vector<std::uint64_t> issued{};
  /// Each begins with what is not known of the times before it; empty: all is known.
  std::vector<Stretch> stretches{};
  /// What is not known of this track may be of cycles up to this one, not of later ones.
  std::uint64_t bound = 0;

  ColorTrack& color(int number) {
    auto& track = colors[static_cast<std::size_t>(number)];
    if (!track) track = std::make_unique<ColorTrack>();
    return *track;
  }

  /// What is known of a fact of this track; of one that may be another one, only up to when.
  Since known(const Since& fact) const {
    return stretches.empty() || fact.cycle > bound ? fact : unknown(bound);
  }
  Since unknown(std::uint64_t cycle) const { return {{stretches.back().before, cycle}, cycle}; }

  static constexpr unsigned kPcBits = 20;
  static std::uint64_t entry(std::uint64_t cycle, std::uint32_t pc) {
    return cycle << kPcBits | pc;
  }
  static std::uint64_t at(std::uint64_t entry) { return entry >> kPcBits; }
  static std::int32_t pc(std::uint64_t entry) {
    return static_cast<std::int32_t>(entry & ((1U << kPcBits) - 1));
  }
};

}  // namespace weft::fabric::path
