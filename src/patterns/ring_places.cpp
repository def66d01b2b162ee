#include "patterns/ring_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "patterns/place.hpp"
#include "weft/error.hpp"

namespace weft::patterns {

std::vector<RingRoute> ring_routes(int length, Along along, int way) {
  std::vector<RingRoute> routes;
  for (int place = 0; place < length; ++place) {
    const int next = (place + (way == kOnwards ? 1 : length - 1)) % length;
    const int from = RingShift::pe_at(place, length), to = RingShift::pe_at(next, length);
    const Port ahead = to > from ? to_last(along) : to_first(along);
    const int color = ring_color(from, way, length);
    routes.push_back({from, color, Port::ramp, ahead});
    if (const int between = (from + to) / 2; between != from && between != to)
      routes.push_back({between, color, opposite(ahead), ahead});
    routes.push_back({to, color, opposite(ahead), Port::ramp});
  }
  return routes;
}

void check_ring(const Rect& where, Along along, const std::string& name) {
  if (length_of(where, along) < 2)
    throw Error(ErrorCategory::program, fmt::format("{} has one PE", name),
                "a ring has two or more", "give a longer rectangle");
}

void route_ring(Design& design, const Rect& where, Along along, int way,
                const std::array<Color, 3>& colors) {
  for (const auto& [pe, color, rx, tx] : ring_routes(length_of(where, along), along, way))
    design.route(places(where, along, pe, pe + 1), colors[static_cast<std::size_t>(color)],
                 {.rx = rx, .tx = tx});
}

std::array<std::array<Color, 3>, 2> ring_colors(const std::array<Color, 6>& colors) {
  std::array<int, 6> order{0, 1, 2, 3, 4, 5}, best = order;
  const auto number = [&](int k) {
    return static_cast<unsigned>(colors[static_cast<std::size_t>(k)].number);
  };
  const auto turns = [&] {
    unsigned sum = 0;
    for (std::size_t onwards = 0; onwards < 3; ++onwards)
      for (std::size_t backwards = 0; backwards < 3; ++backwards)
        if (onwards != backwards)
          sum += std::bit_floor(number(order[onwards]) ^ number(order[3 + backwards]));
    return sum;
  };
  unsigned least = turns();
  while (std::ranges::next_permutation(order).found)
    if (const unsigned sum = turns(); sum < least) {
      least = sum;
      best = order;
    }
  std::array<std::array<Color, 3>, 2> chosen;
  for (std::size_t k = 0; k < best.size(); ++k)
    chosen[k / 3][k % 3] = colors[static_cast<std::size_t>(best[k])];
  return chosen;
}

}  // namespace weft::patterns
