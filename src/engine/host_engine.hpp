#pragma once

#include <cstdint>
#include <vector>

#include "engine/clock.hpp"
#include "engine/engine.hpp"

namespace weft::engine {

/// Where stepping came to an end, and why.
struct Stopped {
  Clock clock;
  Stop stop;
};

/// Up to 32 cycles from `from` on, of which those with a bit were stepped.
struct SteppedBlock {
  std::uint64_t from;
  std::uint32_t cycles;
};

/// As run_on_host, without the reckoning of what nobody looked at (result.hpp). `view` may be that
/// of a bundle. `stepped`, if not null, is told block by block which cycles are.
Stopped step_on_host(model::View view, std::uint64_t cycle, const RunOptions& options,
                     std::vector<SteppedBlock>* stepped = nullptr);

}  // namespace weft::engine
