#include "differential/observed.hpp"

#include <algorithm>
#include <bit>

#include "by_line/delay_lines.hpp"
#include "by_line/lines.hpp"
#include "engine/clock.hpp"
#include "engine/step_functions.hpp"
#include "model/core/group.hpp"
#include "support/link_rests.hpp"

namespace weft::test {
namespace {

using by_line::DelayLine;
using model::CoreState;
using model::has;
using model::kNever;
using model::Mask;
using model::View;

/// Some of the lanes have f(lane).
template <class F>
bool any_of(Mask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1)
    if (f(model::lowest(lanes))) return true;
  return false;
}

void look_at_strip(const View& v, std::size_t i, std::uint64_t now, Observed& seen) {
  const model::StripState& strip = v.strip[i];
  const CoreState& core = v.core[i];
  if (strip.straight && strip.left_cycle == now) ++seen.straight;
  if (any_of(core.ending, [&](int lane) { return core.wake[lane] > now; })) ++seen.ahead;
  const auto waits = [&](int lane) { return core.wake[lane] <= now && core.deadline[lane] > now; };
  if (any_of(model::in_code(core), waits)) ++seen.later;
  const auto formed = [](const model::Microthread& t) {
    return std::popcount(t.formed & ~t.starting) >= 6;
  };
  if (std::ranges::any_of(core.microthread, formed)) ++seen.formed;
}

/// The delay lines of a bundle before a cycle.
struct Before {
  std::vector<std::vector<std::uint64_t>> stepped, comes;

  explicit Before(const View& v) : stepped(kColors), comes(kColors) {
    for (std::uint32_t rest = v.bundle->delayed_colors; rest != 0; rest &= rest - 1) {
      const auto color = static_cast<std::size_t>(model::lowest(rest));
      const DelayLine& r = v.bundle->delay_lines[color];
      stepped[color].assign(r.stepped, r.stepped + (r.length + 63) / 64);
      comes[color].assign(r.accepted_at, r.accepted_at + r.length);
    }
  }

  void look(const View& v, std::uint64_t now, Observed& seen) const {
    for (std::uint32_t rest = v.bundle->delayed_colors; rest != 0; rest &= rest - 1) {
      const auto color = static_cast<std::size_t>(model::lowest(rest));
      const DelayLine& r = v.bundle->delay_lines[color];
      seen.delayed += static_cast<std::uint64_t>(r.begun);
      for (std::size_t word = 0; word < stepped[color].size(); ++word) {
        seen.stepping_begun +=
            static_cast<std::uint64_t>(std::popcount(r.stepped[word] & ~stepped[color][word]));
        seen.stepping_ended +=
            static_cast<std::uint64_t>(std::popcount(stepped[color][word] & ~r.stepped[word]));
      }
      for (int place = 0; place < r.length; ++place)
        if (comes[color][static_cast<std::size_t>(place)] == now && !r.is_stepped(place))
          ++seen.let_through;
    }
  }
};

void step_lines(const View& view, Observed& seen) {
  for (std::uint64_t now = 0;;) {
    const Before before(view);
    const engine::BlockFacts facts = engine::step_functions().step_bundle_cycle(view, now);
    before.look(view, now, seen);
    for (int strip = 0; strip < view.rows; ++strip)
      for (const model::Microthread& t : view.core[strip].microthread)
        if (t.alike != 0) ++seen.shared;
    const std::uint64_t next = facts.activity.moved != 0
                                   ? std::min(facts.next_timed, facts.next_polled)
                                   : facts.next_timed;
    if (facts.fault != kNever || next >= view.horizon) return;
    now = next;
  }
}

}  // namespace

Observed& Observed::operator+=(const Observed& more) {
  straight += more.straight;
  woken += more.woken;
  ahead += more.ahead;
  later += more.later;
  formed += more.formed;
  delayed += more.delayed;
  let_through += more.let_through;
  stepping_begun += more.stepping_begun;
  stepping_ended += more.stepping_ended;
  shared += more.shared;
  return *this;
}

Observed observe(const Case& c, std::uint64_t cycles) {
  fabric::State state = state_of(c);
  View view = state.view();
  view.horizon = cycles;
  const engine::RowFunctions& step = engine::step_functions().rows;
  const auto has_work = [&](std::size_t i, std::uint64_t now) {
    return std::min({view.route_wake[i], view.deliver_wake[i], view.core_wake[i]}) <= now;
  };
  Observed seen;
  std::vector<bool> had_work(view.strip_count(), true);
  LinkRests links(view);
  for (std::uint64_t now = 0; now < cycles; ++now) {
    links.begin_cycle(now);
    for (int row = 0; row < view.rows; ++row) step.route(view, row, now);
    // Those with nothing to route may have work that came by a link in this cycle.
    for (std::size_t i = 0; i < view.strip_count(); ++i) {
      const bool works = has_work(i, now) || view.strip[i].left_cycle == now;
      if (works && !had_work[i]) ++seen.woken;
      had_work[i] = works;
    }
    for (int row = 0; row < view.rows; ++row) step.deliver_and_core(view, row, now);
    for (std::size_t i = 0; i < view.strip_count(); ++i) look_at_strip(view, i, now, seen);
  }
  return seen;
}

Observed observe_by_line(const Case& c) {
  fabric::State state = state_of(c);
  const View whole = state.view();
  Observed seen;
  const std::optional<by_line::LineFacts> facts = by_line::lines_of(whole);
  if (!facts) return seen;
  const auto pes = static_cast<std::size_t>(whole.width) * static_cast<std::size_t>(whole.height);
  const by_line::PeTimes times{std::vector<std::uint64_t>(pes, 0),
                               std::vector<std::uint64_t>(pes, kNever)};
  const bool rows = facts->along_rows != 0 || facts->along_columns == 0;
  const int count = rows ? whole.height : whole.width;
  by_line::BundleState bundle(*facts, std::max(whole.width, whole.height));
  for (int line = 0; line < count; line += model::kLanes) {
    const by_line::LineGroup lines =
        by_line::neighbours(rows, line, std::min(model::kLanes, count - line), 0, true);
    View view = bundle.take(whole, lines, times);
    view.horizon = c.limit;
    step_lines(view, seen);
  }
  return seen;
}

}  // namespace weft::test
