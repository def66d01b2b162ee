#pragma once

#include <cstdint>

#include "model/state.hpp"

namespace weft::engine {

/// Counts of events in some strips since their fabric was made.
struct Totals {
  std::uint64_t wavelets = 0, hops = 0, delivered = 0, filtered = 0;

  void add(const model::StripState& strip) {
    add(Totals{strip.wavelets, strip.hops, strip.delivered, strip.filtered});
  }

  void add(const Totals& other) {
    wavelets += other.wavelets;
    hops += other.hops;
    delivered += other.delivered;
    filtered += other.filtered;
  }

  bool operator==(const Totals&) const = default;
};

}  // namespace weft::engine
