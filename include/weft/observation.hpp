#pragma once

#include <vector>

#include "weft/event.hpp"

namespace weft::inline v0 {

/// The windows of time that a fabric may keep: a power of two.
inline constexpr int kLeastWindows = 16, kMostWindows = 1024;

/// What a fabric notes while it runs: counts for Fabric::profile, events for Fabric::on_events.
/// Observing changes no result and no cycle. docs/model.md defines the counts and the events.
struct Observation {
  bool counts = false;  ///< of each PE, link, color and line of its program
  int windows = 0;      ///< of time, which double in length as the run goes on; 0: only totals
  std::vector<EventChoice> events{};  ///< the union of these
  /// The critical path, for Profile::path, with counts: what the end of the run waited for, back to
  /// its beginning. Remembers 8 bytes for each instruction, 48 for each wait: by line, of few PEs.
  bool path = false;
};

}  // namespace weft::inline v0
