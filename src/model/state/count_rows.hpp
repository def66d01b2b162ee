#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/count.hpp"

/// Which counts are kept by windows of time, which by color and by phase, and where.
namespace weft::model {

/// The rows of a table of them, in which -1 is none.
constexpr int rows_in(const std::array<int, kCounts>& table) {
  int number = 0;
  for (const int row : table) number += row >= 0 ? 1 : 0;
  return number;
}

/// Counts that are kept by windows of time, too: each is a series; -1: it is not.
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
inline constexpr int kSeries = rows_in(kSeriesOf);

inline constexpr std::array<Count, kSeries> kCountOf = [] {
  std::array<Count, kSeries> counts{};
  for (std::size_t count = 0; count < kCounts; ++count)
    if (kSeriesOf[count] >= 0)
      counts[static_cast<std::size_t>(kSeriesOf[count])] = static_cast<Count>(count);
  return counts;
}();

/// Counts that colors have.
constexpr bool is_of_colors(Count count) {
  return count == Count::held || count == Count::delivered ||
         (count >= Count::link_west && count <= Count::link_north);
}

constexpr int series_of(Count count) { return kSeriesOf[static_cast<std::size_t>(count)]; }

/// Counts that are kept by phase, but for idle cycles, which follow from others: the row of each;
/// -1: it is not kept.
inline constexpr std::array<int, kCounts> kPhaseRowOf = [] {
  std::array<int, kCounts> rows{};
  std::size_t count = 0;
  int row = 0;
#define WEFT_COUNT_yes true
#define WEFT_COUNT_no false
#define WEFT_COUNT(name, windowed, unit, meaning)                                          \
  rows[count++] = Count::name != Count::idle &&                                            \
                          is_by_phase({Count::name, #name, WEFT_COUNT_##windowed, "", ""}) \
                      ? row++                                                              \
                      : -1;
#include "weft/counts.def"
#undef WEFT_COUNT
#undef WEFT_COUNT_yes
#undef WEFT_COUNT_no
  return rows;
}();
inline constexpr int kPhaseRows = rows_in(kPhaseRowOf);

constexpr int phase_row(Count count) { return kPhaseRowOf[static_cast<std::size_t>(count)]; }

/// The mark of an instruction that is of the phase that its PE is in. Phases are counted from 1; 0
/// is none.
inline constexpr std::uint32_t kSharedPhase = ~std::uint32_t{0};

}  // namespace weft::model
