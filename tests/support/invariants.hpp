#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fabric/build/state.hpp"

namespace weft::test {

/// Checks all that the lane step keeps beside the machine's state: it is derived from that anew,
/// and compared. `now`: the cycle that was stepped last, in all rows, without a fault so far.
/// Returns the first thing that is wrong (field, strip, lane, cycle); empty: nothing is. Bundles of
/// lines have more of their own (delay lines, stepped strips, work that lanes share), so they are
/// not for it.
std::string broken_invariant(fabric::State& state, std::uint64_t now);

// Its parts.
/// f(lane) for each lane.
template <class F>
void each_lane(model::Mask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(model::lowest(lanes));
}

/// The lanes in which f(lane).
template <class F>
model::Mask lanes_where(model::Mask lanes, F f) {
  model::Mask found = 0;
  each_lane(lanes, [&](int lane) {
    if (f(lane)) found |= model::lane_bit(lane);
  });
  return found;
}

/// One strip, and the first thing that is wrong there.
struct StripCheck {
  fabric::State& state;
  model::View view;
  std::size_t strip;
  std::uint64_t now;
  std::string wrong{};

  const model::StripState& router() const { return view.strip[strip]; }
  const model::CoreState& core() const { return view.core[strip]; }

  /// Two masks must be the same. `number`: of the color, queue or microthread; -1: there is one.
  void same(model::Mask found, model::Mask derived, const char* field, int number = -1);
  /// Every lane of `part` must be in `all`.
  void within(model::Mask part, model::Mask all, const char* field, int number = -1);
  /// Bits of a set that is kept too large rather than too small.
  void covers(std::uint64_t kept, std::uint64_t derived, const char* field, int number = -1);
  void equal(std::uint64_t found, std::uint64_t derived, const char* field, int number = -1);
  /// `wake` must be no later.
  void by(std::uint64_t wake, std::uint64_t cycle, const char* field, int number = -1);
};

/// Lanes of a strip in which a data wavelet of this color could leave in the next cycle, if no
/// other color keeps it; of those that pass no filter.
model::Mask could_leave(const model::View& view, std::size_t strip, int color);

/// Whether a strip that is stuck looks in the next cycle whether it still is.
bool looks_again(const model::View& view, std::size_t strip, std::uint64_t now);

void check_routers(StripCheck& check);
void check_cores(StripCheck& check);
/// Strips are looked at in the cycles in which they have something to do.
void check_wakes(StripCheck& check);

}  // namespace weft::test
