#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "by_line/bundle_state.hpp"

/// Of lines in the same state, one can be stepped, and what it comes to is the state of all: an
/// identical machine was stepped. The switch is Accelerations::equal_lines.
///
/// In the same state are lines that have equal bits in all that the step can read of them. It
/// cannot read the routers of colors that lead from line to line, as PEs stop before they send
/// there. A lane that stands for several lines stops before instructions that would tell them
/// apart (unequal_lines.hpp). Its PEs have as much memory as all lines have alike, without data: to
/// read what comes after it is a fault, and then the phase is stepped without.
namespace weft::by_line {

/// The lines of a phase, by state.
struct EqualLines {
  LineGroup stepped;  ///< a line of each state: of its lines, one with the latest clock
  std::vector<std::uint8_t> lane;           ///< by line of the mesh: where it is in `stepped`
  std::vector<model::LineInLane> in_lanes;  ///< as LineGroup::in_lanes, which points here
};

/// None: they are in too many states, or each in its own.
std::optional<EqualLines> equal_lines(const model::View& whole, const LineFacts& facts,
                                      const PeTimes& times, const std::vector<LineGroup>& bundles);

}  // namespace weft::by_line
