#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/engine.hpp"

/// Counts of 32 bits go to numbers of 64 bits, before they could be too large: they are folded.
namespace weft::fabric {

/// They hold so many cycles: each of 24 colors may be held in each of them.
inline constexpr std::uint64_t kMostBetweenFolds = std::uint64_t{1} << 27U;

/// A run from this cycle on folds first.
constexpr bool is_to_fold(std::uint64_t cycle) {
  return cycle != 0 && cycle % kMostBetweenFolds == 0;
}
/// The cycle up to which it may go before it folds again.
constexpr std::uint64_t next_fold(std::uint64_t cycle) {
  return (cycle / kMostBetweenFolds + 1) * kMostBetweenFolds;
}

/// A run from a cycle on, in pieces between which it folds: fold(cycle), run(cycle, options of a
/// piece).
template <class Fold, class Run>
engine::RunResult run_and_fold(std::uint64_t cycle, const engine::RunOptions& options, Fold fold,
                               Run run) {
  engine::RunOptions piece = options;
  for (std::uint64_t skipped = 0;;) {
    if (is_to_fold(cycle)) fold(cycle);
    piece.limit = std::min(options.limit, next_fold(cycle));
    engine::RunResult result = run(cycle, piece);
    result.skipped = skipped += result.skipped;
    if (result.stop != engine::Stop::limit || result.thrown || result.cycle >= options.limit)
      return result;
    cycle = result.cycle;
  }
}

}  // namespace weft::fabric
