#include "fabric/stepper/lane_events.hpp"

#include <algorithm>
#include <exception>

#include "engine/ticker.hpp"
#include "fabric/stepper/folds.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "fabric/stepper/lane_profile.hpp"

namespace weft::fabric {
namespace {

/// The cycles of the next piece: so many that there are neither many pieces nor many events at
/// once.
std::uint64_t next_length(std::uint64_t length, std::size_t events) {
  constexpr std::uint64_t kLeast = 16, kMost = 1 << 16;
  constexpr std::size_t kFew = 1 << 15, kMany = 1 << 18;  // 4 MB
  if (events > kMany) return std::max(kLeast, length / 2);
  return events < kFew ? std::min(kMost, 2 * length) : length;
}

}  // namespace

LaneEvents::LaneEvents(const Observation& asked, const Layout& layout, const Machine& machine,
                       State& state)
    : log_(asked, layout, machine),
      rows_(static_cast<std::size_t>(state.rows)),
      held_(base::ZeroedArray<model::HeldBefore>(state.colors.size())),
      tap_{this, &LaneEvents::add, held_.data()} {}

/// By the thread that steps the row.
void LaneEvents::add(void* to, int row, const Event& event) {
  auto& self = *static_cast<LaneEvents*>(to);
  if (self.log_.wants(event)) self.rows_[static_cast<std::size_t>(row)].push_back(event);
}

std::size_t LaneEvents::collect() {
  std::size_t count = 0;
  for (std::vector<Event>& row : rows_) {
    count += row.size();
    for (const Event& event : row) log_.add(event);
    row.clear();
  }
  return count;
}

engine::RunResult LaneEvents::run(State& state, std::uint64_t cycle,
                                  const engine::RunOptions& options) {
  state.events = &tap_;
  engine::Ticker ticker(options);
  engine::RunOptions piece = options;
  piece.progress = {};
  engine::RunResult result{engine::Stop::limit, cycle, 0, {}};
  std::uint64_t skipped = 0, length = 64;
  do {
    piece.limit = std::min(options.limit, result.cycle + length);
    if (state.counts) {
      if (is_to_fold(result.cycle)) fold(state, result.cycle);
      piece.limit = std::min(piece.limit, next_fold(result.cycle));
    }
    result = engine::run_on_host(state.view(), result.cycle, piece);
    skipped += result.skipped;
    length = next_length(length, collect());
    try {
      if (result.stop != engine::Stop::fault) log_.pass(result.cycle);
      ticker.tick(result.cycle);
    } catch (...) {
      result.thrown = std::current_exception();
    }
  } while (result.stop == engine::Stop::limit && result.cycle < options.limit && !result.thrown);
  result.skipped = skipped;
  log_.finish(result.cycle, result.stop == engine::Stop::fault ? first_fault(state) : Fault{},
              result.thrown);
  return result;
}

}  // namespace weft::fabric
