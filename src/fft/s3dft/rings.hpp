#pragma once

#include <array>

#include "fft/s3dft/blocks.hpp"
#include "weft/layout.hpp"
#include "weft/patterns.hpp"

/// The folded rings (RingShift) that blocks go round: backwards, each PE sends to the place before
/// its own.
namespace weft::s3dft {

/// The colors and queues of the rings along an axis of the mesh.
struct RingPorts {
  std::array<int, 3> colors;
  std::uint8_t input_queue, output_queue;
};
const RingPorts& ports_of(Axis axis, Around way = Around::backwards);

/// The color by which a PE of a ring sends: its number among the three.
int color_of(int pe, int length, Around way = Around::backwards);

/// Adds the routes of rings of `length` PEs to all lines of a layout.
void route_rings(Layout& layout, Axis axis, int length, Around way);

}  // namespace weft::s3dft
