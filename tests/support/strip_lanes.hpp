#pragma once

#include "fast/run_ahead.hpp"
#include "model/lanes/host_lanes.hpp"
#include "model/step.hpp"

namespace weft::test {

/// Lanes of strips that are stepped one by one: nobody keeps wakes by row, and there are no short
/// ways, as on a GPU.
struct StripLanes : model::HostLanes {
  using Seams = fast::RunAhead<model::PlainSeams>;
  static constexpr bool kRowWakes = false;
};

/// The place of a strip.
inline model::Place place_of(const model::View& v, int strip) {
  return {strip, strip / v.strips, strip % v.strips};
}

}  // namespace weft::test
