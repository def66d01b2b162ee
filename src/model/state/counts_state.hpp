#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "weft/profile.hpp"

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
};
struct ColorSums {
  Vector left[kPorts];
  Vector held;
};

/// Counts that are kept by windows of time, too: each is a series.
inline constexpr std::array<int, kCounts> kSeriesOf = [] {
  std::array<int, kCounts> series{};
  std::size_t count = 0;
  int number = 0;
#define WEFT_COUNT_yes number++
#define WEFT_COUNT_no (-1)
#define WEFT_COUNT(name, windowed, unit, meaning) series[count++] = WEFT_COUNT_##windowed;
#include "weft/counts.def"
#undef WEFT_COUNT
#undef WEFT_COUNT_yes
#undef WEFT_COUNT_no
  return series;
}();
inline constexpr int kSeries = [] {
  int number = 0;
  for (const int series : kSeriesOf) number += series >= 0 ? 1 : 0;
  return number;
}();

constexpr int series_of(Count count) { return kSeriesOf[static_cast<std::size_t>(count)]; }

/// One strip's counts.
struct StripCounts {
  std::uint64_t ends;     ///< before something is counted in this cycle, tallies are emptied
  std::uint64_t turned;   ///< they were in this one, the last time
  std::uint64_t settled;  ///< what cores wait for is counted up to here
  Mask data, room;        ///< lanes that have waited so since then
  Mask open;              ///< lanes that compute from `since` to `until`, which is not counted yet
  Mask starting;          ///< lanes whose synchronous microthread begins at `until`
  Mask in_task;
  // Of the visit to the cores.
  Mask computes, waited, moved, lacks_data, lacks_room;

  std::uint32_t window_bits;  ///< a window has 2^window_bits cycles
  std::uint32_t wide;         ///< bit per series: its windows are in Counts::wide
  std::uint64_t since[kLanes], until[kLanes];
  Mask programmed;    ///< lanes with a program, be they at fault or not
  Vector first_line;  ///< in Counts::lines: the first one of the lane's program
  Vector line;        ///< the one that the task's cycles belong to, from cycle `line_since` on
  Vector line_since;
  Tally tally[kCounts];  ///< not of links and the sums of held, which colors have
  Vector sum[kCounts];
};

/// All of a fabric.
struct Counts {
  StripCounts* strip;            ///< as View::strip
  ColorTally* tallies;           ///< as View::colors
  ColorSums* sums;               ///< as View::colors
  Vector* lines;                 ///< cycles: rows of each strip, a line of a program each
  const std::uint32_t* line_of;  ///< [instruction]: its line, counted in its program
  std::uint32_t windows;         ///< 0: only totals
  std::uint16_t* narrow;         ///< [strip][series][window][lane]
  std::uint32_t* wide;           ///< the same, of series whose numbers may be larger
};

}  // namespace weft::model
