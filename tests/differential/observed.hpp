#pragma once

#include <cstdint>

#include "differential/case.hpp"

namespace weft::test {

/// How often the step took a quicker way that a plain fabric has not, as seen from outside between
/// its cycles.
struct Observed {
  // In strips of the mesh, each strip and cycle once.
  std::uint64_t straight = 0;  ///< all that left did by a shortcut (fast/shortcuts.hpp)
  std::uint64_t woken = 0;     ///< it has work after a cycle in which it was left alone
  std::uint64_t ahead = 0;     ///< a core has come to its task's end before the cycle of it
  std::uint64_t later =
      0;  ///< a core whose time has come waits for others (fabric/build/dry_run.hpp)

  std::uint64_t formed = 0;  ///< six cores or more stream alike (fast/element_rows.hpp)

  // In the bundles of a run by line.
  std::uint64_t delayed = 0;      ///< wavelets that entered a delay line
  std::uint64_t let_through = 0;  ///< delayed wavelets that went to cores by a filter on their way
  std::uint64_t stepping_begun = 0, stepping_ended = 0;
  std::uint64_t shared = 0;  ///< microthreads that lanes go through together, each cycle once

  Observed& operator+=(const Observed& more);
};

/// Steps the case cycle by cycle, each with all rows, and looks at what is there after each.
Observed observe(const Case& c, std::uint64_t cycles);

/// The same of the first phase of a run by line: the rows, or, if nothing leads along them, the
/// columns. Nothing, if the case cannot be stepped by line.
Observed observe_by_line(const Case& c);

}  // namespace weft::test
