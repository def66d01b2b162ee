#include "fabric/stepper/host_ends.hpp"

#include <algorithm>
#include <span>

namespace weft::fabric {

engine::HostWords& words_at(State& s, const HostEnd& end) {
  const auto row =
      static_cast<std::size_t>(s.address_of(end.x, end.y - (end.edge == Port::north ? 1 : 0) +
                                                       (end.edge == Port::south ? 1 : 0))
                                   .strip /
                               s.strips);
  const auto ports =
      std::span(s.host.port).subspan(s.host.first[row], s.host.first[row + 1] - s.host.first[row]);
  const auto port = std::ranges::find_if(ports, [&](const engine::HostPort& p) {
    return p.x == end.x && p.y == end.y && p.edge == end.edge;
  });
  auto& of = end.input ? port->input : port->output;
  return *std::ranges::find(of, end.color, &engine::HostWords::color);
}

}  // namespace weft::fabric
