#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "model/state/count_rows.hpp"
#include "model/state/phases_state.hpp"
#include "weft/packed_counts.hpp"

/// What a fabric counts where it is asked to (docs/model.md, "What is counted"), by strip. Its
/// profile follows from this; the step never reads it otherwise.
namespace weft::model {

/// Small numbers, one of each lane, by binary digits: a mask adds one in all its lanes, in two
/// steps on average.
inline constexpr int kDigits = 16;
struct Tally {
  Mask digit[kDigits];
};

/// Tallies are emptied after so many cycles at most: no number in them comes to 2^16, though each
/// of 24 colors may be held in each cycle. A power of two.
inline constexpr std::uint64_t kMostTallied = 2048;

/// The wavelets and held cycles of one color in one strip.
struct ColorTally {
  Tally left[kPorts];  ///< by the port that they left by
  Tally held;
  std::uint32_t all_left[kPorts], all_held;  ///< as StripCounts::all
};
struct ColorSums {
  Vector left[kPorts];
  Vector held;
};

/// Windows of a series whose numbers fit into 16 bits have at most 2^n cycles. A color is held once
/// a cycle, and there are 24.
constexpr std::uint32_t most_narrow_bits(int series) {
  return series == series_of(Count::held) ? 11 : 15;
}

/// Lanes of lines that are all in one task, at the same instruction: what StripCounts has of each
/// lane, once. Lane i has been at its line since `line_after` cycles after `base[i]`, and at its
/// instruction since `code_after`.
struct TogetherCounts {
  bool are;  ///< they are, and what each lane has is not known
  std::uint32_t line, line_after, code, code_after;
  Vector base;  ///< cycles
};

/// Lanes that execute as a group, and are not together: each has been at `code` since `code_after`
/// cycles after its StripCounts::code_since.
struct GroupCounts {
  Mask lanes;                ///< 0: no group does, and StripCounts::code and code_since are known
  std::uint64_t pes, began;  ///< `began`: Group::elapsed at `code_since`
  std::uint32_t code, code_after, line;
};
inline constexpr int kColorsTallied = 32;  ///< the bit of color 0 in StripCounts::tallied

/// One strip's counts.
struct StripCounts {
  std::uint64_t ends;     ///< before something is counted in this cycle, tallies are emptied
  std::uint64_t turned;   ///< they were in this one, the last time
  std::uint64_t settled;  ///< what cores wait for is counted up to here
  Mask data, room;        ///< lanes that have waited so since then
  Mask open;              ///< lanes that compute from `since` to `until`, which is not counted yet
  Mask starting;          ///< lanes whose synchronous microthread begins at `until`
  std::uint64_t soonest;  ///< no lane in `starting` has an earlier `until`
  Mask in_task;
  // Of the visit to the cores.
  Mask computes, waited, moved, lacks_data, lacks_room;

  std::uint32_t window_bits;  ///< a window has 2^window_bits cycles; of lines: one of Counts::alike
  std::uint16_t used;         ///< bit per series: its windows may have numbers
  std::uint16_t parts;        ///< bit per series: LaneWindows::part may have
  std::uint32_t wide;         ///< bit per series: its windows are in Counts::wide
  std::uint32_t packed;       ///< so many windows are in Counts::past, but for what came later
  /// Of lines (by_line/): what was counted in all of Counts::all_lanes at once is here, since the
  /// bundle was taken, and in no tally. Of colors too.
  std::uint32_t all[kCounts];
  std::uint64_t tallied;  ///< tallies that may have numbers: a bit per count, then per color
  std::size_t next_end;   ///< in Counts::window_ends: the first one that is not past
  std::uint64_t since[kLanes], until[kLanes];
  Mask programmed;    ///< lanes with a program, be they at fault or not
  Vector first_line;  ///< in Counts::lines: the first one of the lane's program
  Vector line;        ///< the one that the task's cycles belong to, from cycle `line_since` on
  Vector line_since;
  Vector first_code;  ///< in Counts::code: the lane's program, less its first instruction
  Vector code;        ///< the instruction that the task's cycles belong to, from `code_since` on
  Vector code_since;
  Tally tally[kCounts];  ///< not of links and the sums of held, which colors have
  Vector sum[kCounts];
  TogetherCounts together;
  GroupCounts group;
};

/// A number of each series, and zeros behind them, so that a few vector instructions compare all.
struct SeriesNumbers {
  std::uint32_t at[std::bit_ceil(unsigned{kSeries})];
};

/// A line that has left a window: its last cycle, by the line's clock, and what the line's lane had
/// counted as it ended.
struct WindowLeft {
  std::uint64_t cycle;
  std::size_t line;  ///< in Counts::lines_in
  std::uint32_t counted[kSeries];
};
inline constexpr int kMostLeft = 64;  ///< chosen: about one for each line of a bundle

/// What lanes of a bundle have counted in a strip. Where they have one clock, in the window that
/// they are in; else since the bundle was taken.
struct LaneWindows {
  Vector part[kSeries];           ///< beside StripCounts::all
  std::uint64_t begin, end;       ///< of that window; cycles of the bundle
  std::uint32_t before[kSeries];  ///< StripCounts::all as it began
  int left_count;
  WindowLeft left[kMostLeft];  ///< windows that lines have left, not yet in those of the fabric
};

/// A line that is in a lane of a bundle.
struct LineInLane {
  int line, lane;           ///< by number
  std::uint64_t clock_lag;  ///< cycles that its clock is behind the bundle's
};

/// A line leaves a window as this cycle of the bundle begins.
struct WindowEnd {
  std::uint64_t cycle;
  std::size_t line;  ///< in Counts::lines_in
};
/// All such ends, in order, as far as they are known.
struct WindowEnds {
  const WindowEnd* end;
  std::size_t known;
  void (*find_more)(WindowEnds&);
};

struct View;

/// All of a fabric.
struct Counts {
  StripCounts* strip;             ///< as View::strip
  ColorTally* tallies;            ///< as View::colors
  ColorSums* sums;                ///< as View::colors
  Vector* lines;                  ///< cycles: rows of each strip, a line of a program each
  std::uint64_t* code;            ///< cycles: rows of each strip, an instruction of a program each
  std::uint32_t* lines_together;  ///< cycles that all lanes of lines have had, by row of `lines`
  const std::uint32_t* line_of;   ///< [instruction]: its line, counted in its program
  const std::uint32_t* lines_of;  ///< [program]: how many it has
  Phases phases;
  /// Cores run ahead of the clock, and rows of strips step to the end of a block: counts are exact
  /// only where a run stops at its limit, or with nothing left.
  bool ahead;
  std::uint32_t windows;  ///< 0: only totals
  std::uint16_t* narrow;  ///< [strip][series][window][lane]
  std::uint32_t* wide;    ///< the same, of series whose numbers may be larger
  // Of lines (by_line/past_counts.hpp), what was counted before, beside the rows of the same
  // numbers.
  PackedCounts* past;              ///< [strip][series]: windows
  PackedCounts* past_lines;        ///< [strip]: as its rows of `lines`
  const std::uint32_t* first_row;  ///< [strip], and one more: of these
  /// Joins each two past windows of a strip, after its rows are joined. Gives back the rows' second
  /// half, which has no numbers any more.
  void (*join_past)(const Counts&, int strip);

  // Of a bundle of lines; else 0.
  Mask all_lanes;             ///< those with lines
  LaneWindows* lane_windows;  ///< by strip
  /// [strip][series][window] of a bundle whose lanes have one clock: what each lane has counted
  /// beside LaneWindows::part. Else null.
  std::uint32_t* alike;
  Counts* whole;                    ///< of the fabric, which has the windows
  int whole_strips;                 ///< as View::strips
  bool rows;                        ///< lines are rows; else columns
  const LineInLane* lines_in;       ///< all lines, by lane
  std::size_t line_count;           ///< of them
  const std::uint64_t* stands_for;  ///< by lane: so many lines are in it; null: one
  /// Where lines have clocks of their own; else null. `given`: what each has got of what its lane
  /// has counted, [strip][line].
  WindowEnds* window_ends;
  SeriesNumbers* given;
  /// Adds delayed wavelets, which cross links without being stepped, to a strip's totals by phase.
  void (*add_passed)(const View&, int strip, Vector (&total)[kPhaseRows]);
};

}  // namespace weft::model
