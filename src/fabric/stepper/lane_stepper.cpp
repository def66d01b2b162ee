#include "fabric/stepper/lane_stepper.hpp"

#include <algorithm>

#include "by_line/line_again.hpp"
#include "engine/left.hpp"
#include "fabric/build/strips.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/stepper/array_pages.hpp"
#include "fabric/stepper/folds.hpp"
#include "fabric/stepper/host_ends.hpp"
#include "fabric/stepper/lane_phases.hpp"

namespace weft::fabric {
namespace {

/// f(word of a PE's memory, its number) for the words from `word` on, `each` in number, of each PE
/// of a rectangle; they are numbered PE by PE, row by row. In turns of a few of each PE of a strip,
/// as these share cache lines.
template <class F>
void for_words(const State& s, const Rect& r, std::size_t word, std::size_t each, F f) {
  constexpr std::size_t kTurn = 64;  // chosen: words of a strip's PEs are 16 KiB
  for_strips(s, r, [&](std::size_t strip, model::Mask lanes) {
    const model::Place at = place(s, strip);
    std::uint32_t* words = s.memory.data() + (strip * s.memory_words + word) * kLanes;
    for (std::size_t first = 0; first < each; first += kTurn)
      for (model::Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = model::lowest(rest);
        const int pe = (at.y(lane) - s.north - r.y) * r.width + at.x(lane) - s.west - r.x;
        const std::size_t number = static_cast<std::size_t>(pe) * each;
        for (std::size_t i = first; i < std::min(first + kTurn, each); ++i)
          f(words[i * kLanes + static_cast<std::size_t>(lane)], number + i);
      }
  });
}

/// Events are emitted without accelerations.
Accelerations accelerations_of(const FabricOptions& options) {
  const bool emits = !options.observe.events.empty() || options.observe.path;
  return emits ? by_line::kNoAccelerations : options.accelerate;
}

}  // namespace

LaneStepper::LaneStepper(const Layout& layout, const Machine& machine, const FabricOptions& options,
                         std::optional<OwnStrips> own)
    : state_(build(layout, machine, accelerations_of(options), own)),
      programs_(facts_of_programs(state_.code, state_.programs)) {
  state_.data = options.data;
  state_.tally = options.tally;
  if (!options.observe.events.empty() || options.observe.path)
    events_ = std::make_unique<LaneEvents>(options.observe, layout, machine, state_);
  if (!options.observe.counts) return;
  lines_ = lines_of_programs(layout, state_.programs.size());
  start_counting(state_, layout, lines_, options.observe);
}

void LaneStepper::write(const Rect& where, std::size_t first,
                        std::span<const std::uint32_t> words) {
  for_words(state_, where, first, words_each(where, words.size()),
            [&](std::uint32_t& word, std::size_t number) { word = words[number]; });
}

void LaneStepper::read(const Rect& where, std::size_t first, std::span<std::uint32_t> words) const {
  for_words(state_, where, first, words_each(where, words.size()),
            [&](const std::uint32_t& word, std::size_t number) { words[number] = word; });
}

void LaneStepper::activate(const Rect& where, int task) {
  for_strips(state_, where, [&](std::size_t strip, model::Mask lanes) {
    model::CoreState& core = state_.core[strip];
    core.local_active[task] |= lanes;
    core.local_any |= 1U << task;
    model::earlier(state_.core_wake[strip], history_.cycle);
    model::earlier(state_.core_row[strip / static_cast<std::size_t>(state_.strips)],
                   history_.cycle);
  });
}

void LaneStepper::send(const HostEnd& end, std::span<const std::uint32_t> words) {
  words_at(state_, end).append(words);
}

void LaneStepper::receive(const HostEnd& end, std::span<std::uint32_t> words) {
  words_at(state_, end).take(words);
}

std::size_t LaneStepper::host_words(const HostEnd& end) const {
  return words_at(state_, end).held();
}

engine::RunResult LaneStepper::run(const engine::RunOptions& options) {
  threads_ = options.threads;
  if (state_.data && history_.cycle == 0) populate_arrays(state_, options.threads);
  return history_.add([&](std::uint64_t cycle) {
    if (events_ && events_->log().is_open()) return events_->run(state_, cycle, options);
    state_.events = nullptr;
    return state_.counts ? run_counting(cycle, options)
                         : engine::run_on_host(state_.view(), cycle, options);
  });
}

/// In pieces that counts can hold.
engine::RunResult LaneStepper::run_counting(std::uint64_t cycle,
                                            const engine::RunOptions& options) {
  return run_and_fold(
      cycle, options, [this](std::uint64_t now) { fold(state_, now); },
      [this](std::uint64_t now, const engine::RunOptions& piece) {
        return engine::run_on_host(state_.view(), now, piece);
      });
}

void LaneStepper::record_path(const Layout& layout, const Machine& machine) {
  state_.fast = by_line::kNoAccelerations;
  std::ranges::fill(state_.private_cycles, 0U);
  Observation asked;
  asked.path = true;
  events_ = std::make_unique<LaneEvents>(asked, layout, machine, state_);
}

void LaneStepper::ask_for_pages() const {
  if (state_.data) ask_for_pages_of_arrays(state_);
}

bool LaneStepper::has_lines() const { return by_line::lines_of(state_.view()).has_value(); }

engine::RunResult LaneStepper::run_by_line(engine::RunOptions options, bool must_pay,
                                           by_line::Watcher* watcher,
                                           by_line::SharedLines* shared) {
  threads_ = options.threads;
  state_.tally = false;  // bundles keep none
  if (state_.counts) options.limit = std::min(options.limit, kMostBetweenFolds);
  return history_.add([&](std::uint64_t cycle) {
    return by_line::run(state_.view(), cycle, options, must_pay, watcher, shared);
  });
}

engine::RunResult LaneStepper::run_counting_ahead(const engine::RunOptions& options,
                                                  const std::function<bool()>& circles) {
  state_.counts->view.ahead = true;
  engine::RunResult result = run_until_idle(options, circles);
  state_.counts->view.ahead = false;
  return result;
}

RunHistory LaneStepper::history() const { return history_; }

Fault LaneStepper::first_fault() const { return fabric::first_fault(state_); }

bool LaneStepper::anything_left() const { return engine::anything_left(state_.view()); }

engine::Totals LaneStepper::totals() const {
  engine::Totals all;
  for (std::size_t i = 0; i < state_.strip_count(); ++i) all.add(state_.strip[i]);
  return all;
}

PeState LaneStepper::pe_state(int x, int y) const {
  return fabric::pe_state(state_, programs_, x, y, history_.cycle);
}

Profile LaneStepper::profile() const {
  return state_.counts ? profile_of(state_, lines_, history_.cycle, threads_) : Stepper::profile();
}

Profile LaneStepper::take_profile() {
  if (!state_.counts) return Stepper::profile();
  return fabric::take_profile(state_, lines_, history_.cycle, threads_);
}

std::vector<PhaseCounts> LaneStepper::phases() const {
  if (!state_.counts) return {};
  settle_counts(state_, history_.cycle);
  return counts_of_phases(state_, placed_lanes(state_), threads_, OfPhase::states);
}

}  // namespace weft::fabric
