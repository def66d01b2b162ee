#pragma once

#include "model/hooks.hpp"

/// Lines of PEs that are stepped apart from the rest of their fabric. A line is a whole row or
/// a whole column of PEs; a bundle is some lines side by side, one in each lane, so that strip k is
/// the k-th PE of each. Along its lines a bundle is a fabric of its own (south is their end); a PE
/// whose wavelet would cross from line to line stops before that. So each line can have its own
/// clock.
namespace weft::by_line {

using namespace model;

struct DelayLine;    // delay_lines.hpp
struct PlaceCounts;  // place_counts.hpp

/// When the lines of a bundle did something last.
struct LastDone {
  std::uint64_t task_end;  ///< two cycles after a task's end, by its line's clock: it is idle once
  std::uint64_t other;     ///< something that is no instruction and no task's end; bundle's clock
};

struct Bundle {
  bool rows;             ///< its lines are rows, from west to east; else columns, north to south
  const int* lines;      ///< by lane: the line's number
  std::uint32_t across;  ///< colors that lead from line to line
  std::uint64_t clock_lag[kLanes];  ///< cycles that a line's clock is behind the bundle's
  std::uint64_t any_lag;            ///< bits that some line's has
  const Mask* links_rest;  ///< by cycle of a period of links: lanes for which they rest in it
  /// By strip: the first cycle that is not past for any of its PEs, as the run begins; the one
  /// after the last in which it was stepped (0: never); the one in which it stopped, as one of its
  /// PEs has a wavelet that would leave its line (kNever: none).
  std::uint64_t *from, *stepped_until, *stopped;
  /// By strip: the cycle in which a line that is stepped once more alone stopped before, with those
  /// beside it (line_again.hpp); null: it stops where it has to.
  const std::uint64_t* until;
  std::uint64_t* fault;  ///< the cycle of the first fault, or in which it was found that the lines
                         ///< cannot be stepped apart (kNever: none)
  LastDone* last;        ///< in this run
  /// By lane: lines in the same state, of which only this one is stepped (equal_lines.hpp); null:
  /// each line has a lane of its own.
  const std::uint64_t* stands_for;
  /// ... [strip][word]: lanes that have written the word, of those behind timing.memory_bytes,
  /// which may differ in such lines.
  Mask* written;
  bool* unequal;  ///< a strip has stopped as they would not be in the same state any more
  std::uint32_t delayed_colors;  ///< colors that have `delay_lines`
  DelayLine* delay_lines;        ///< by color
  // Where somebody counts; else null.
  PlaceCounts* place_counts;  ///< by color
  std::uint32_t* refused;     ///< by strip: delayed wavelets that filters have refused
};

WEFT_INLINE int line_of(const Bundle& b, int lane) { return b.lines[lane]; }

/// The lines that are in these lanes.
WEFT_INLINE std::uint64_t lines_in(const Bundle& b, Mask lanes) {
  if (b.stands_for == nullptr) return static_cast<std::uint64_t>(count(lanes));
  std::uint64_t lines = 0;
  for (; lanes != 0; lanes &= lanes - 1) lines += b.stands_for[lowest(lanes)];
  return lines;
}

/// Something happens in some lanes that is no instruction and no task's end (LastDone::other).
WEFT_INLINE void note_other(const View& v, std::uint64_t now) { v.bundle->last->other = now; }

/// The lines cannot be stepped apart after all: the run ends.
WEFT_INLINE void give_up(const View& v, std::uint64_t now) { earlier(*v.bundle->fault, now); }

}  // namespace weft::by_line
