#pragma once

#include <cstring>

#include "model/neighbours.hpp"
#include "model/state.hpp"

/// While all that a queue holds goes straight on to the east or west (short_ways.hpp), its payloads
/// stay where they are. The queue is turned instead: the payloads of column k are in the place of
/// column k + turn (modulo the strip's width), and what comes takes the place of what leaves.
namespace weft::model {

/// Whether queues are turned while wavelets leave by the link. Not across columns: the PEs of a row
/// are on as many cache lines as there are.
WEFT_HD constexpr bool turns(Port link) { return link == Port::west || link == Port::east; }

/// The first lane of the column that wavelets leave by the link (east or west), and where its
/// payloads are.
template <Port link>
inline constexpr int kLastColumn = link == Port::east ? kLanes - kStripHeight : 0;
template <Port link>
WEFT_HD int place_of_last(const StripState& strip) {
  return (kLastColumn<link> + strip.turn * kStripHeight) % kLanes;
}

/// Of a column of payloads, to another one.
WEFT_HD void copy_column(std::uint32_t* to, const std::uint32_t* from) {
  std::memcpy(to, from, kStripHeight * sizeof *to);
}

/// All has gone on by a column.
template <Port link>
WEFT_HD void turn_on(StripState& strip) {
  strip.turn = static_cast<std::uint8_t>((strip.turn + (link == Port::east ? kStripWidth - 1 : 1)) %
                                         kStripWidth);
}

/// Payloads to the places of their lanes.
WEFT_HD void turn_back(const View& v, StripState& strip) {
  if (strip.turn == 0) return;
  Vector& payload = v.port_queues[strip.turned].payload[0];
  const Vector turned = payload;
  for (int lane = 0; lane < kLanes; ++lane)
    payload.at[lane] = turned.at[(lane + strip.turn * kStripHeight) % kLanes];
  strip.turn = 0;
}

}  // namespace weft::model
