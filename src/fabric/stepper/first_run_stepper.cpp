#include "fabric/stepper/first_run_stepper.hpp"

#include <utility>

#include "base/processes.hpp"
#include "by_line/lines.hpp"
#include "fabric/stepper/line_path.hpp"

namespace weft::fabric {

FirstRunStepper::FirstRunStepper(std::unique_ptr<LaneStepper> lanes, std::unique_ptr<Start> start,
                                 FirstRun way, bool finds_path)
    : way_(way),
      finds_path_(finds_path),
      start_(std::move(start)),
      lines_(lanes.get()),
      lanes_(lanes.get()) {
  stepper_ = std::move(lanes);
}

FirstRunStepper::FirstRunStepper(std::unique_ptr<LinesStepper> lines, std::unique_ptr<Start> start,
                                 FirstRun way)
    : way_(way),
      finds_path_(false),
      start_(std::move(start)),
      lines_(lines.get()),
      lanes_(nullptr),
      processes_(lines->processes()) {
  stepper_ = std::move(lines);
}

void FirstRunStepper::write(const Rect& where, std::size_t first,
                            std::span<const std::uint32_t> words) {
  go_on();
  whole().write(where, first, words);
  if (!begun_) start_->keep(where, first, words);
}

void FirstRunStepper::read(const Rect& where, std::size_t first,
                           std::span<std::uint32_t> words) const {
  whole().read(where, first, words);
}

void FirstRunStepper::activate(const Rect& where, int task) {
  go_on();
  whole().activate(where, task);
  if (!begun_) start_->keep(where, task);
}

/// For runs after the first one, or without what that is made by.
Stepper& FirstRunStepper::prepared() {
  go_on();
  if (!begun_ && finds_path_) lanes_->record_path(start_->layout(), start_->machine());
  Stepper& stepper = whole();
  begun_ = true;
  start_.reset();
  return stepper;
}

engine::RunResult FirstRunStepper::run(const engine::RunOptions& options) {
  return prepared().run(options);
}

engine::RunResult FirstRunStepper::run_until_idle(engine::RunOptions options,
                                                  const std::function<bool()>& circles) {
  if (!begun_ && (finds_path_ ? start_->can_make_beside() : start_->complete()))
    if (std::optional<engine::RunResult> result = attempt(options, circles)) return *result;
  return prepared().run_until_idle(std::move(options), circles);
}

/// Throws LinesMet where it has failed.
engine::RunResult FirstRunStepper::first_run(const engine::RunOptions& options,
                                             const std::function<bool()>& circles) {
  if (way_ == FirstRun::counting_ahead) return lanes_->run_counting_ahead(options, circles);
  try {
    return run_by_line(options);
  } catch (const by_line::EqualLinesDiffered&) {
    if (!start_->can_make_beside()) throw;
  }
  start_over_without_equal_lines();
  return run_by_line(options);
}

/// By line, from the beginning.
void FirstRunStepper::start_over_without_equal_lines() {
  lost_ += stepper_->history().wall;
  lines_ = nullptr;
  stepper_.reset();  // first, as both may be large
  std::unique_ptr<LinesStepper> lines = start_->make_without_equal_lines();
  lines_ = lines.get();
  if (lanes_ != nullptr) lanes_ = static_cast<LaneStepper*>(lines_);
  stepper_ = std::move(lines);
}

engine::RunResult FirstRunStepper::run_by_line(const engine::RunOptions& options) {
  const bool must_pay = way_ == FirstRun::by_line_if_it_pays;
  if (!finds_path_) return lines_->run_by_line(options, must_pay, nullptr);
  LinePath path(*start_);
  engine::RunResult result = lanes_->run_by_line(options, must_pay, &path);
  engine::RunOptions again = options;  // as far as it has come, for whoever wants to stop it
  if (options.progress) again.progress = [&](std::uint64_t) { options.progress(result.cycle); };
  if (lanes_->anything_left()) return result;
  const auto begin = std::chrono::steady_clock::now();
  path_ = path.find(*lanes_, again);
  lost_ += std::chrono::steady_clock::now() - begin;
  return result;
}

/// The fabric is about to be changed, or stepped further: the path of all its runs is to be found
/// without lines.
void FirstRunStepper::go_on() {
  const std::lock_guard lock(starting_over_);
  if (!path_) return;
  if (!start_->has_all())
    throw Error(ErrorCategory::emulator, "the fabric has found its critical path by line",
                "nobody can write its memory again, to step it further", "please report it");
  path_.reset();
  start_over_before_use(stepper_->history().cycle, catch_up_.threads);
}

/// None: it must be done without.
std::optional<engine::RunResult> FirstRunStepper::attempt(engine::RunOptions options,
                                                          const std::function<bool()>& circles) {
  begun_ = true;
  catch_up_.threads = options.threads;
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
    if (lines_ == nullptr || !lines_->lost())
      start_over_before_use(base::greatest(processes_, seen), options.threads);
    throw;
  }
  const bool faulted = result->stop == engine::Stop::fault;
  const bool stuck = result->stop == engine::Stop::quiet && stepper_->anything_left();
  if (faulted || stuck) {  // for a report of the deadlock with tallies, and for exact counts
    start_over_before_use(result->thrown ? result->cycle : 0, options.threads);
    if (result->thrown) return result;  // the next run tells
    return {};
  }
  done_ = true;
  if (!path_) start_.reset();
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
