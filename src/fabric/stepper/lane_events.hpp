#pragma once

#include <cstdint>
#include <vector>

#include "base/pages.hpp"
#include "engine/engine.hpp"
#include "fabric/build/state.hpp"
#include "fabric/events/event_log.hpp"
#include "model/state/event_tap.hpp"

namespace weft::fabric {

/// The events of strips, which threads emit row by row.
class LaneEvents {
 public:
  /// `state` emits them from now on, if somebody takes them.
  LaneEvents(const Observation& asked, const Layout& layout, const Machine& machine, State& state);
  LaneEvents(const LaneEvents&) = delete;

  EventLog& log() { return log_; }

  /// Runs a state in pieces, between which events are handed on.
  engine::RunResult run(State& state, std::uint64_t cycle, const engine::RunOptions& options);

 private:
  static void add(void* to, int row, const Event& event);
  std::size_t collect();

  EventLog log_;
  std::vector<std::vector<Event>> rows_;
  base::ZeroedArray<model::HeldBefore> held_;
  model::EventTap tap_;
};

}  // namespace weft::fabric
