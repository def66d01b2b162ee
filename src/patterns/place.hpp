#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/patterns.hpp"

/// Where PEs are in a rectangle, and what the machine takes for the steps that patterns have in
/// common.
namespace weft::patterns {

/// A rectangle by the way through it: its first and last line of PEs, and the others.
struct Ends {
  Rect first, last;
  std::optional<Rect> all_but_first, all_but_last;  ///< none: it is one line
};

inline Ends ends(const Rect& r, Port to) {
  const bool across = to == Port::east || to == Port::west;
  const bool up = to == Port::east || to == Port::south;  // coordinates grow
  Rect low = r, high = r, not_low = r, not_high = r;
  if (across) {
    low.width = high.width = 1;
    high.x = r.x + r.width - 1;
    not_low.x = r.x + 1;
    not_low.width = not_high.width = r.width - 1;
  } else {
    low.height = high.height = 1;
    high.y = r.y + r.height - 1;
    not_low.y = r.y + 1;
    not_low.height = not_high.height = r.height - 1;
  }
  Ends e{up ? low : high, up ? high : low, {}, {}};
  if ((across ? r.width : r.height) > 1) {
    e.all_but_first = up ? not_low : not_high;
    e.all_but_last = up ? not_high : not_low;
  }
  return e;
}

/// PEs of each line, and the part of the rectangle that is place `first` to `end` - 1 of each line.
inline int length_of(const Rect& r, Along along) {
  return along == Along::rows ? r.width : r.height;
}
inline Rect places(const Rect& r, Along along, int first, int end) {
  return along == Along::rows ? Rect{r.x + first, r.y, end - first, r.height}
                              : Rect{r.x, r.y + first, r.width, end - first};
}
/// The sides of a line towards its first and its last PE.
inline Port to_first(Along along) { return along == Along::rows ? Port::west : Port::north; }
inline Port to_last(Along along) { return opposite(to_first(along)); }

/// A function of the PE's place in its line, for PeProgram::pick and where.
template <class F>
auto by_place(const Rect& r, Along along, F f) {
  return [r, along, f](int x, int y) { return f(along == Along::rows ? x - r.x : y - r.y); };
}

inline bool contains(const Rect& r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

/// Routes of a shift to a neighbour on this side, by a pair of colors that swap.
inline void route_shift(Design& design, const Rect& where, Port to, ColorPair color) {
  const bool across = to == Port::east || to == Port::west;
  Route out{.rx = Port::ramp, .tx = to};
  out.swap_east_west = across;
  out.swap_north_south = !across;
  // A PE without a neighbour to send to has the route for its swap: nothing leaves it.
  Route last = out;
  last.tx = opposite(to);
  const Ends e = ends(where, to);
  if (!e.all_but_last) return;
  design.route(*e.all_but_last, color.even, out);
  design.route(e.last, color.even, last);
  design.route(*e.all_but_first, color.odd, {.rx = opposite(to), .tx = Port::ramp});
}

/// Whether the PE is in the last line of the rectangle on this side.
inline bool is_last(PeProgram& pe, const Rect& r, Port side) {
  return pe.where([r, side](int x, int y) {
    switch (side) {
      case Port::west:
        return x == r.x;
      case Port::east:
        return x == r.x + r.width - 1;
      case Port::north:
        return y == r.y;
      default:
        return y == r.y + r.height - 1;
    }
  });
}

/// For `start` of a pattern with one operation or none: it goes on at once.
inline std::vector<PeOperation> started(std::optional<PeOperation> operation) {
  return operation ? std::vector{operation->async()} : std::vector<PeOperation>{};
}

/// Cycles from the issue of a vector instruction with a stream to its first element.
inline std::uint64_t first_element(const Machine& m) {
  return static_cast<std::uint64_t>(std::max(m.microthread_start_cycles, 1));
}

/// Cycles from an element's departure from a core to its arrival in one that is `hops` links away.
inline std::uint64_t travel(const Machine& m, int hops) {
  const std::int64_t cycles =
      2 * std::int64_t{m.ramp_cycles} + 1 + std::int64_t{hops} * m.hop_cycles;
  return static_cast<std::uint64_t>(cycles);
}

/// Cycles from the last element of an operation that the core waits for to the next instruction.
inline std::uint64_t go_on(const Machine& m) { return static_cast<std::uint64_t>(m.scalar_cycles); }

/// Cycles from the last element of the last of two operations that a program waits for to the code
/// below: the start of a task, whose first instruction blocks it again.
inline std::uint64_t wait_for_two(const Machine& m) {
  return static_cast<std::uint64_t>(m.task_start_cycles) + go_on(m);
}

}  // namespace weft::patterns
