#pragma once

#include <cstring>

#include "model/state.hpp"

/// While all that a queue holds goes straight on to the east or west (short_ways.hpp), its payloads
/// stay where they are. The queue is turned instead: the payloads of column k are in the place of
/// column k + turned_by (modulo the strip's width), and what comes takes the place of what leaves.
namespace weft::model {

/// Whether queues turn while wavelets leave by the link. Not to the south or north: the payloads of
/// a row of PEs are spread over all the cache lines, so there is little to be saved.
WEFT_HD constexpr bool turns(Port link) { return link == Port::west || link == Port::east; }

/// The first lane of the column that wavelets leave by the link (east or west).
template <Port link>
inline constexpr int kLastColumn = link == Port::east ? kLanes - kStripHeight : 0;

/// Where that column's payloads are.
template <Port link>
WEFT_HD int place_of_last(const StripState& strip) {
  return (kLastColumn<link> + strip.turned_by * kStripHeight) % kLanes;
}

/// Of a column of payloads, to another one.
WEFT_HD void copy_column(std::uint32_t* to, const std::uint32_t* from) {
  std::memcpy(to, from, kStripHeight * sizeof *to);
}

/// All has gone on by a column.
template <Port link>
WEFT_HD void turn_on(StripState& strip) {
  constexpr int kBy = link == Port::east ? kStripWidth - 1 : 1;
  strip.turned_by = static_cast<std::uint8_t>((strip.turned_by + kBy) % kStripWidth);
}

/// Payloads go to the places of their lanes.
WEFT_HD void turn_back(const View& v, StripState& strip) {
  if (strip.turned_by == 0) return;
  Vector& payload = v.port_queues[strip.way.queue].payload[0];
  const Vector turned = payload;
  for (int lane = 0; lane < kLanes; ++lane)
    payload.at[lane] = turned.at[(lane + strip.turned_by * kStripHeight) % kLanes];
  strip.turned_by = 0;
}

/// After a run: as if there were no short ways.
WEFT_HD void leave_short_way(const View& v, StripState& strip) {
  turn_back(v, strip);
  strip.way.color_bit = 0;
}

}  // namespace weft::model
