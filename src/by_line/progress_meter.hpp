#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "by_line/bundle_state.hpp"
#include "engine/engine.hpp"

namespace weft::by_line {

/// Tells how far a run has come, as a cycle: bundles come to the same cycles one after the other.
class ProgressMeter {
 public:
  explicit ProgressMeter(const engine::RunOptions& options) : options_(options) {}

  void begin_phase(const std::vector<LineGroup>& bundles, std::size_t threads) {
    start_ = model::kNever;
    for (const LineGroup& lines : bundles)
      start_ = std::min(start_, lines.start - *std::ranges::max_element(lines.clock_lag));
    bundles_ = bundles.size();
    threads_ = threads;
    done_ = 0;
    cycles_done_ = 0;
  }

  /// By any thread: a bundle has stepped so many cycles, and is over.
  void bundle_done(std::uint64_t cycles) {
    cycles_done_ += cycles;
    ++done_;
  }

  /// By one thread, whose bundle has stepped so many cycles: others are about as far.
  void report(std::uint64_t cycles) {
    if (!options_.progress) return;
    const std::uint64_t under_way = std::min(threads_, bundles_ - done_);
    reported_ = std::max(reported_, start_ + (cycles_done_ + under_way * cycles) / bundles_);
    options_.progress(reported_);
  }

 private:
  const engine::RunOptions& options_;
  std::uint64_t start_ = 0, reported_ = 0;
  std::size_t bundles_ = 1, threads_ = 1;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::uint64_t> cycles_done_ = 0;
};

}  // namespace weft::by_line
