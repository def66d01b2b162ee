#include "fabric/explain/ways.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "fabric/build/timing.hpp"

namespace weft::fabric {
namespace {

constexpr std::int64_t kUnknown = -1, kOpen = -2;

/// All ports that a route has in some position.
PortSet ports_of(const Route& route, SwitchPosition::Side side) {
  PortSet ports = side == SwitchPosition::Side::rx ? route.rx : route.tx;
  for (const SwitchPosition& position : route.positions)
    if (position.side == side) ports = ports | position.port;
  return ports;
}

class Ways {
 public:
  Ways(const Profile& profile, const ColorCounts& color, const LinkFilter& uses)
      : profile_(profile),
        color_(color),
        uses_(uses),
        timing_(timing_of(profile.machine)),
        cycles_(color.route_of.size() * kPorts, kUnknown) {}

  std::uint64_t longest() {
    std::int64_t most = 0;
    for (std::size_t pe = 0; pe < color_.route_of.size(); ++pe)
      if (receives(pe, Port::ramp)) most = std::max(most, cycles_from(place(pe, Port::ramp)));
    return static_cast<std::uint64_t>(most);
  }

 private:
  static std::size_t place(std::size_t pe, Port input) {
    return pe * kPorts + static_cast<std::size_t>(input);
  }

  const Route* route_at(std::size_t pe) const {
    const std::int32_t kind = color_.route_of[pe];
    return kind < 0 ? nullptr : &color_.routes[static_cast<std::size_t>(kind)].route;
  }

  bool receives(std::size_t pe, Port input) const {
    const Route* route = route_at(pe);
    return route != nullptr && ports_of(*route, SwitchPosition::Side::rx).has(input);
  }

  std::optional<std::size_t> neighbour(std::size_t pe, Port link) const {
    const auto width = static_cast<std::size_t>(profile_.width);
    const std::size_t x = pe % width, y = pe / width;
    if (link == Port::west && x > 0) return pe - 1;
    if (link == Port::east && x + 1 < width) return pe + 1;
    if (link == Port::north && y > 0) return pe - width;
    if (link == Port::south && y + 1 < static_cast<std::size_t>(profile_.height)) return pe + width;
    return {};
  }

  /// Of a PE's link. One that leads out of the mesh counts as a hop.
  std::int64_t cycles_of(std::size_t pe, Port link, bool has_neighbour) const {
    const auto width = static_cast<std::size_t>(profile_.width);
    const bool far = has_neighbour && timing_.is_far(static_cast<int>(pe % width),
                                                     static_cast<int>(pe / width), link);
    return timing_.hop + (far ? timing_.far_link : 0);
  }

  struct Place {
    std::size_t at;
    std::int64_t cycles;  ///< of the link to it
  };
  struct Next {
    std::int64_t cycles = 0;             ///< of the slowest link by which it leaves
    std::array<Place, kLinks> places{};  ///< where it is one hop later
    std::size_t count = 0;               ///< of these
  };
  Next after(std::size_t from) const {
    Next all;
    const std::size_t pe = from / kPorts;
    const Route* route = route_at(pe);
    if (route == nullptr) return all;
    const PortSet tx = ports_of(*route, SwitchPosition::Side::tx);
    for (const Port link : {Port::west, Port::east, Port::south, Port::north}) {
      if (!tx.has(link) || color_.wavelets[static_cast<std::size_t>(link)][pe] == 0) continue;
      const auto beyond = neighbour(pe, link);
      if (!uses_(pe, link)) continue;
      const std::int64_t cycles = cycles_of(pe, link, beyond.has_value());
      all.cycles = std::max(all.cycles, cycles);
      if (beyond && receives(*beyond, opposite(link)))
        all.places[all.count++] = {place(*beyond, opposite(link)), cycles};
    }
    return all;
  }

  /// Depth first, by a stack of its own: ways may be as long as the mesh has PEs. Circles count
  /// once.
  std::int64_t cycles_from(std::size_t start) {
    std::vector<std::size_t> stack{start};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      if (cycles_[at] >= 0) {
        stack.pop_back();
        continue;
      }
      const bool is_first = cycles_[at] == kUnknown;
      cycles_[at] = kOpen;
      const Next beyond = after(at);
      std::int64_t most = beyond.cycles;
      bool complete = true;
      for (const auto& [next, cycles] : std::span(beyond.places).first(beyond.count)) {
        if (is_first && cycles_[next] == kUnknown) {
          stack.push_back(next);
          complete = false;
        }
        if (cycles_[next] >= 0) most = std::max(most, cycles_[next] + cycles);
      }
      if (!complete) continue;
      cycles_[at] = most;
      stack.pop_back();
    }
    return cycles_[start];
  }

  const Profile& profile_;
  const ColorCounts& color_;
  const LinkFilter& uses_;
  const model::Timing timing_;
  std::vector<std::int64_t> cycles_;  ///< by PE and input
};

}  // namespace

std::uint64_t longest_way(const Profile& profile, const ColorCounts& color,
                          const LinkFilter& uses) {
  const auto links = std::span(color.wavelets).first(kLinks);
  const bool travels = std::ranges::any_of(links, [](const std::vector<std::uint64_t>& wavelets) {
    return std::ranges::any_of(wavelets, [](std::uint64_t n) { return n > 0; });
  });
  return color.route_of.empty() || !travels ? 0 : Ways(profile, color, uses).longest();
}

}  // namespace weft::fabric
