#pragma once

#include "model/together.hpp"

/// Step 3a of the cycle: the microthreads.
namespace weft::model {

/// What step_microthreads tells.
struct Streams {
  bool moved = false;  ///< some microthread did something
  bool again = false;  ///< one that needs only its queue can do its next element at once
};

/// Step 3a. Every microthread that has its data and its room does one element.
template <class L>
WEFT_HD Streams step_microthreads(const View& v, Place at, CoreState& core, std::uint64_t now) {
  Streams streams;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1) {
    const int u = lowest(rest);
    Microthread& t = core.microthread[u];
    if (t.starting != 0 && t.soonest <= now) {
      const Mask later = t.starting & ~L::due(t.starting, t.first, now);
      const std::uint64_t soonest = L::least(later, t.first);
      L::once([&] {
        t.starting = later;
        t.soonest = later != 0 ? soonest : 0;
      });
    }
    const Mask ready = able_alone(v, core, u) | able_with_others<L>(v, core, u);
    if (ready == 0) continue;
    streams.moved = true;
    if constexpr (L::kByLine)
      if (move_together<L>(v, at, core, u, ready, now)) {
        streams.again |= able_alone(v, core, u) != 0;
        if (t.live == 0) core.live &= ~(1U << u);
        continue;
      }
    const auto did = L::template flags_in_turn<static_cast<int>(Moved::count)>(
        ready, t.fifo,  // which have bits that the lanes share
        [&](int lane) { return step_element<L>(v, at, core, u, lane); });
    settle_elements<L>(v, at, core, u, did, now);
    streams.again |= able_alone(v, core, u) != 0;  // nothing in this cycle changes it any more
    if (t.live == 0) L::once([&] { core.live &= ~(1U << u); });
  }
  return streams;
}

}  // namespace weft::model
