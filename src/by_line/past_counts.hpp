#pragma once

#include <cstdint>
#include <vector>

#include "by_line/bundle_state.hpp"
#include "model/state/view.hpp"

/// What the whole fabric has counted before, in few bytes: numbers of PEs beside each other differ
/// little. Where more is counted there later, a profile adds both.
namespace weft::by_line {

/// Whether the fabric counts so much, in windows of time and of lines of programs, that packing
/// pays.
bool counts_much(const model::View& whole);

/// Between phases: windows of time that are past for all PEs of a strip. `known`: by PE, row by
/// row, the cycle up to which it is stepped.
void pack_past_windows(const model::View& whole, const std::vector<std::uint64_t>& known);

/// When lines beside each other have been given back: the cycles of their programs' lines.
void pack_lines_of_programs(const model::View& whole, const LineGroup& given);

}  // namespace weft::by_line
