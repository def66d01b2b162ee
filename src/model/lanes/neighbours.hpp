#pragma once

#include "model/lanes/lanes.hpp"
#include "weft/types.hpp"

/// Strips as blocks of PEs: which lane of which strip is a PE's neighbour.
namespace weft::model {

/// Strips of some rows of some PEs.
struct Block {
  static constexpr int kHeight = kStripHeight;
  static constexpr bool kHasWestAndEast = true;
};

/// Strips of one row: each lane is on a line of PEs of its own, which runs from north to south, and
/// has no neighbour to the west or east.
struct Abreast {
  static constexpr int kHeight = 1;
  static constexpr bool kHasWestAndEast = false;
};

/// From a lane to its neighbour on one side: another lane, or, on the strip's edge, one of the
/// strip beyond.
template <Port side, class Shape = Block>
struct To {
  static constexpr bool kAlong = side == Port::west || side == Port::east;
  static constexpr int kHeight = Shape::kHeight;
  static constexpr Mask kWestEdge = (Mask{1} << kHeight) - 1;
  static constexpr Mask kNorthEdge = kAllLanes / kWestEdge;  // the lowest bit of each column
  static constexpr bool kBack = side == Port::west || side == Port::north;  ///< to lower lanes
  static constexpr int kInside = (kAlong ? kHeight : 1) * (kBack ? -1 : 1);
  static constexpr int kBeyond = kInside + (kAlong ? kLanes : kHeight) * (kBack ? 1 : -1);
  static constexpr Mask kEdge = kAlong ? kWestEdge << (kBack ? 0 : kLanes - kHeight)
                                       : kNorthEdge << (kBack ? 0 : kHeight - 1);
};

/// Bit i is bit i + n of the mask.
template <int n>
WEFT_INLINE Mask shifted(Mask mask) {
  if constexpr (n < 0)
    return mask << -n;
  else
    return mask >> n;
}

/// Lanes whose neighbour on that side is in the mask: `own`, or that of the strip beyond.
template <Port side, class Shape = Block>
WEFT_INLINE Mask neighbours(Mask own, Mask beyond) {
  using Side = To<side, Shape>;
  return (shifted<Side::kInside>(own) & ~Side::kEdge) |
         (shifted<Side::kBeyond>(beyond) & Side::kEdge);
}

/// Lanes whose neighbour on that side is in another strip.
template <class Shape = Block>
WEFT_INLINE Mask edge_of(Port side) {
  switch (side) {
    case Port::west:
      return To<Port::west, Shape>::kEdge;
    case Port::east:
      return To<Port::east, Shape>::kEdge;
    case Port::south:
      return To<Port::south, Shape>::kEdge;
    case Port::north:
      return To<Port::north, Shape>::kEdge;
    case Port::ramp:
      break;
  }
  return 0;
}

/// As neighbours<side>.
template <class Shape = Block>
WEFT_INLINE Mask neighbours(Port side, Mask own, Mask beyond) {
  switch (side) {
    case Port::west:
      return neighbours<Port::west, Shape>(own, beyond);
    case Port::east:
      return neighbours<Port::east, Shape>(own, beyond);
    case Port::south:
      return neighbours<Port::south, Shape>(own, beyond);
    case Port::north:
      return neighbours<Port::north, Shape>(own, beyond);
    case Port::ramp:
      break;
  }
  return 0;
}

}  // namespace weft::model
