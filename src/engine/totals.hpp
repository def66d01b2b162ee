#pragma once

#include <cstdint>

#include "model/state.hpp"

namespace weft::engine {

/// Counts of events in some strips since their fabric was made.
struct Totals {
  std::uint64_t wavelets = 0, hops = 0, delivered = 0, filtered = 0;

  WEFT_HD void add(const model::StripState& strip) {
    wavelets += strip.wavelets;
    hops += strip.hops;
    delivered += strip.delivered;
    filtered += strip.filtered;
  }

  bool operator==(const Totals&) const = default;
};

}  // namespace weft::engine
