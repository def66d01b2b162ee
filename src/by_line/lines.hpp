#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "by_line/bundle_state.hpp"
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
/// reaches a PE in what is past for it: both are checked in each step (geometry.hpp). If that
/// fails, the run throws LinesMet. So it does at any fault, at its limit, if wavelets are left
/// in routers, and if it is not known which line did something last: whoever asked starts over
/// without lines, and gets the same as always.
namespace weft::by_line {

class SharedLines;  // shared_lines.hpp

/// The facts of a fabric's lines; none if it cannot be stepped by line.
std::optional<LineFacts> lines_of(const model::View& whole);

/// Whether phases are too short to pay, after so many of them in `cycles` cycles: to copy a word of
/// a strip's PEs there and back takes about as long as to step the strip for a cycle. The first
/// four tell.
bool too_short(const LineFacts& facts, std::uint64_t cycles, int phases);

/// A phase of a run as it begins.
struct Phase {
  int number;  ///< from 0 on
  const model::View& whole;
  const LineFacts& facts;
  const PeTimes& times;
  const std::vector<LineGroup>& bundles;  ///< with all lines that are stepped in it
};

/// Sees a run by line.
class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  virtual ~Watcher() = default;
  /// What it throws ends the run.
  virtual void begins(const Phase& phase) = 0;
  /// A bundle of the present phase has come to its end. By any thread, one at a time.
  virtual void ended(const LineGroup& /*lines*/, const LastDone&) {}
};

/// When a run packs what was counted before (past_counts.hpp).
enum class Packing : std::uint8_t { where_it_pays, always };

/// As engine::run_on_host, by line where that is possible. Throws LinesMet where lines met, and
/// what `progress` throws: then the fabric is not that of any one cycle. `must_pay`: as if lines
/// had met, if the first phases are too short to save time. `shared`: as one of several processes,
/// all of which call it, and throw alike; then there is no watcher.
engine::RunResult run(const model::View& whole, std::uint64_t cycle,
                      const engine::RunOptions& options, bool must_pay = false,
                      Watcher* watcher = nullptr, SharedLines* shared = nullptr,
                      Packing packing = Packing::where_it_pays);

}  // namespace weft::by_line
