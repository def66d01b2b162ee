#include "fabric/stepper/line_path.hpp"

#include <algorithm>
#include <optional>

#include "by_line/line_again.hpp"
#include "fabric/path/missing.hpp"

namespace weft::fabric {
namespace {

using by_line::KeptLine;
using by_line::LineGroup;
using by_line::LinesMet;
using by_line::PeTimes;
using by_line::Phase;
using model::kNever;
using model::View;

/// Chosen: to follow a line takes a thousandth of the time of a plain step of its mesh or more.
constexpr std::size_t kMostLines = 64;

/// The line alone, with the clock that it has in its bundle.
std::optional<LineGroup> alone(const Phase& phase, int line) {
  for (const LineGroup& bundle : phase.bundles)
    for (std::size_t n = 0; n < static_cast<std::size_t>(bundle.count); ++n)
      if (bundle.line[n] == line)
        return by_line::neighbours(bundle.rows, line, 1, bundle.start - bundle.clock_lag[n],
                                   bundle.begins);
  return {};
}

struct Enough {};

/// Runs by line that keep lines: all are the same, as far as they come.
class Keeper : public LinesOfPhases {
 public:
  /// `phases`: of the run.
  Keeper(const Start& start, int phases) : start_(start), phases_(phases) {}

  const std::map<LineOfPhase, KeptLine>& kept() const { return kept_; }
  /// Of the first run.
  const LinesOfPhases& lines() const { return first_; }
  const by_line::LineFacts& facts() const { return facts_; }

  /// Keeps these lines too.
  void keep(const std::set<LineOfPhase>& wanted, const engine::RunOptions& options) {
    wanted_ = wanted;
    const std::unique_ptr<LaneStepper> stepper = start_.make_beside();
    try {
      stepper->run_by_line(options, false, this);
    } catch (const Enough&) {
    }
    if (!wanted_.empty()) throw LinesMet{};
  }

  void begins(const Phase& phase) override {
    check(phase);
    facts_ = phase.facts;
    if (phase.number >= first_.phases()) first_.begins(phase);
    for (auto& [at, kept] : kept_)
      if (at.phase + 1 == phase.number && kept.until.empty()) kept.until = stops_of(kept, phase);
    const auto end = wanted_.lower_bound({phase.number + 1, 0});
    for (auto at = wanted_.begin(); at != end; at = wanted_.erase(at)) keep(phase, at->line);
    const bool needs_times = phase.number + 1 < phases_ && times_.size() < phases();
    if (wanted_.empty() && !needs_times) throw Enough{};
  }

 private:
  std::size_t phases() const { return static_cast<std::size_t>(phases_); }

  /// Lines stop in the same cycles each time.
  void check(const Phase& phase) {
    const auto n = static_cast<std::size_t>(phase.number);
    if (n == times_.size()) {
      times_.push_back(phase.times);
    } else if (times_[n].stopped != phase.times.stopped || times_[n].from != phase.times.from) {
      throw LinesMet{};
    }
  }

  void keep(const Phase& phase, int line) {
    const std::optional<LineGroup> group = alone(phase, line);
    if (!group) throw LinesMet{};
    by_line::BundleState state(phase.facts, std::max(phase.whole.width, phase.whole.height));
    KeptLine& kept = kept_[{phase.number, line}] = state.keep(phase.whole, *group, phase.times);
    const auto next = static_cast<std::size_t>(phase.number) + 1;
    if (next < times_.size()) kept.until = stops_of(kept, times_[next], phase.whole.width);
  }

  static std::vector<std::uint64_t> stops_of(const KeptLine& kept, const Phase& next) {
    return stops_of(kept, next.times, next.whole.width);
  }
  static std::vector<std::uint64_t> stops_of(const KeptLine& kept, const PeTimes& times,
                                             int width) {
    std::vector<std::uint64_t> stops(kept.from.size());
    for (std::size_t place = 0; place < stops.size(); ++place)
      stops[place] = times.stopped[kept.line.pe(width, 0, static_cast<int>(place))];
    return stops;
  }

  const Start& start_;
  const int phases_;
  LinesOfPhases first_{};
  by_line::LineFacts facts_{};
  std::vector<PeTimes> times_{};  ///< as each phase begins
  std::set<LineOfPhase> wanted_{};
  std::map<LineOfPhase, KeptLine> kept_{};
};

/// A PE as it is at the beginning of a line: in lane 0 of a strip.
path::Unknown unknown(const View& line, const KeptLine& kept, int place, std::int32_t pe) {
  const model::CoreState& core = line.core[place];
  const auto held = [](const model::RampQueue& queue, unsigned color) {
    path::Unknown::Queue facts;
    for (const model::Mask valid : queue.valid) facts.wavelets += model::has(valid, 0) ? 1 : 0;
    if (facts.wavelets > 0) facts.color = static_cast<int>(color);
    return facts;
  };
  path::Unknown all{.pe = pe, .from = kept.from[static_cast<std::size_t>(place)]};
  for (std::size_t q = 0; q < kInputQueues; ++q) {
    all.input[q] = held(core.in[q], core.queue_color[q][0]);
    const model::Microthread& t = core.microthread[q];
    all.microthread[q] = -1;
    if (model::has(t.live, 0))
      all.microthread[q] = static_cast<std::int32_t>(t.pc.at[0]) -
                           static_cast<std::int32_t>(line.programs[core.program[0]].first);
  }
  for (std::size_t q = 0; q < kOutputQueues; ++q)
    all.output[q] = held(core.out[q], core.out[q].color[0]);
  return all;
}

/// Follows the events of all kept lines.
std::unique_ptr<path::Recorder> record(const Start& start, const View& whole, const Keeper& keeper,
                                       const engine::RunOptions& options) {
  auto recorder = std::make_unique<path::Recorder>(start.layout(), start.machine());
  by_line::LineAgain again(whole, keeper.facts());
  for (const auto& [at, kept] : keeper.kept()) {
    const View& line = again.take_up(kept);
    for (int place = 0; place < line.rows; ++place) {
      const auto pe = static_cast<std::int32_t>(kept.line.pe(whole.width, 0, place));
      const LineOfPhase before =
          keeper.lines().last_before(at.phase, pe % whole.width, pe / whole.width);
      if (before.phase < 0 || keeper.kept().contains(before)) continue;
      path::Unknown facts_of_pe = unknown(line, kept, place, pe);
      facts_of_pe.before = before.phase;
      recorder->begin(facts_of_pe);
    }
    again.step(options, [&](std::span<const Event> events) { recorder->take(events); });
  }
  return recorder;
}

/// The last end of a task, and the first PE, by row and column, that came to one in that cycle.
struct LastEnd {
  std::uint64_t cycle = 0;
  int x = 0, y = 0;
};

LastEnd last_end(const View& v) {
  LastEnd last;
  for (int y = 0; y < v.height; ++y)
    for (int x = 0; x < v.width; ++x) {
      const auto [strip, lane] = model::address_of(v.strips, x, y);
      if (!v.strip[strip].programmed || !model::has(v.core[strip].placed, lane)) continue;
      if (v.core[strip].wake[lane] > last.cycle) last = {v.core[strip].wake[lane], x, y};
    }
  return last;
}

}  // namespace

void LinesOfPhases::begins(const by_line::Phase& phase) {
  const bool rows = phase.bundles.front().rows;
  Stepped stepped{rows, {}};
  stepped.lines.resize(static_cast<std::size_t>(rows ? phase.whole.height : phase.whole.width));
  for (const LineGroup& bundle : phase.bundles)
    for (std::size_t n = 0; n < static_cast<std::size_t>(bundle.count); ++n)
      stepped.lines[static_cast<std::size_t>(bundle.line[n])] = true;
  stepped_.push_back(std::move(stepped));
}

LineOfPhase LinesOfPhases::last_before(int phase, int x, int y) const {
  while (--phase >= 0) {
    const Stepped& stepped = stepped_[static_cast<std::size_t>(phase)];
    const int line = stepped.rows ? y : x;
    if (stepped.lines[static_cast<std::size_t>(line)]) return {phase, line};
  }
  return {-1, 0};
}

void LinePath::ended(const LineGroup& lines, const by_line::LastDone& last) {
  ended_.push_back({phases() - 1, lines, last.other});
}

std::unique_ptr<path::Recorder> LinePath::find(const LaneStepper& stepped,
                                               const engine::RunOptions& options) const {
  const View whole = stepped.view();
  const LastEnd end = last_end(whole);
  const LineOfPhase of_end = last_before(phases(), end.x, end.y);
  if (of_end.phase < 0) throw LinesMet{};
  std::set<LineOfPhase> wanted = {of_end};
  for (const Ended& bundle : ended_)  // lines that may have done something as late
    for (std::size_t n = 0; n < static_cast<std::size_t>(bundle.lines.count); ++n)
      if (bundle.other >= end.cycle + bundle.lines.clock_lag[n])
        wanted.insert({bundle.phase, bundle.lines.line[n]});

  Keeper keeper(start_, phases());
  while (keeper.kept().size() + wanted.size() <= kMostLines) {
    keeper.keep(wanted, options);
    std::unique_ptr<path::Recorder> recorder = record(start_, whole, keeper, options);
    wanted.clear();
    const auto want_before = [&](int phase, std::int32_t pe) {
      const LineOfPhase before =
          keeper.lines().last_before(phase, pe % whole.width, pe / whole.width);
      if (before.phase >= 0 && !keeper.kept().contains(before)) wanted.insert(before);
    };
    for (const path::Missing& one : path::missing(*recorder)) want_before(one.before + 1, one.pe);
    if (recorder->last().left < end.cycle) {
      int phase = phases();  // the PE did that in a phase before the last of its line
      while (phase > 0 && keeper.kept().contains(keeper.lines().last_before(phase, end.x, end.y)))
        phase = keeper.lines().last_before(phase, end.x, end.y).phase;
      want_before(phase, end.y * whole.width + end.x);
    } else if (wanted.empty()) {
      return recorder;
    }
    if (wanted.empty()) break;
  }
  throw LinesMet{};
}

}  // namespace weft::fabric
