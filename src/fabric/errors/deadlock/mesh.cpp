#include "fabric/errors/deadlock/mesh.hpp"

#include <algorithm>
#include <utility>

#include "fabric/build/timing.hpp"

namespace weft::fabric::deadlock {

int Mesh::beyond(int pe, Port link) const {
  const int x = pe % width, y = pe / width;
  switch (link) {
    case Port::west:
      return x > 0 ? pe - 1 : -1;
    case Port::east:
      return x + 1 < width ? pe + 1 : -1;
    case Port::south:
      return y + 1 < height ? pe + width : -1;
    case Port::north:
      return y > 0 ? pe - width : -1;
    case Port::ramp:
      break;
  }
  return -1;
}

const Channel* Mesh::taken_by(int pe, int color, Port in) const {
  const auto port = static_cast<std::size_t>(in);
  const Channel* channel = at(pe).channel(color);
  if (channel != nullptr && channel->swaps[port]) channel = at(pe).channel(color ^ 1);
  return channel != nullptr && channel->ever_rx[port] ? channel : nullptr;
}

std::size_t Mesh::depth_of(int pe, std::size_t port) const {
  const auto side = static_cast<Port>(port);
  const bool far =
      side != Port::ramp && beyond(pe, side) >= 0 && timing.is_far(pe % width, pe / width, side);
  return far ? timing.far_depth() : timing.router_depth;
}

const HostFacts* Mesh::host_at(int pe, Port edge, int color, bool input) const {
  if (beyond(pe, edge) >= 0) return nullptr;
  const auto end = std::ranges::find_if(host, [&](const HostFacts& h) {
    return h.y * width + h.x == pe && h.stream.edge == edge && h.stream.color == color &&
           h.stream.input == input;
  });
  return end == host.end() ? nullptr : &*end;
}

Mesh mesh_of(int width, int height, const Machine& machine,
             const std::function<PeState(int x, int y)>& pe_at, std::vector<HostFacts> host) {
  const model::Timing timing = timing_of(machine);
  Mesh mesh{.width = width, .height = height, .timing = timing};
  mesh.host = std::move(host);
  std::ranges::copy(timing.input_depth, mesh.input_depth.begin());
  std::ranges::copy(timing.output_depth, mesh.output_depth.begin());
  mesh.pes.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mesh.pes.push_back(pe_at(x, y));
  return mesh;
}

}  // namespace weft::fabric::deadlock
