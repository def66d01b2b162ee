#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fft/wsfft/program.hpp"
#include "weft/patterns.hpp"
#include "weft/report.hpp"

/// Wavelets by link and by ramp, by count of a transform's program. Engines count hops by strip:
/// counters of each link would cost each of them in each cycle.
namespace weft::fft {

/// Of one exchange in a line of p PEs. Link k leads from PE k to PE k + 1, and back.
struct LineTraffic {
  std::vector<std::uint64_t> plus, minus;  ///< by link
  std::vector<std::uint64_t> in, out;      ///< by ramp: to the core, from the core
};

LineTraffic line_traffic(wsfft::Form form, int p, int message);

/// Of so many wavelets from each PE of a folded ring to the place after its own, or to the one
/// before.
LineTraffic ring_traffic(int p, Around way, std::uint64_t wavelets);

/// Of a whole run.
struct Traffic {
  std::uint64_t busiest_link = 0, busiest_ramp = 0;  ///< in the direction that carries more
  std::uint64_t wavelets = 0, hops = 0, delivered = 0;

  /// The fabric has counted the same in all.
  bool agrees(const FabricCounters& counters) const {
    return counters.wavelets == wavelets && counters.hops == hops &&
           counters.delivered == delivered;
  }
};

/// A stage of a run: what happens in lines along an axis, so many of each kind.
struct StageTraffic {
  wsfft::Axis axis;
  std::vector<std::pair<LineTraffic, std::uint64_t>> lines;
};
/// Some PE has the busiest ramps of all stages, and some line the busiest links of all along its
/// axis.
Traffic sum_of(const std::vector<StageTraffic>& stages);

Traffic traffic_of(const wsfft::Transform& transform);

}  // namespace weft::fft
