#include "patterns/ring_places.hpp"

#include "patterns/place.hpp"

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

}  // namespace weft::patterns
