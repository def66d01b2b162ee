#include "fabric/stepper/by_line_stepper.hpp"

#include <utility>

#include "by_line/lines.hpp"
#include "fabric/stepper/line_path.hpp"

namespace weft::fabric {

ByLineStepper::ByLineStepper(std::unique_ptr<LaneStepper> lanes, std::unique_ptr<Start> start,
                             bool must_pay, bool finds_path)
    : must_pay_(must_pay), finds_path_(finds_path), start_(std::move(start)), lanes_(*lanes) {
  stepper_ = std::move(lanes);
}

void ByLineStepper::write(const Rect& where, std::size_t first,
                          std::span<const std::uint32_t> words) {
  go_on();
  whole().write(where, first, words);
  if (!begun_) start_->keep(where, first, words);
}

void ByLineStepper::read(const Rect& where, std::size_t first,
                         std::span<std::uint32_t> words) const {
  whole().read(where, first, words);
}

void ByLineStepper::activate(const Rect& where, int task) {
  go_on();
  whole().activate(where, task);
  if (!begun_) start_->keep(where, task);
}

engine::RunResult ByLineStepper::run(const engine::RunOptions& options) {
  go_on();
  if (!begun_ && finds_path_) lanes_.record_path(start_->layout(), start_->machine());
  Stepper& stepper = whole();
  begun_ = true;
  start_.reset();
  return stepper.run(options);
}

engine::RunResult ByLineStepper::run_until_idle(engine::RunOptions options,
                                                const std::function<bool()>& circles) {
  if (!begun_ && start_->complete())
    if (std::optional<engine::RunResult> result = try_by_line(options)) return *result;
  return Stepper::run_until_idle(std::move(options), circles);
}

/// None: it must be done without lines.
std::optional<engine::RunResult> ByLineStepper::try_by_line(engine::RunOptions options) {
  begun_ = true;
  std::uint64_t seen = 0;
  if (options.progress)
    options.progress = [&seen, progress = std::move(options.progress)](std::uint64_t cycle) {
      seen = cycle;
      progress(cycle);
    };
  std::optional<engine::RunResult> result;
  try {
    result = run_by_line(options);
  } catch (const by_line::LinesMet&) {
    start_over_before_use(0, options.threads);
    return {};
  } catch (...) {  // lines have come to different cycles
    start_over_before_use(seen, options.threads);
    throw;
  }
  if (lanes_.anything_left()) {  // for a report of the deadlock with tallies
    start_over_before_use(0, options.threads);
    return {};
  }
  by_line_ = true;
  if (!path_) start_.reset();
  return result;
}

engine::RunResult ByLineStepper::run_by_line(const engine::RunOptions& options) {
  if (!finds_path_) return lanes_.run_by_line(options, must_pay_);
  LinePath path(*start_);
  const engine::RunResult result = lanes_.run_by_line(options, must_pay_, &path);
  engine::RunOptions again = options;  // as far as it has come, for whoever wants to stop it
  if (options.progress) again.progress = [&](std::uint64_t) { options.progress(result.cycle); };
  if (lanes_.anything_left()) return result;
  const auto begin = std::chrono::steady_clock::now();
  path_ = path.find(lanes_, again);
  lost_ += std::chrono::steady_clock::now() - begin;
  return result;
}

/// The fabric is about to be changed, or stepped further: the path of all its runs is to be found
/// without lines.
void ByLineStepper::go_on() {
  if (!path_) return;
  if (!start_->has_all())
    throw Error(ErrorCategory::emulator, "the fabric has found its critical path by line",
                "nobody can write its memory again, to step it further", "please report it");
  path_.reset();
  start_over_before_use(history().cycle, 1);
}

RunHistory ByLineStepper::history() const {
  RunHistory history = whole().history();
  history.wall += lost_;
  history.begun = begun_;
  history.by_line = by_line_;
  return history;
}

/// ... and is stepped up to a cycle then.
void ByLineStepper::start_over_before_use(std::uint64_t cycle, int threads) {
  catch_up_ = {.limit = cycle, .threads = threads};
  starts_over_ = true;
}

Stepper& ByLineStepper::whole() const {
  if (starts_over_) start_over();
  return *stepper_;
}

void ByLineStepper::start_over() const {
  const std::lock_guard lock(starting_over_);
  if (!starts_over_) return;
  if (stepper_) lost_ += stepper_->history().wall;
  stepper_.reset();  // first, as both may be large
  stepper_ = start_->make();
  if (catch_up_.limit > 0) stepper_->run(catch_up_);
  start_.reset();
  starts_over_ = false;  // last: where memory was short, the next use tries once more
}

}  // namespace weft::fabric
