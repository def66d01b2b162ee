#pragma once

#include <cstdint>
#include <vector>

#include "engine/clock.hpp"
#include "engine/engine.hpp"

namespace weft::engine {

/// Up to kMostCycles cycles from `from` on, of which those with a bit were stepped.
struct SteppedBlock {
  std::uint64_t from;
  std::uint32_t cycles;
};

/// Where stepping came to an end, and why.
struct Stopped {
  Clock clock;
  Stop stop;
  std::vector<SteppedBlock> stepped;
};

/// Steps a bundle, of which `view` is, from a cycle on.
Stopped step_bundle(model::View view, std::uint64_t cycle, const RunOptions& options);

}  // namespace weft::engine
