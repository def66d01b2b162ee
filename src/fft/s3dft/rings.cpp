#include "fft/s3dft/rings.hpp"

#include "patterns/ring_places.hpp"

namespace weft::s3dft {
namespace {

/// By axis and way. Chosen: queues of either direction with numbers of their own, as a microthread
/// has the number of its queue; backwards, the way of all steps, input queues that hold more than
/// two wavelets (0 to 3).
constexpr RingPorts kPorts[2][2] = {{{{8, 9, 10}, 4, 5}, {{0, 1, 2}, 0, 2}},
                                    {{{12, 13, 14}, 5, 4}, {{4, 5, 6}, 1, 3}}};

}  // namespace

const RingPorts& ports_of(Axis axis, Around way) {
  return kPorts[axis == Axis::row ? 0 : 1][static_cast<int>(way)];
}

int color_of(int pe, int length, Around way) {
  return length == 1 ? 0 : patterns::ring_color(pe, static_cast<int>(way), length);
}

void route_rings(Layout& layout, Axis axis, int length, Around way) {
  if (length == 1) return;
  const RingPorts& ports = ports_of(axis, way);
  const bool rows = axis == Axis::row;
  const int lines = rows ? layout.width() : layout.height();
  for (const auto& [pe, color, rx, tx] :
       patterns::ring_routes(length, rows ? Along::rows : Along::columns, static_cast<int>(way))) {
    Route route{.rx = rx, .tx = tx};
    if (tx == Port::ramp) route.input_queue = ports.input_queue;
    for (int line = pe; line < lines; line += length)
      layout.route(rows ? Rect{line, 0, 1, layout.height()} : Rect{0, line, layout.width(), 1},
                   ports.colors[static_cast<std::size_t>(color)], route);
  }
}

}  // namespace weft::s3dft
