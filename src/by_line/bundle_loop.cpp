#include "by_line/bundle_loop.hpp"

#include "by_line/bundle.hpp"
#include "engine/step_functions.hpp"
#include "engine/ticker.hpp"

namespace weft::by_line {
namespace {

using engine::BlockFacts;
using engine::Clock;
using engine::kMostCycles;
using engine::RunOptions;
using engine::Stop;
using engine::Ticker;

void note_stepped(std::vector<SteppedBlock>& stepped, std::uint64_t cycle) {
  if (stepped.empty() || cycle - stepped.back().from >= kMostCycles) stepped.push_back({cycle, 0});
  stepped.back().cycles |= 1U << (cycle - stepped.back().from);
}

auto step_of(const model::View& view) {
  if (view.events != nullptr) return engine::tracing_bundle_cycle;
  return view.counts != nullptr ? engine::counting_functions().step_bundle_cycle
                                : engine::step_functions().step_bundle_cycle;
}

}  // namespace

Stopped run_bundle(model::View view, std::uint64_t cycle, const RunOptions& options,
                   const std::function<void()>& after_cycle) {
  view.horizon = options.limit;
  const bool counts = view.counts != nullptr;
  const auto step = step_of(view);
  BlockFacts before;
  for (int strip = 0; strip < view.rows; ++strip) before.add_strip(view, strip);
  Stopped end{{}, Stop::quiet, {}, {}};
  Clock& clock = end.clock;
  bool goes_on = clock.start(before, cycle, options.limit, end.stop);
  Ticker ticker(options);
  for (std::uint32_t n = 0; goes_on; ++n) {
    if (n % 64 == 0) ticker.tick(clock.from);
    const BlockFacts facts = step(view, clock.from);
    if (after_cycle) after_cycle();
    if (clock.needed(facts.activity, 1) != 0) note_stepped(end.stepped, clock.from);
    const std::uint64_t after = clock.from + 1;
    goes_on = clock.advance(facts, 1, end.stop);
    if (counts && facts.next_polled != kNever && after < clock.from)
      engine::counting_functions().jump_lines(view, after, clock.from);
  }
  end.last = *view.bundle->last;
  return end;
}

}  // namespace weft::by_line
