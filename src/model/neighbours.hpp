#pragma once

#include "model/lanes.hpp"
#include "weft/types.hpp"

/// Strips as blocks of PEs: which lane of which strip is a PE's neighbour.
namespace weft::model {

inline constexpr Mask kWestEdge = (Mask{1} << kStripHeight) - 1;
inline constexpr Mask kNorthEdge = kAllLanes / kWestEdge;  // the lowest bit of each column

/// From a lane to its neighbour on one side: another lane, or, on the strip's edge, one of the
/// strip beyond.
template <Port side>
struct To {
  static constexpr bool kAlong = side == Port::west || side == Port::east;
  static constexpr bool kBack = side == Port::west || side == Port::north;  ///< to lower lanes
  static constexpr int kInside = (kAlong ? kStripHeight : 1) * (kBack ? -1 : 1);
  static constexpr int kBeyond = kInside + (kAlong ? kLanes : kStripHeight) * (kBack ? 1 : -1);
  static constexpr Mask kEdge = kAlong ? kWestEdge << (kBack ? 0 : kLanes - kStripHeight)
                                       : kNorthEdge << (kBack ? 0 : kStripHeight - 1);
};

/// Bit i is bit i + n of the mask.
template <int n>
WEFT_HD Mask shifted(Mask mask) {
  if constexpr (n < 0)
    return mask << -n;
  else
    return mask >> n;
}

/// Lanes whose neighbour on that side is in the mask: `own`, or that of the strip beyond.
template <Port side>
WEFT_HD Mask neighbours(Mask own, Mask beyond) {
  return (shifted<To<side>::kInside>(own) & ~To<side>::kEdge) |
         (shifted<To<side>::kBeyond>(beyond) & To<side>::kEdge);
}

/// Lanes whose neighbour on that side is in another strip.
WEFT_HD Mask edge_of(Port side) {
  switch (side) {
    case Port::west:
      return To<Port::west>::kEdge;
    case Port::east:
      return To<Port::east>::kEdge;
    case Port::south:
      return To<Port::south>::kEdge;
    case Port::north:
      return To<Port::north>::kEdge;
    case Port::ramp:
      break;
  }
  return 0;
}

/// As neighbours<side>.
WEFT_HD Mask neighbours(Port side, Mask own, Mask beyond) {
  switch (side) {
    case Port::west:
      return neighbours<Port::west>(own, beyond);
    case Port::east:
      return neighbours<Port::east>(own, beyond);
    case Port::south:
      return neighbours<Port::south>(own, beyond);
    case Port::north:
      return neighbours<Port::north>(own, beyond);
    case Port::ramp:
      break;
  }
  return 0;
}

}  // namespace weft::model
