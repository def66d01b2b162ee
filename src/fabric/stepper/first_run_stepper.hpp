#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "fabric/stepper/lane_stepper.hpp"
#include "fabric/stepper/lines_stepper.hpp"
#include "fabric/stepper/start.hpp"
#include "fabric/stepper/stepper.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// A way to make the first run until idle.
enum class FirstRun : std::uint8_t {
  by_line,
  by_line_if_it_pays,  ///< as by_line::run with must_pay
  counting_ahead,      ///< as LaneStepper::run_counting_ahead
};

/// Tries the first run until idle in a quick way. If that fails, it starts over, from what was
/// written before, and goes without: whoever uses it cannot tell.
class FirstRunStepper : public Stepper {
 public:
  /// `lanes`: at the start, and fit for `way`. `finds_path`: by line it finds the critical path,
  /// for which the lanes record nothing.
  FirstRunStepper(std::unique_ptr<LaneStepper> lanes, std::unique_ptr<Start> start, FirstRun way,
                  bool finds_path);
  /// The same of a fabric that processes share, by line and without a path.
  FirstRunStepper(std::unique_ptr<LinesStepper> lines, std::unique_ptr<Start> start, FirstRun way);

  Engine engine() const override { return Engine::host; }
  void write(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) override;
  void read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const override;
  void read_own(const Rect& where, std::size_t first,
                std::span<std::uint32_t> words) const override {
    whole().read_own(where, first, words);
  }
  void activate(const Rect& where, int task) override;
  engine::RunResult run(const engine::RunOptions& options) override;
  engine::RunResult run_until_idle(engine::RunOptions options,
                                   const std::function<bool()>& circles) override;
  RunHistory history() const override;
  Fault first_fault() const override { return whole().first_fault(); }
  bool anything_left() const override { return whole().anything_left(); }
  engine::Totals totals() const override { return whole().totals(); }
  PeState pe_state(int x, int y) const override { return whole().pe_state(x, y); }
  Profile profile() const override { return whole().profile(); }
  Profile take_profile() override { return whole().take_profile(); }
  std::vector<PhaseCounts> phases() const override { return whole().phases(); }
  Processes* processes() const override { return whole().processes(); }
  void collect_states() const override { whole().collect_states(); }
  const path::Recorder* path() const override { return path_ ? path_.get() : whole().path(); }

 private:
  std::optional<engine::RunResult> attempt(engine::RunOptions options,
                                           const std::function<bool()>& circles);
  engine::RunResult first_run(const engine::RunOptions& options,
                              const std::function<bool()>& circles);
  engine::RunResult run_by_line(const engine::RunOptions& options);
  void start_over_without_equal_lines();
  Stepper& prepared();
  void go_on();
  void start_over_before_use(std::uint64_t cycle, int threads);
  Stepper& whole() const;
  void start_over() const;

  FirstRun way_;
  bool finds_path_;
  std::unique_ptr<path::Recorder> path_{};  ///< of the first run, which was by line
  bool begun_ = false;
  bool done_ = false;  ///< the first run was made so, to its end

  // Several threads may read or write at the same time: one of them starts over.
  mutable std::mutex starting_over_{};
  mutable std::atomic<bool> starts_over_ = false;  ///< before any use
  engine::RunOptions catch_up_{};                  ///< the run that belongs to it
  mutable std::unique_ptr<Start> start_;           ///< null: nobody will ask for it any more
  mutable std::unique_ptr<Stepper> stepper_;
  mutable std::chrono::duration<double> lost_{};  ///< in runs of steppers before it
  // The first stepper: not once a run has begun, and not where it could not be made once more.
  LinesStepper* lines_;
  LaneStepper* lanes_;      ///< null: processes share the fabric
  Processes* processes_{};  ///< null: they do not
};

}  // namespace weft::fabric
