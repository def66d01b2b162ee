#include <algorithm>
#include <array>
#include <optional>

#include "differential/random_case.hpp"

/// Routes that wavelets can travel: lines, tapped or not, with switches and filters; and some that
/// mean nothing.
namespace weft::test {
namespace {

unsigned bit(Port port) { return 1U << static_cast<unsigned>(port); }

/// One color's routes.
class Painter {
 public:
  Painter(const Case& c, Dice& dice, int queue, bool own, bool straight)
      : case_(c),
        dice_(dice),
        queue_(queue),
        forward_(static_cast<Port>(dice.roll(0, kLinks - 1))) {
    kind_ = dice.pick({Kind::line, Kind::line, Kind::line, Kind::stencil, Kind::nonsense});
    if (own) kind_ = Kind::own;
    mutations_ = dice.chance(30) ? 15 : 0;
    positions_ = dice.chance(50) ? dice.roll(1, 3) : 0;
    alike_ = dice.chance(50);
    swaps_ = dice.chance(15) ? dice.pick({20, 60}) : 0;
    torn_down_ = dice.chance(8) ? dice.pick({30, 100}) : 0;
    if (straight) {
      straight_ = true;
      if (kind_ == Kind::nonsense) kind_ = Kind::stencil;
      mutations_ = swaps_ = 0;
    }
    if (alike_) draw_switch(switch_);
  }

  std::optional<Route> draw(int x, int y) {
    if (dice_.chance(mutations_ / 3)) return std::nullopt;
    const bool nonsense = kind_ == Kind::nonsense || dice_.chance(mutations_);
    Route route = alike_ ? switch_ : Route{};
    if (!alike_) draw_switch(route);
    std::erase_if(route.positions, [&](const SwitchPosition& p) {
      return p.side == SwitchPosition::Side::tx && !leads(x, y, p.port);
    });
    route.initial = std::min(route.initial, static_cast<int>(route.positions.size()));
    route.input_queue = queue_;
    route.swap_north_south = dice_.chance(swaps_);
    route.swap_east_west = dice_.chance(swaps_);
    route.teardown = dice_.chance(torn_down_);

    const bool first = !leads(x, y, opposite(forward_)), last = !leads(x, y, forward_);
    if (nonsense) {
      route.rx = any_ports(x, y, false);
      route.tx = any_ports(x, y, true);
    } else if (kind_ == Kind::own) {
      route.rx = route.tx = Port::ramp;
    } else if (kind_ == Kind::stencil) {  // everybody hears and sends in turn
      route.rx = first ? Port::ramp : opposite(forward_);
      route.tx = last ? PortSet(Port::ramp) : PortSet{forward_, Port::ramp};
    } else {
      route.rx = first ? Port::ramp : opposite(forward_);
      route.tx = last               ? PortSet(Port::ramp)
                 : dice_.chance(60) ? PortSet{forward_, Port::ramp}
                                    : PortSet(forward_);
    }
    return route;
  }

 private:
  enum class Kind { line, stencil, nonsense, own };  ///< own: from a core to itself

  bool leads(int x, int y, Port port) const {
    switch (port) {
      case Port::west:
        return x > 0;
      case Port::east:
        return x + 1 < case_.width;
      case Port::north:
        return y > 0;
      case Port::south:
        return y + 1 < case_.height;
      case Port::ramp:
        return true;
    }
    return false;
  }

  PortSet any_ports(int x, int y, bool output) {
    unsigned bits = 0;
    for (int port = 0; port < kPorts; ++port)
      if (dice_.chance(35) && (!output || leads(x, y, static_cast<Port>(port)))) bits |= 1U << port;
    return port_set(bits != 0 ? bits : bit(Port::ramp));
  }

  void draw_switch(Route& route) {
    for (int n = 0; n < positions_; ++n) {
      const auto any = static_cast<Port>(dice_.roll(0, kPorts - 1));
      const Port port = dice_.pick(
          {forward_, opposite(forward_), Port::ramp, Port::ramp, straight_ ? forward_ : any});
      route.positions.push_back(dice_.chance(50) ? SwitchPosition::send(port)
                                                 : SwitchPosition::receive(port));
    }
    route.ring = dice_.chance(40);
    route.initial = dice_.chance(70) ? 0 : dice_.roll(0, positions_);
    route.pop = static_cast<PopMode>(dice_.roll(0, 3));
  }

  const Case& case_;
  Dice& dice_;
  int queue_;
  Port forward_;
  Kind kind_ = Kind::line;
  int mutations_ = 0, positions_ = 0;  ///< percent of cells; past position 0
  int swaps_ = 0, torn_down_ = 0;      ///< percent of cells
  bool alike_ = false, straight_ = false;
  Route switch_{};
};

/// The filter of a cell: bricks of a stream, as the FFT has them, or anything.
Filter random_filter(const Plan& plan, Dice& dice) {
  if (plan.ranges && dice.chance(50)) {
    RangeFilter f;
    f.min_index =
        static_cast<std::uint16_t>(dice.pick({0, 1, 0x3f80, 0x4000, dice.roll(0, 65535)}));
    f.max_index = static_cast<std::uint16_t>(dice.roll(f.min_index, 65535));
    return f;
  }
  CounterFilter f;
  f.limit1 = static_cast<std::uint32_t>(dice.roll(0, 6));
  f.max_counter = static_cast<std::uint32_t>(dice.roll(0, dice.chance(80) ? 3 : 9));
  f.counter = static_cast<std::uint32_t>(dice.roll(0, static_cast<int>(f.limit1)));
  f.count_data = dice.chance(85);
  f.count_control = dice.chance(40);
  f.filter_control = dice.chance(15);
  if (dice.chance(75)) return f;
  SparseCounterFilter sparse;
  sparse.counter = f.counter;
  sparse.limit1 = f.limit1;
  sparse.max_counter = f.max_counter;
  sparse.count_data = f.count_data;
  sparse.count_control = f.count_control;
  if (dice.chance(60)) sparse.limit2 = static_cast<std::uint32_t>(dice.roll(0, 5));
  return sparse;
}

}  // namespace

PortSet port_set(unsigned bits) {
  const auto any = static_cast<Port>(__builtin_ctz(bits));
  const auto or_any = [&](Port port) { return (bits & bit(port)) != 0 ? port : any; };
  return {or_any(Port::west), or_any(Port::east), or_any(Port::south), or_any(Port::north),
          or_any(Port::ramp)};
}

bool same(const Route& a, const Route& b) {
  const auto same_position = [](const SwitchPosition& p, const SwitchPosition& q) {
    return p.side == q.side && p.port == q.port;
  };
  return a.rx == b.rx && a.tx == b.tx && a.ring == b.ring && a.initial == b.initial &&
         a.pop == b.pop && a.input_queue == b.input_queue &&
         std::ranges::equal(a.positions, b.positions, same_position);
}

void add_routes(Case& c, const Plan& plan, Dice& dice) {
  const bool own = plan.shares && dice.chance(50);
  for (std::size_t n = 0; n < plan.colors.size(); ++n) {
    const int color = plan.colors[n];
    Painter painter(c, dice, plan.input_queue[n], own && n < plan.shared.size(), plan.straight);
    const int filtered = plan.filtered ? 100 : dice.chance(30) ? dice.pick({30, 60}) : 0;
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x) {
        const std::optional<Route> route = painter.draw(x, y);
        if (!route) continue;
        if (dice.chance(filtered))
          c.filters.push_back({{x, y, 1, 1}, color, random_filter(plan, dice)});
        Layout::Routing* before = c.routes.empty() ? nullptr : &c.routes.back();
        const bool extends = before != nullptr && before->color == color && before->where.y == y &&
                             before->where.x + before->where.width == x &&
                             same(before->route, *route);
        if (extends)
          ++before->where.width;
        else
          c.routes.push_back({{x, y, 1, 1}, color, *route});
      }
  }
}

}  // namespace weft::test
