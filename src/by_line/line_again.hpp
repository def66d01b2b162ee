#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "by_line/bundle_state.hpp"
#include "engine/engine.hpp"
#include "model/state/event_tap.hpp"

namespace weft::by_line {

/// Nothing is done early, or another way than by the plain step, which emits events.
inline constexpr Accelerations kNoAccelerations = {.by_line = false,
                                                   .delay_lines = false,
                                                   .shared_execution = false,
                                                   .equal_lines = false,
                                                   .run_ahead = false,
                                                   .dry_run = false,
                                                   .element_rows = false,
                                                   .shortcuts = false};

/// Steps lines that a run has kept (BundleState::keep) once more, one at a time, in the plain step,
/// which emits events.
class LineAgain {
 public:
  /// Takes all events of a PE in a cycle, in order; the PEs of a cycle come by row and column.
  using Take = std::function<void(std::span<const Event>)>;

  /// `whole`: an equal fabric, which stays there; only its programs are read.
  LineAgain(const model::View& whole, const LineFacts& facts);
  LineAgain(const LineAgain&) = delete;

  /// Takes a line up, as it was when it was kept: strip k of the result has its k-th PE in lane 0.
  const model::View& take_up(const KeptLine& kept);
  /// Steps it to the end of its phase. Throws LinesMet if it does not end there, and what the
  /// options' `progress` and `take` throw.
  void step(const engine::RunOptions& options, const Take& take);

 private:
  static void add(void* to, int place, const Event& event);
  void hand_on();

  model::View whole_;
  BundleState state_;
  model::View line_{};
  std::uint64_t start_ = 0;
  std::vector<model::HeldBefore> held_;
  model::EventTap tap_;
  bool rows_ = false;
  const Take* take_ = nullptr;
  std::vector<std::vector<Event>> events_;  ///< by place, in the present cycle
  std::vector<model::Mask> with_events_;    ///< places that have some, a bit each
};

}  // namespace weft::by_line
