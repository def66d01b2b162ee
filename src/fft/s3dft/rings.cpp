#include "fft/s3dft/rings.hpp"

#include "patterns/ring_places.hpp"

namespace weft::s3dft {
namespace {

/// Chosen: queues of either direction with numbers of their own, as a microthread has the number of
/// its queue; input queues that hold more than two wavelets (0 to 3).
constexpr RingPorts kPorts[] = {{{0, 1, 2}, 0, 2}, {{4, 5, 6}, 1, 3}};

}  // namespace

const RingPorts& ports_of(Axis axis) { return kPorts[axis == Axis::row ? 0 : 1]; }

int color_of(int pe, int length) {
  return length == 1 ? 0 : patterns::ring_color(pe, patterns::kBackwards, length);
}

void route_rings(Layout& layout, Axis axis, int length) {
  if (length == 1) return;
  const RingPorts& ports = ports_of(axis);
  const bool rows = axis == Axis::row;
  const int lines = rows ? layout.width() : layout.height();
  for (const auto& [pe, color, rx, tx] :
       patterns::ring_routes(length, rows ? Along::rows : Along::columns, patterns::kBackwards)) {
    Route route{.rx = rx, .tx = tx};
    if (tx == Port::ramp) route.input_queue = ports.input_queue;
    for (int line = pe; line < lines; line += length)
      layout.route(rows ? Rect{line, 0, 1, layout.height()} : Rect{0, line, layout.width(), 1},
                   ports.colors[static_cast<std::size_t>(color)], route);
  }
}

}  // namespace weft::s3dft
