#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "by_line/lines.hpp"
#include "fabric/build/state.hpp"
#include "fabric/stepper/lane_events.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/lane_profile.hpp"
#include "fabric/stepper/lines_stepper.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {

/// Steps a fabric as strips of lanes, on CPU threads.
class LaneStepper : public LinesStepper {
 public:
  /// `own`: as for build(). Throws as Fabric's constructor.
  LaneStepper(const Layout& layout, const Machine& machine, const FabricOptions& options,
              std::optional<OwnStrips> own = {});

  Engine engine() const override { return Engine::host; }
  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override;
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override;
  void activate(const Rect& where, int task) override;
  void send(const HostEnd& end, std::span<const std::uint32_t> words) override;
  void receive(const HostEnd& end, std::span<std::uint32_t> words) override;
  std::size_t host_words(const HostEnd& end) const override;
  engine::RunResult run(const engine::RunOptions& options) override;
  RunHistory history() const override;
  Fault first_fault() const override;
  bool anything_left() const override;
  engine::Totals totals() const override;
  PeState pe_state(int x, int y) const override;
  EventLog* events() override {
    return events_ && !events_->log().chosen().empty() ? &events_->log() : nullptr;
  }
  const path::Recorder* path() const override { return events_ ? events_->log().path() : nullptr; }
  Profile profile() const override;
  Profile take_profile() override;
  std::vector<PhaseCounts> phases() const override;

  /// Runs will not be by line, and it is to find the critical path. Before the first one.
  void record_path(const Layout& layout, const Machine& machine);
  /// For runs that are not by line; those copy memory, and step the copies. Before writes.
  void ask_for_pages() const;
  bool has_lines() const override;
  engine::RunResult run_by_line(engine::RunOptions options, bool must_pay,
                                by_line::Watcher* watcher) override {
    return run_by_line(std::move(options), must_pay, watcher, nullptr);
  }
  /// As one of the processes that share the run.
  engine::RunResult run_by_line(engine::RunOptions options, bool must_pay,
                                by_line::Watcher* watcher, by_line::SharedLines* shared);
  /// As run_until_idle, of a fabric that counts: cores run ahead of the clock. After a fault, or
  /// where something is left, the counts are of no one cycle.
  engine::RunResult run_counting_ahead(const engine::RunOptions& options,
                                       const std::function<bool()>& circles);
  /// Its state; it stays there.
  model::View view() const { return state_.view(); }
  const State& state() const { return state_; }
  State& state() { return state_; }

 private:
  engine::RunResult run_counting(std::uint64_t cycle, const engine::RunOptions& options);

  mutable State state_;  ///< views of it may change it
  RunHistory history_{};
  int threads_ = 1;  ///< of the last run
  std::vector<ProgramFacts> programs_;
  std::vector<ProgramCounts> lines_{};    ///< where it counts
  std::unique_ptr<LaneEvents> events_{};  ///< null: nobody has asked
};

}  // namespace weft::fabric
