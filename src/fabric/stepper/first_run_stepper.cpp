#include "fabric/stepper/first_run_stepper.hpp"

#include <utility>

#include "by_line/lines.hpp"

namespace weft::fabric {

FirstRunStepper::FirstRunStepper(std::unique_ptr<LaneStepper> lanes, std::unique_ptr<Start> start,
                                 FirstRun way)
    : way_(way), start_(std::move(start)), lanes_(*lanes) {
  stepper_ = std::move(lanes);
}

void FirstRunStepper::write(const Rect& where, std::size_t first,
                            std::span<const std::uint32_t> words) {
  whole().write(where, first, words);
  if (!begun_) start_->keep(where, first, words);
}

void FirstRunStepper::read(const Rect& where, std::size_t first,
                           std::span<std::uint32_t> words) const {
  whole().read(where, first, words);
}

void FirstRunStepper::activate(const Rect& where, int task) {
  whole().activate(where, task);
  if (!begun_) start_->keep(where, task);
}

engine::RunResult FirstRunStepper::run(const engine::RunOptions& options) {
  Stepper& stepper = whole();
  begun_ = true;
  start_.reset();
  return stepper.run(options);
}

engine::RunResult FirstRunStepper::run_until_idle(engine::RunOptions options,
                                                  const std::function<bool()>& circles) {
  if (!begun_ && start_->complete())
    if (std::optional<engine::RunResult> result = attempt(options, circles)) return *result;
  Stepper& stepper = whole();
  begun_ = true;
  start_.reset();
  return stepper.run_until_idle(std::move(options), circles);
}

/// Throws LinesMet where it has failed.
engine::RunResult FirstRunStepper::first_run(const engine::RunOptions& options,
                                             const std::function<bool()>& circles) {
  if (way_ == FirstRun::counting_ahead) return lanes_.run_counting_ahead(options, circles);
  return lanes_.run_by_line(options, way_ == FirstRun::by_line_if_it_pays);
}

/// None: it must be done without.
std::optional<engine::RunResult> FirstRunStepper::attempt(engine::RunOptions options,
                                                          const std::function<bool()>& circles) {
  begun_ = true;
  std::uint64_t seen = 0;
  if (options.progress)
    options.progress = [&seen, progress = std::move(options.progress)](std::uint64_t cycle) {
      seen = cycle;
      progress(cycle);
    };
  std::optional<engine::RunResult> result;
  try {
    result = first_run(options, circles);
  } catch (const by_line::LinesMet&) {
    start_over_before_use(0, options.threads);
    return {};
  } catch (...) {  // lines have come to different cycles
    start_over_before_use(seen, options.threads);
    throw;
  }
  const bool faulted = result->stop == engine::Stop::fault;
  const bool stuck = result->stop == engine::Stop::quiet && lanes_.anything_left();
  if (faulted || stuck) {  // for a report of the deadlock with tallies, and for exact counts
    start_over_before_use(0, options.threads);
    return {};
  }
  done_ = true;
  start_.reset();
  return result;
}

RunHistory FirstRunStepper::history() const {
  RunHistory history = whole().history();
  history.wall += lost_;
  history.begun = begun_;
  history.by_line = done_ && way_ != FirstRun::counting_ahead;
  return history;
}

/// ... and is stepped up to a cycle then.
void FirstRunStepper::start_over_before_use(std::uint64_t cycle, int threads) {
  catch_up_ = {.limit = cycle, .threads = threads};
  starts_over_ = true;
}

Stepper& FirstRunStepper::whole() const {
  if (starts_over_) start_over();
  return *stepper_;
}

void FirstRunStepper::start_over() const {
  const std::lock_guard lock(starting_over_);
  if (!starts_over_) return;
  if (stepper_) lost_ += stepper_->history().wall;
  stepper_.reset();  // first, as both may be large
  stepper_ = start_->make(way_ != FirstRun::counting_ahead);
  if (catch_up_.limit > 0) stepper_->run(catch_up_);
  start_.reset();
  starts_over_ = false;  // last: where memory was short, the next use tries once more
}

}  // namespace weft::fabric
