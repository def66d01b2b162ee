#pragma once

#include <string>

#include "weft/volume.hpp"

namespace weft::io {

/// The whole field on another grid, one axis after another; the outer edges of first and last
/// element stay in place. A side that grows is interpolated linearly. A side that shrinks takes,
/// for each new element, the average of the interpolated field over that element's width, so that
/// detail too fine for the new grid does not alias. Both reproduce constants and, away from the
/// edges, linear fields exactly. `purpose` as in allocate_volume.
Volume resample(Volume volume, Shape3 shape, const std::string& purpose);

}  // namespace weft::io
