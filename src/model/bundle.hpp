#pragma once

#include "model/state.hpp"

/// Lines of PEs that are stepped apart from the rest of their fabric. A line is a whole row or a
/// whole column of PEs; a bundle is some lines side by side, one in each lane, so that strip k is
/// the k-th PE of each. Along its lines a bundle is a fabric of its own (south is their end); what
/// would cross from line to line stops the PE that sends it. So each line can have its own clock.
namespace weft::model {

struct Rides;  // rides.hpp

struct Bundle {
  bool rows;             ///< its lines are rows, from west to east; else columns, north to south
  int first;             ///< number of the line in lane 0
  std::uint32_t across;  ///< colors that lead from line to line
  std::uint64_t behind[kLanes];  ///< cycles that a line's clock is behind the bundle's
  std::uint64_t any_behind;      ///< bits that some line's has
  /// By strip: the first cycle that is not past for any of its PEs, as the run begins; the one
  /// after the last in which it was stepped (0: never); the one in which it stopped, as one of its
  /// PEs has a wavelet that would leave its line (kNever: none).
  std::uint64_t *from, *known, *stopped;
  std::uint32_t ridden;  ///< colors that have `rides`
  Rides* rides;          ///< by color
};

/// What a cycle of a bundle did, and when there is more to do; as the engine's clock wants it.
struct BundleCycle {
  bool moved, timed, polled;
  std::uint64_t next_timed, next_polled, fault;
};

WEFT_HD int line_of(const Bundle& b, int lane) { return b.first + lane; }

/// Coordinates of a PE on its mesh.
template <class L>
WEFT_HD int x_of(const View& v, Place at, int lane) {
  if constexpr (L::kByLine) return v.bundle->rows ? at.row : line_of(*v.bundle, lane);
  return at.x(lane);
}
template <class L>
WEFT_HD int y_of(const View& v, Place at, int lane) {
  if constexpr (L::kByLine) return v.bundle->rows ? line_of(*v.bundle, lane) : at.row;
  return at.y(lane);
}

/// A PE's clock, in this cycle of the step's.
template <class L>
WEFT_HD std::uint64_t clock_of(const View& v, int lane, std::uint64_t cycle) {
  if constexpr (L::kByLine) return cycle - v.bundle->behind[lane];
  return cycle;
}

/// The lines cannot be stepped apart after all: the run ends.
WEFT_HD void give_up(const View& v, Place at, std::uint64_t now) {
  earlier(v.fault_row[at.row], now);
}

/// Whether the strip may be stepped in this cycle: not if that is past for one of its PEs, or it
/// stopped.
template <class L>
WEFT_HD bool may_step(const View& v, Place at, std::uint64_t now) {
  if constexpr (L::kByLine) {
    const Bundle& b = *v.bundle;
    if (now < b.from[at.index] || b.stopped[at.index] != kNever) {
      give_up(v, at, now);
      return false;
    }
    if (b.known[at.index] <= now) b.known[at.index] = now + 1;  // rides may come yet
  }
  return true;
}

/// The strip stops before step 2 of the cycle.
template <class L>
WEFT_HD void stop(const View& v, Place at, std::uint64_t now) {
  if constexpr (L::kByLine) {
    v.bundle->stopped[at.index] = now;
    v.route_wake[at.index] = v.deliver_wake[at.index] = v.core_wake[at.index] = kNever;
  }
}

/// f(lanes, their clock) for all lanes, in groups with clocks that are alike in what orders
/// `numbers` (bits of a set) by (number xor clock). Where no lane is contested, one group will do.
template <class L, class F>
WEFT_HD void by_clock(const View& v, std::uint32_t numbers, Mask contested, std::uint64_t now,
                      F f) {
  if constexpr (L::kByLine) {
    const Bundle& b = *v.bundle;
    if (contested == 0 || b.any_behind == 0) return f(kAllLanes, now);
    std::uint32_t matters = 0;  // bits in which two of the numbers differ
    for (std::uint32_t rest = numbers; rest != 0; rest &= rest - 1)
      matters |= static_cast<std::uint32_t>(lowest(rest) ^ lowest(numbers));
    const auto order = [&](int lane) { return (now - b.behind[lane]) & matters; };
    for (Mask rest = kAllLanes; rest != 0;) {
      const int lead = lowest(rest);
      const Mask alike = L::where(rest, [&](int lane) { return order(lane) == order(lead); });
      f(alike, now - b.behind[lead]);
      rest &= ~alike;
    }
  } else {
    f(kAllLanes, now);
  }
}

}  // namespace weft::model
