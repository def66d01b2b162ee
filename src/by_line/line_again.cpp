#include "by_line/line_again.hpp"

#include <algorithm>
#include <bit>

#include "by_line/bundle_loop.hpp"
#include "engine/left.hpp"

namespace weft::by_line {
namespace {

using model::kLanes;
using model::View;

/// The fabric as the plain step has it.
View plain(View whole) {
  whole.fast = kNoAccelerations;
  whole.counts = nullptr;
  return whole;
}

bool has_port(EventKind kind) {
  return kind == EventKind::hop || kind == EventKind::delivered || kind == EventKind::refused ||
         kind == EventKind::held;
}

/// Rows are lines that run south: the event as the mesh has it.
Event along_row(Event event) {
  constexpr unsigned kLast = kLinks - 1;
  if (has_port(event.kind) && event.from != Port::ramp)
    event.from = static_cast<Port>(kLast - static_cast<unsigned>(event.from));
  if (event.kind == EventKind::hop) event.value = kLast - event.value;
  return event;
}

}  // namespace

KeptLine BundleState::keep(const View& whole, const LineGroup& line, const PeTimes& times) {
  take(plain(whole), line, times);
  const auto length = static_cast<std::size_t>(view_.rows);
  KeptLine kept{.line = line};
  kept.from.reserve(length);
  for (std::size_t place = 0; place < length; ++place)
    kept.from.push_back(times.from[line.pe(whole.width, 0, static_cast<int>(place))]);
  kept.memory.resize(length * view_.memory_words);
  for (std::size_t word = 0; word < kept.memory.size(); ++word)
    kept.memory[word] = memory_[word * kLanes];
  kept.arrays = arrays();
  return kept;
}

const View& BundleState::take_up(const View& whole, const KeptLine& kept, model::EventTap& events) {
  bind(plain(whole), kept.line);
  none_private_.assign(facts_.code, 0);
  view_.private_cycles = none_private_.data();
  view_.events = &events;
  if (!kept.until.empty()) bundle_.until = kept.until.data();
  for (std::size_t word = 0; word < kept.memory.size(); ++word)
    memory_[word * kLanes] = kept.memory[word];
  arrays() = kept.arrays;
  delay_lines_.begin(view_, bundle_, 1, kept.line.start);
  return view_;
}

LineAgain::LineAgain(const View& whole, const LineFacts& facts)
    : whole_(whole),
      state_(facts, std::max(whole.width, whole.height)),
      held_(static_cast<std::size_t>(std::max(whole.width, whole.height)) *
            static_cast<std::size_t>(std::popcount(facts.colors))),
      tap_{this, &LineAgain::add, held_.data()},
      events_(static_cast<std::size_t>(std::max(whole.width, whole.height))),
      with_events_(events_.size() / kLanes + 1) {}

const View& LineAgain::take_up(const KeptLine& kept) {
  std::ranges::fill(held_, model::HeldBefore{});
  rows_ = kept.line.rows;
  start_ = kept.line.start;
  return line_ = state_.take_up(whole_, kept, tap_);
}

void LineAgain::step(const engine::RunOptions& options, const Take& take) {
  take_ = &take;
  const Stopped end = run_bundle(line_, start_, options, [this] { hand_on(); });
  if (end.stop != engine::Stop::quiet || engine::holds_wavelets(line_)) throw LinesMet{};
}

void LineAgain::add(void* to, int place, const Event& event) {
  auto& self = *static_cast<LineAgain*>(to);
  const auto at = static_cast<std::size_t>(place);
  self.with_events_[at / kLanes] |= model::lane_bit(place % kLanes);
  self.events_[at].push_back(self.rows_ ? along_row(event) : event);
}

void LineAgain::hand_on() {
  for (std::size_t word = 0; word < with_events_.size(); ++word)
    for (model::Mask& rest = with_events_[word]; rest != 0; rest &= rest - 1) {
      auto& events = events_[word * kLanes + static_cast<std::size_t>(model::lowest(rest))];
      std::ranges::sort(events);
      (*take_)(events);
      events.clear();
    }
}

}  // namespace weft::by_line
