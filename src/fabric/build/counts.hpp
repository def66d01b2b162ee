#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/zeroed_array.hpp"
#include "model/state/counts_state.hpp"
#include "model/state/view.hpp"
#include "weft/observation.hpp"

namespace weft::fabric {

/// Owns what strips count by phase. Without phases there is nothing.
struct PhasesState {
  std::vector<std::string> names{};
  std::vector<std::uint32_t> mark{};  ///< as Phases::mark
  base::ZeroedArray<model::StripPhases> strip{};
  base::ZeroedArray<model::PhaseSums> sums{};
  std::vector<std::uint64_t> folded{};  ///< as CountsState::of_strips, by row of `sums`
};

/// Owns what strips count. Only pages in which something is counted take memory.
struct CountsState {
  std::vector<std::uint32_t> line_of{}, lines_of{};  ///< as in Counts
  base::ZeroedArray<model::StripCounts> strip{};
  base::ZeroedArray<model::ColorTally> tallies{};
  base::ZeroedArray<model::ColorSums> sums{};
  base::ZeroedArray<model::Vector> lines{};
  base::ZeroedArray<std::uint64_t> code{};
  base::ZeroedArray<std::uint16_t> narrow{};
  base::ZeroedArray<std::uint32_t> wide{};
  std::vector<PackedCounts> past{}, past_lines{};  ///< as in Counts
  std::vector<std::uint32_t> first_row{};
  /// What was counted before the last fold, number by number: of strips by count, of colors, and of
  /// lines. Empty before the first one.
  std::vector<std::uint64_t> of_strips{}, of_colors{}, of_lines{};
  PhasesState phases{};
  model::Counts view{};  ///< a View has its address: this must stay where it is
};

/// Of the strips of a view, with so many colors (as View::colors) in all. `lines`: of each program,
/// its number of lines.
void make_counts(CountsState& counts, const model::View& v, std::size_t colors,
                 const std::vector<std::uint32_t>& lines, const Observation& asked);

}  // namespace weft::fabric
