#include "by_line/equal_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "by_line/lane_fields.hpp"
#include "model/core/work.hpp"
#include "model/state/counts_state.hpp"

namespace weft::by_line {
namespace {

using model::has;
using model::kNever;
using model::LaneAddress;
using model::View;

/// A PE in the whole fabric, and its line's clock.
struct Pe {
  LaneAddress at;
  std::uint64_t clock;
};

/// Two PEs at the same place of lines.
class Pair {
 public:
  /// `unread`: colors whose routers, and whose numbers as that of an idle queue, are not read.
  Pair(const View& v, std::uint32_t unread, std::uint32_t unread_present, const Pe& a, const Pe& b)
      : v_(v), unread_(unread), unread_present_(unread_present), a_(a), b_(b) {}

  /// They are in the same state, but for their memory.
  bool equal(std::uint32_t colors) const {
    const model::CoreState &mine = v_.core[a_.at.strip], &theirs = v_.core[b_.at.strip];
    if (!fields(kCoreFields, mine, theirs)) return false;
    for (int u = 0; u < model::kMicrothreads; ++u)
      if (!microthreads(mine.microthread[u], theirs.microthread[u])) return false;
    for (int q = 0; q < kInputQueues; ++q)
      if (!ramps(mine.in[q], theirs.in[q]) ||
          !present(mine.queue_color[q][a_.at.lane], theirs.queue_color[q][b_.at.lane]))
        return false;
    for (int q = 0; q < kOutputQueues; ++q)
      if (!ramps(mine.out[q], theirs.out[q])) return false;
    for (std::uint32_t rest = colors & ~unread_; rest != 0; rest &= rest - 1)
      if (!routers(model::lowest(rest))) return false;
    return v_.counts == nullptr || counts();
  }

  /// So many words of their memory are, of `most`.
  std::size_t equal_words(std::size_t most) const {
    const std::uint32_t *mine = memory(a_), *theirs = memory(b_);
    std::size_t word = 0;
    while (word < most && mine[word * model::kLanes] == theirs[word * model::kLanes]) ++word;
    return word;
  }

 private:
  bool bits(model::Mask mine, model::Mask theirs) const {
    return has(mine, a_.at.lane) == has(theirs, b_.at.lane);
  }

  const std::uint32_t* memory(const Pe& pe) const {
    const auto strip = static_cast<std::size_t>(pe.at.strip);
    return v_.memory + strip * v_.memory_words * model::kLanes + pe.at.lane;
  }

  template <class T>
  bool fields(std::span<const LaneField> fields, const T& mine, const T& theirs) const {
    return std::ranges::all_of(fields, [&](const LaneField& field) {
      for (std::size_t k = 0; k < field.count; ++k)
        if (!one(field.kind, mine, theirs, field.offset + k * bytes_of(field.kind))) return false;
      return true;
    });
  }

  template <class T>
  bool one(Kind kind, const T& mine, const T& theirs, std::size_t offset) const {
    const auto word = [&]<class Word>(const T& object, const Pe& pe, Word) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&object) + offset;
      return reinterpret_cast<const Word*>(bytes)[pe.at.lane];
    };
    const auto alike = [&](auto of) { return word(mine, a_, of) == word(theirs, b_, of); };
    switch (kind) {
      case Kind::bit: {
        const auto mask = [&](const T& object) {
          return *reinterpret_cast<const model::Mask*>(reinterpret_cast<const std::byte*>(&object) +
                                                       offset);
        };
        return bits(mask(mine), mask(theirs));
      }
      case Kind::byte:
        return alike(std::uint8_t{});
      case Kind::half:
        return alike(std::uint16_t{});
      case Kind::word:
        return alike(std::uint32_t{});
      case Kind::cycle:
        return word(mine, a_, std::uint64_t{}) - a_.clock ==
               word(theirs, b_, std::uint64_t{}) - b_.clock;
    }
    return false;
  }

  bool microthreads(const model::Microthread& mine, const model::Microthread& theirs) const {
    return fields(kMicrothreadFields, mine, theirs) &&
           (!has(mine.live, a_.at.lane) ||
            (fields(kFirstElement, mine, theirs) &&
             model::work_in(mine, a_.at.lane) == model::work_in(theirs, b_.at.lane)));
  }

  bool ramps(const model::RampQueue& mine, const model::RampQueue& theirs) const {
    for (std::uint64_t slot = 0; slot < model::kDelaySlots; ++slot)
      if (!bits(mine.arriving[(slot + a_.clock) % model::kDelaySlots],
                theirs.arriving[(slot + b_.clock) % model::kDelaySlots]))
        return false;
    return fields(kRampFields, mine, theirs) &&
           (!has(mine.valid[0], a_.at.lane) || fields(kRampWavelets, mine, theirs));
  }

  /// The present colors of an input queue.
  bool present(unsigned mine, unsigned theirs) const {
    return mine == theirs ||
           ((unread_present_ >> mine & 1U) != 0 && (unread_present_ >> theirs & 1U) != 0);
  }

  bool routers(int color) const {
    const std::int32_t a = v_.strip[a_.at.strip].color_state[color];
    const std::int32_t b = v_.strip[b_.at.strip].color_state[color];
    const auto has_color = [&](std::int32_t state, const Pe& pe) {
      return state >= 0 && has(v_.colors[state].routed | v_.colors[state].filtered, pe.at.lane);
    };
    if (has_color(a, a_) != has_color(b, b_)) return false;
    if (!has_color(a, a_)) return true;
    const model::ColorState &mine = v_.colors[a], &theirs = v_.colors[b];
    if (!fields(kColorFields, mine, theirs)) return false;
    for (int port = 0; port < kPorts; ++port)
      if (!bits(mine.rx[port], theirs.rx[port]) || !bits(mine.tx[port], theirs.tx[port]) ||
          !bits(mine.opens[port], theirs.opens[port]))
        return false;
    const model::SwitchState &s = v_.switches[a], &t = v_.switches[b];
    if (!fields(kSwitchFields, s, t) || !fields(kPositions, s, t)) return false;
    return !has(mine.filtered, a_.at.lane) ||
           fields(kFilterFields, v_.filters[mine.filter], v_.filters[theirs.filter]);
  }

  /// What they count next depends on equal facts. Sums do not matter: what was under way is in them
  /// where a line was stepped before (BundleCounts::settle_tasks).
  bool counts() const {
    const model::StripCounts& mine = v_.counts->strip[a_.at.strip];
    const model::StripCounts& theirs = v_.counts->strip[b_.at.strip];
    for (const auto each : kCountBits)
      if (!bits(mine.*each, theirs.*each)) return false;
    const auto in = [&](model::Mask lanes) { return has(lanes, a_.at.lane); };
    const auto cycle = [&](const std::uint64_t* my, const std::uint64_t* their) {
      const std::uint64_t a = my[a_.at.lane], b = their[b_.at.lane];
      return a == kNever || b == kNever ? a == b : a - a_.clock == b - b_.clock;
    };
    if (in(mine.open) && !cycle(mine.since, theirs.since)) return false;
    if (in(mine.open | mine.starting) && !cycle(mine.until, theirs.until)) return false;
    const auto word = [](const model::Vector& of, const Pe& pe) { return of.at[pe.at.lane]; };
    const auto since = [&](const model::Vector& my, const model::Vector& their) {
      return word(my, a_) - static_cast<std::uint32_t>(a_.clock) ==
             word(their, b_) - static_cast<std::uint32_t>(b_.clock);
    };
    const auto number = [&](const model::StripCounts& of, const Pe& pe) {
      return std::pair(word(of.line, pe) - word(of.first_line, pe),
                       word(of.code, pe) - word(of.first_code, pe));
    };
    if (in(mine.in_task) &&
        (number(mine, a_) != number(theirs, b_) || !since(mine.line_since, theirs.line_since) ||
         !since(mine.code_since, theirs.code_since)))
      return false;
    return v_.counts->phases.mark == nullptr || phases();
  }

  bool phases() const {
    const model::Phases& all = v_.counts->phases;
    const model::StripPhases &mine = all.strip[a_.at.strip], &theirs = all.strip[b_.at.strip];
    const auto same = [&](const model::Vector& my, const model::Vector& their) {
      return my.at[a_.at.lane] == their.at[b_.at.lane];
    };
    if (!same(mine.marks, theirs.marks) || !same(mine.phase, theirs.phase)) return false;
    for (int u = 0; u < model::kMicrothreads; ++u) {
      if (!bits(mine.known[u], theirs.known[u])) return false;
      if (has(mine.known[u], a_.at.lane) && !same(mine.of_stream[u], theirs.of_stream[u]))
        return false;
    }
    const auto been = [&](const Pe& pe, std::size_t phase) {
      return has(all.sums[static_cast<std::size_t>(pe.at.strip) * all.phases + phase].been,
                 pe.at.lane);
    };
    for (std::size_t phase = 0; phase < all.phases; ++phase)
      if (been(a_, phase) != been(b_, phase)) return false;
    return true;
  }

  const View& v_;
  const std::uint32_t unread_, unread_present_;
  const Pe &a_, &b_;
};

/// Cycles after which links, queues and colors have their turns again, and programs see the same
/// clock.
std::uint64_t turn_period(const View& v, const LineFacts& facts) {
  if (facts.reads_clock) return kNever;
  constexpr std::uint64_t kOrders = 32;  // of colors, and of queues, which are fewer
  static_assert(kColors <= kOrders);
  const std::uint64_t period = v.timing.link_period();
  return period == 0 ? kOrders : std::lcm(kOrders, period);
}

/// Sorts lines into those that are in the same state.
class Sorting {
 public:
  /// `clocks`: of the lines.
  Sorting(const View& whole, const LineFacts& facts, const PeTimes& times, bool rows,
          const std::vector<int>& lines, const std::vector<std::uint64_t>& clocks)
      : v_(whole),
        facts_(facts),
        times_(times),
        rows_(rows),
        lines_(lines),
        clocks_(clocks),
        turn_period_(turn_period(whole, facts)),
        unread_(rows ? facts.along_columns : facts.along_rows),
        words_(facts.memory_bytes / 4) {}

  /// For each line, the first one that is in the same state, both by their places in `lines`.
  /// Empty: there are more states than lanes.
  std::vector<std::size_t> sort() {
    std::vector<std::size_t> first(lines_.size(), 0);
    std::size_t states = 1;
    for (int place = 0; place < (rows_ ? v_.width : v_.height); ++place) {
      const std::vector<std::size_t> before = first;
      std::vector<std::size_t> begun;  // here they part from the others
      for (std::size_t n = 0; n < first.size(); ++n) {
        if (before[n] == n || equal(n, before[n], place)) continue;
        const auto found = std::ranges::find_if(
            begun, [&](std::size_t m) { return before[m] == before[n] && equal(n, m, place); });
        first[n] = found == begun.end() ? n : *found;
        if (found != begun.end()) continue;
        begun.push_back(n);
        if (++states > model::kLanes) return {};
      }
    }
    return first;
  }

  /// Of each PE's memory, those that are alike in lines of a state.
  std::size_t words() const { return words_; }

 private:
  bool equal(std::size_t n, std::size_t m, int place) {
    if ((clocks_[n] - clocks_[m]) % turn_period_ != 0) return false;
    const Pe a = pe(n, place), b = pe(m, place);
    const auto same = [&](const std::vector<std::uint64_t>& cycle) {
      const std::uint64_t mine = cycle[number(n, place)], theirs = cycle[number(m, place)];
      if (mine == kNever || theirs == kNever) return mine == theirs;
      return mine - a.clock == theirs - b.clock;
    };
    const Pair pair(v_, unread_, unread_ & ~facts_.blocked, a, b);
    if (!same(times_.from) || !same(times_.stopped) || !pair.equal(facts_.colors)) return false;
    const std::size_t words = pair.equal_words(words_);
    if (v_.data && words < words_) return false;
    words_ = words;
    return true;
  }

  Pe pe(std::size_t n, int place) const {
    const int line = lines_[n];
    return {rows_ ? model::address_of(v_.strips, place, line)
                  : model::address_of(v_.strips, line, place),
            clocks_[n]};
  }

  std::size_t number(std::size_t n, int place) const {
    const int line = lines_[n];
    return static_cast<std::size_t>(rows_ ? line * v_.width + place : place * v_.width + line);
  }

  const View& v_;
  const LineFacts& facts_;
  const PeTimes& times_;
  const bool rows_;
  const std::vector<int>& lines_;
  const std::vector<std::uint64_t>& clocks_;
  const std::uint64_t turn_period_;
  const std::uint32_t unread_;
  std::size_t words_;
};

}  // namespace

std::optional<EqualLines> equal_lines(const View& whole, const LineFacts& facts,
                                      const PeTimes& times, const std::vector<LineGroup>& bundles) {
  const bool rows = bundles.front().rows;
  std::vector<int> lines;
  std::vector<std::uint64_t> clocks;
  for (const LineGroup& group : bundles)
    for (std::size_t n = 0; n < static_cast<std::size_t>(group.count); ++n) {
      lines.push_back(group.line[n]);
      clocks.push_back(group.start - group.clock_lag[n]);
    }
  Sorting sorting(whole, facts, times, rows, lines, clocks);
  const std::vector<std::size_t> first = sorting.sort();
  if (first.empty()) return {};

  EqualLines all;
  all.lane.resize(static_cast<std::size_t>(rows ? whole.height : whole.width));
  LineGroup& stepped = all.stepped;
  stepped.rows = rows;
  stepped.begins = bundles.front().begins;
  stepped.memory_bytes = static_cast<std::uint32_t>(4 * sorting.words());
  std::vector<std::size_t> latest;  // by lane
  std::vector<std::uint8_t> lane(first.size());
  for (std::size_t n = 0; n < first.size(); ++n) {
    if (first[n] == n) {
      lane[n] = static_cast<std::uint8_t>(latest.size());
      latest.push_back(n);
    } else {
      lane[n] = lane[first[n]];
    }
    std::size_t& there = latest[lane[n]];
    if (clocks[n] > clocks[there]) there = n;
    ++stepped.stands_for[lane[n]];
    all.lane[static_cast<std::size_t>(lines[n])] = lane[n];
  }
  if (latest.size() == first.size()) return {};
  stepped.count = static_cast<int>(latest.size());
  for (const std::size_t n : latest) stepped.start = std::max(stepped.start, clocks[n]);
  for (std::size_t k = 0; k < latest.size(); ++k) {
    stepped.line[k] = lines[latest[k]];
    stepped.clock_lag[k] = stepped.start - clocks[latest[k]];
  }
  all.in_lanes.reserve(first.size());
  for (std::size_t n = 0; n < first.size(); ++n)
    all.in_lanes.push_back({lines[n], lane[n], stepped.start - clocks[n]});
  std::ranges::stable_sort(all.in_lanes, {}, &model::LineInLane::lane);
  stepped.in_lanes = all.in_lanes;
  return all;
}

}  // namespace weft::by_line
