#pragma once

#include <cstdint>
#include <optional>

#include "engine/bundle_state.hpp"
#include "engine/engine.hpp"

/// Stepping by line. Many programs use one direction of the mesh at a time: in a transpose of rows
/// no wavelet leaves its row. Then the rows are fabrics of their own, and 64 of them fill the lanes
/// of a strip, whose PEs do the same in the same cycle. And if they do not, because columns ended
/// the rows' transpose one after the other, each line gets its own clock, so that they do.
///
/// A phase steps all rows, or all columns, in bundles of up to 64, each apart from the others. A PE
/// that would send to another line stops before it does (and with it the PEs beside it in its
/// bundle, at the same cycle); the phase is over when all have stopped or are quiet. In the next
/// phase the lines cross those of this one, and each begins when its first PE had stopped.
///
/// That is exact as long as every PE has had all wavelets that come before that cycle, and nothing
/// reaches a PE in what is past for it: both are checked in each step (model/bundle.hpp). If that
/// fails, the run throws LinesMet. So it does at any fault, at its limit, and if wavelets are left
/// in routers: whoever asked starts over without lines, and gets the same as always.
namespace weft::engine {

/// The facts of a fabric's lines; none if it cannot be stepped by line.
std::optional<LineFacts> lines_of(const model::View& whole);

/// As run_on_host, but throws what ends it midway.
RunResult run_by_line(const model::View& whole, const LineFacts& facts, std::uint64_t cycle,
                      const RunOptions& options);

}  // namespace weft::engine
