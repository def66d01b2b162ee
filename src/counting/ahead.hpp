#pragma once

#include "counting/hooks.hpp"

/// The observer of a step whose cores run ahead of the clock.
namespace weft::counting {

/// The hooks `Base`, with all that is counted. `Lanes`: a lane policy of these.
template <class Base, class Lanes>
struct CountingAhead : Counting<Base, Lanes> {
  /// What a core waits for is found in visits to it: as a microthread starts, and as a task ends
  /// that the core came to the end of before.
  WEFT_INLINE static bool starts_unnoticed(const View&) { return false; }
  WEFT_INLINE static std::uint64_t next_wake(CoreState& core, std::uint64_t now) {
    std::uint64_t wake = Base::next_wake(core, now);
    if (core.ending != 0 && core.live != 0)
      earlier(wake, (core.next_end > now ? core.next_end : now) + 1);
    return wake;
  }
  /// PEs come to phases in time.
  template <class L>
  WEFT_INLINE static bool executes_early(Group& g) {
    return stays_in_phase(g.v, g.at.index, g.lanes, g.pc) && Base::template executes_early<L>(g);
  }
  WEFT_INLINE static bool may_wait(const View& v, const CoreState& core, Mask lanes,
                                   std::uint32_t pc) {
    return lanes == 0 || stays_in_phase(v, static_cast<int>(&core - v.core), lanes, pc);
  }
};

}  // namespace weft::counting
