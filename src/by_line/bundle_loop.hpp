#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "by_line/bundle.hpp"
#include "engine/clock.hpp"
#include "engine/engine.hpp"

namespace weft::by_line {

/// Up to engine::kMostCycles cycles from `from` on, of which those with a bit were stepped.
struct SteppedBlock {
  std::uint64_t from;
  std::uint32_t cycles;
};

/// Where stepping came to an end, and why.
struct Stopped {
  engine::Clock clock;
  engine::Stop stop;
  LastDone last;
  std::vector<SteppedBlock> stepped;
};

/// Steps a bundle, of which `view` is, from a cycle on. `after_cycle`: after each.
Stopped run_bundle(model::View view, std::uint64_t cycle, const engine::RunOptions& options,
                   const std::function<void()>& after_cycle = {});

}  // namespace weft::by_line
