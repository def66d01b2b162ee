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

/// To, for a side that is known only when the step runs.
struct AnySide {
  Mask edge;
  int up, down, up_beyond, down_beyond;  ///< bits that masks are shifted by

  template <class Side>
  static consteval AnySide of() {
    constexpr auto at_least_0 = [](int n) { return n < 0 ? 0 : n; };
    return {Side::kEdge, at_least_0(-Side::kInside), at_least_0(Side::kInside),
            at_least_0(-Side::kBeyond), at_least_0(Side::kBeyond)};
  }
};
template <class Shape>
inline constexpr AnySide kSides[kLinks] = {
    AnySide::of<To<Port::west, Shape>>(), AnySide::of<To<Port::east, Shape>>(),
    AnySide::of<To<Port::south, Shape>>(), AnySide::of<To<Port::north, Shape>>()};
static_assert(static_cast<int>(Port::west) == 0 && static_cast<int>(Port::east) == 1 &&
              static_cast<int>(Port::south) == 2 && static_cast<int>(Port::north) == 3);

/// As neighbours<side>.
WEFT_INLINE Mask neighbours(const AnySide& side, Mask own, Mask beyond) {
  return ((own << side.up >> side.down) & ~side.edge) |
         ((beyond << side.up_beyond >> side.down_beyond) & side.edge);
}

}  // namespace weft::model
