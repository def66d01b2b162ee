#include "fft/s3dft/cubes/streams.hpp"

#include <algorithm>
#include <array>

#include "fft/s3dft/rings.hpp"

namespace weft::s3dft::cubes {
namespace {

/// Of the rings in tiles, by way. Colors: those that rows and columns leave.
constexpr std::size_t kColors = 6;
struct InTiles {
  std::array<int, kColors> colors;
  std::uint8_t input_queue, output_queue;
};
constexpr InTiles kInTiles[] = {{{16, 17, 18, 19, 3, 7}, 2, 0}, {{20, 21, 22, 23, 11, 15}, 3, 1}};

Axis axis_of(Ring ring) { return ring == Ring::k ? Axis::row : Axis::column; }

std::vector<Around> ways_of(const Tiles& tiles) {
  if (tiles.p() == 2) return {Around::backwards};
  return {Around::backwards, Around::onwards};
}

template <class F>
void for_all_pes(const Tiles& tiles, F f) {
  for (int y = 0; y < tiles.height(); ++y)
    for (int x = 0; x < tiles.width(); ++x) f(Pe{x, y});
}

/// For each PE the first color that no router on its stream's path has another route for.
std::vector<int> colors_in_tiles(const Tiles& tiles, Around way) {
  std::vector<std::array<bool, kColors>> taken(tiles.pes());
  std::vector<int> colors(tiles.pes());
  for_all_pes(tiles, [&](const Pe& pe) {
    const std::vector<Pe> on = path(pe, next_of(tiles, Ring::i, way, pe));
    int color = 0;
    while (std::ranges::any_of(on, [&](const Pe& router) {
      return taken[tiles.number_of(router)].at(static_cast<std::size_t>(color));
    }))
      ++color;
    for (const Pe& router : on)
      taken[tiles.number_of(router)][static_cast<std::size_t>(color)] = true;
    colors[tiles.number_of(pe)] = color;
  });
  return colors;
}

}  // namespace

std::vector<Stream> streams_of(Ring ring) {
  std::vector<Stream> all;
  for (const Around way : {Around::backwards, Around::onwards}) {
    const auto add = [&](const auto& ports) {
      for (const int color : ports.colors)
        all.push_back({color, ports.input_queue, ports.output_queue});
    };
    if (ring == Ring::i)
      add(kInTiles[way == Around::onwards ? 1 : 0]);
    else
      add(ports_of(axis_of(ring), way));
  }
  return all;
}

Codes::Codes(const Tiles& tiles) : tiles_(tiles) {
  for (const Around way : ways_of(tiles))
    colors_[way == Around::onwards ? 1 : 0] = colors_in_tiles(tiles, way);
}

std::uint32_t Codes::code(Ring ring, Around way, const Pe& pe) const {
  const bool onwards = way == Around::onwards;
  const auto first = onwards ? static_cast<std::uint32_t>(streams_of(ring).size() / 2) : 0U;
  if (ring == Ring::i)
    return first + static_cast<std::uint32_t>(colors_[onwards ? 1 : 0][tiles_.number_of(pe)]);
  const bool row = ring == Ring::k;
  return first + static_cast<std::uint32_t>(
                     color_of(row ? pe.x : pe.y, row ? tiles_.width() : tiles_.height(), way));
}

int Codes::colors_of_tiles() const { return 1 + std::ranges::max(colors_[0]); }

void route(Layout& layout, const Tiles& tiles, const Codes& codes) {
  for (const Around way : ways_of(tiles)) {
    route_rings(layout, Axis::row, tiles.width(), way);
    route_rings(layout, Axis::column, tiles.height(), way);
    for_all_pes(tiles, [&](const Pe& pe) {
      const Stream stream = streams_of(Ring::i)[codes.code(Ring::i, way, pe)];
      const std::vector<Pe> on = path(pe, next_of(tiles, Ring::i, way, pe));
      for (std::size_t k = 0; k < on.size(); ++k) {
        Route route{.rx = k == 0 ? Port::ramp : port_to(on[k], on[k - 1]),
                    .tx = k + 1 == on.size() ? Port::ramp : port_to(on[k], on[k + 1])};
        if (route.tx == Port::ramp) route.input_queue = stream.input_queue;
        layout.route({on[k].x, on[k].y, 1, 1}, stream.color, route);
      }
    });
  }
}

}  // namespace weft::s3dft::cubes
