#pragma once

#include "by_line/bundle.hpp"
#include "by_line/delay_lines.hpp"

/// Lanes that are lines: where a PE is, and its line's own clock.
namespace weft::by_line {

struct BundleGeometry {
  WEFT_INLINE static int x(const View& v, const Place& at, int lane) {
    return v.bundle->rows ? at.row : line_of(*v.bundle, lane);
  }
  WEFT_INLINE static int y(const View& v, const Place& at, int lane) {
    return v.bundle->rows ? line_of(*v.bundle, lane) : at.row;
  }

  /// Links lead along the lines: their lanes are all at the same place.
  template <class F>
  WEFT_INLINE static Mask where_along(const View& v, const Place& at, Port, F f) {
    return f(at.row, v.bundle->rows) ? kAllLanes : 0;
  }

  WEFT_INLINE static std::uint64_t clock(const View& v, int lane, std::uint64_t cycle) {
    return cycle - v.bundle->clock_lag[lane];
  }

  WEFT_INLINE static Mask while_links_rest(const View& v, std::uint64_t now) {
    return v.bundle->links_rest[now % v.timing.link_period()];
  }

  template <class Contested, class F>
  WEFT_INLINE static void by_clock(const View& v, std::uint32_t numbers, Contested contested,
                                   std::uint64_t now, F f) {
    const Bundle& b = *v.bundle;
    const bool all_alike = b.any_lag == 0 || contested() == 0;
    std::uint32_t matters = 0;  // bits in which two of the numbers differ
    for (std::uint32_t rest = all_alike ? 0 : numbers; rest != 0; rest &= rest - 1)
      matters |= static_cast<std::uint32_t>(lowest(rest) ^ lowest(numbers));
    const auto order = [&](int lane) { return (now - b.clock_lag[lane]) & matters; };
    for (Mask rest = kAllLanes; rest != 0;) {
      const int lead = lowest(rest);
      const Mask alike =
          all_alike ? kAllLanes : where(rest, [&](int lane) { return order(lane) == order(lead); });
      f(alike, now - b.clock_lag[lead]);
      rest &= ~alike;
    }
  }

  WEFT_INLINE static std::uint64_t pes(const View& v, Mask lanes) {
    return lines_in(*v.bundle, lanes);
  }

  /// Not if the cycle is past for one of the strip's PEs, or the strip stopped.
  WEFT_INLINE static bool may_step(const View& v, const Place& at, std::uint64_t now) {
    const Bundle& b = *v.bundle;
    if (now < b.from[at.index] || b.stopped[at.index] != kNever) {
      give_up(v, now);
      return false;
    }
    if (b.stepped_until[at.index] <= now)
      b.stepped_until[at.index] = now + 1;  // delayed wavelets may come yet
    return true;
  }

  WEFT_INLINE static bool leads_out(const View& v, int color) {
    return (v.bundle->across >> color & 1U) != 0;
  }

  WEFT_INLINE static void stop(const View& v, const Place& at, bool moved, std::uint64_t now) {
    if (moved) give_up(v, now);
    v.bundle->stopped[at.index] = now;
    v.route_wake[at.index] = v.deliver_wake[at.index] = v.core_wake[at.index] = kNever;
    look_at_delay_lines(v, at.index, v.strip[at.index].colors);
  }
};

}  // namespace weft::by_line
