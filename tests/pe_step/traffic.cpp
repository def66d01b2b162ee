#include "pe_step/traffic.hpp"

#include <numeric>

#include "differential/random_case.hpp"

namespace weft::test {
namespace {

/// Which of the rare things a case has, in percent of the places where it may.
struct Rare {
  int switches, swaps, torn_down, forks, filters, ranges, control, writes, rewrites;
};

Rare draw_rare(Dice& dice) {
  const auto sometimes = [&](int chance, int percent) { return dice.chance(chance) ? percent : 0; };
  return {.switches = sometimes(50, 60),
          .swaps = sometimes(30, 30),
          .torn_down = sometimes(15, 20),
          .forks = sometimes(10, 10),
          .filters = sometimes(60, 60),
          .ranges = sometimes(25, 40),
          .control = sometimes(70, 70),
          .writes = sometimes(50, 70),
          .rewrites = sometimes(30, 60)};
}

/// A color's direction, and the input queue that it leads to.
struct Flow {
  int color;
  Port forward;
  int queue;
  bool silent;  ///< the queue is another color's: cores get nothing
};

/// The routes of a case, and the programs that use them.
class TrafficWriter {
 public:
  explicit TrafficWriter(std::uint64_t seed) : dice_(mixed(seed ^ 0x7aff1cU)) {
    c_.memory_seed = seed | 1U;
    c_.machine = random_machine(dice_);
    c_.width = dice_.roll(1, 6);
    c_.height = dice_.roll(1, 5);
    c_.limit = static_cast<std::uint64_t>(dice_.roll(60, 250));
    rare_ = draw_rare(dice_);
    draw_flows();
  }

  Case write() {
    for (const Flow& flow : flows_) draw_routes(flow);
    for (int y = 0; y < c_.height; ++y)
      for (int x = 0; x < c_.width; ++x)
        if (dice_.chance(95)) c_.programs.emplace_back(Rect{x, y, 1, 1}, program(x, y));
    return std::move(c_);
  }

 private:
  void draw_flows() {
    std::vector<int> colors(kColors);
    std::iota(colors.begin(), colors.end(), 0);
    dice_.shuffle(colors);
    const int count = dice_.roll(1, dice_.pick({4, 8, 8, kColors}));
    const bool one_way = dice_.chance(30), shares = dice_.chance(20);
    const auto any = [&] { return static_cast<Port>(dice_.roll(0, kLinks - 1)); };
    const Port way = any();
    for (int n = 0; n < count; ++n) {
      const auto partner = [&](const Flow& f) { return f.color == (colors[size(n)] ^ 1); };
      const auto known = std::ranges::find_if(flows_, partner);
      const bool follow = known != flows_.end() && dice_.chance(80);  // swaps need it
      flows_.push_back({colors[size(n)],
                        follow    ? known->forward
                        : one_way ? way
                                  : any(),
                        shares ? dice_.roll(0, kInputQueues - 1) : n % kInputQueues,
                        n >= kInputQueues && !shares});
    }
    if (rare_.swaps != 0 && !flows_.empty() && dice_.chance(70)) {
      const Flow first = flows_.front();
      if (std::ranges::none_of(flows_, [&](const Flow& f) { return f.color == (first.color ^ 1); }))
        flows_.push_back({first.color ^ 1, first.forward, first.queue, false});
    }
  }

  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  bool inside(int x, int y) const { return x >= 0 && x < c_.width && y >= 0 && y < c_.height; }
  bool leads(int x, int y, Port port) const {
    constexpr int kX[] = {-1, 1, 0, 0, 0}, kY[] = {0, 0, 1, -1, 0};
    const auto n = static_cast<std::size_t>(port);
    return inside(x + kX[n], y + kY[n]);
  }

  /// Lines that begin where a core sends, and end before the next one.
  void draw_routes(const Flow& flow) {
    const int starts = dice_.pick({10, 30, 60});
    std::vector<bool> source(size(c_.width * c_.height));
    const auto at = [&](int x, int y) { return size(y * c_.width + x); };
    for (int y = 0; y < c_.height; ++y)
      for (int x = 0; x < c_.width; ++x)
        source[at(x, y)] = !leads(x, y, opposite(flow.forward)) || dice_.chance(starts);
    constexpr int kX[] = {-1, 1, 0, 0}, kY[] = {0, 0, 1, -1};
    const auto way = static_cast<std::size_t>(flow.forward);
    for (int y = 0; y < c_.height; ++y)
      for (int x = 0; x < c_.width; ++x) {
        if (dice_.chance(3)) continue;
        const bool ends = !leads(x, y, flow.forward) ||
                          (source[at(x + kX[way], y + kY[way])] && dice_.chance(90));
        add_route(flow, x, y, source[at(x, y)], ends);
      }
  }

  void add_route(const Flow& flow, int x, int y, bool starts, bool ends) {
    Route route;
    route.rx = starts ? Port::ramp : opposite(flow.forward);
    route.tx = ends               ? PortSet(Port::ramp)
               : dice_.chance(50) ? PortSet{flow.forward, Port::ramp}
                                  : PortSet(flow.forward);
    if (dice_.chance(rare_.forks)) route.rx = route.rx | static_cast<Port>(dice_.roll(0, 4));
    route.input_queue = flow.queue;
    if (dice_.chance(rare_.switches)) draw_switch(flow, route, x, y);
    route.swap_north_south = dice_.chance(rare_.swaps);
    route.swap_east_west = dice_.chance(rare_.swaps);
    route.teardown = dice_.chance(rare_.torn_down);
    c_.routes.push_back({{x, y, 1, 1}, flow.color, route});
    if (flow.silent || dice_.chance(rare_.filters)) add_filter(flow, x, y);
  }

  void draw_switch(const Flow& flow, Route& route, int x, int y) {
    for (int n = dice_.roll(1, 3); n > 0; --n) {
      const Port port = dice_.pick({flow.forward, opposite(flow.forward), Port::ramp, Port::ramp,
                                    static_cast<Port>(dice_.roll(0, kPorts - 1))});
      if (dice_.chance(60) || (port != Port::ramp && !leads(x, y, port)))
        route.positions.push_back(SwitchPosition::receive(port));
      else
        route.positions.push_back(SwitchPosition::send(port));
    }
    route.ring = dice_.chance(70);
    route.initial = dice_.chance(60) ? 0 : dice_.roll(0, static_cast<int>(route.positions.size()));
    route.pop = static_cast<PopMode>(dice_.roll(0, 3));
  }

  void add_filter(const Flow& flow, int x, int y) {
    const Rect here{x, y, 1, 1};
    const auto limit = static_cast<std::uint32_t>(dice_.roll(0, 9));
    const auto counter = static_cast<std::uint32_t>(dice_.roll(0, static_cast<int>(limit)));
    const auto most = static_cast<std::uint32_t>(dice_.roll(0, 9));
    if (flow.silent) {
      c_.filters.push_back({here, flow.color,
                            CounterFilter{.counter = counter,
                                          .limit1 = limit,
                                          .max_counter = most,
                                          .count_data = dice_.chance(50),
                                          .count_control = false,
                                          .filter_control = true}});
    } else if (dice_.chance(rare_.ranges)) {
      const int least = dice_.pick({0, 1, 0x3f80, dice_.roll(0, 65535)});
      c_.filters.push_back({here, flow.color,
                            RangeFilter{static_cast<std::uint16_t>(least),
                                        static_cast<std::uint16_t>(dice_.roll(least, 65535))}});
    } else if (dice_.chance(30)) {
      SparseCounterFilter f{counter, limit, most, {}, dice_.chance(90), dice_.chance(40)};
      if (dice_.chance(60)) f.limit2 = static_cast<std::uint32_t>(dice_.roll(0, 9));
      c_.filters.push_back({here, flow.color, f});
    } else {
      c_.filters.push_back({here, flow.color,
                            CounterFilter{counter, limit, most, dice_.chance(90), dice_.chance(40),
                                          dice_.chance(15)}});
    }
  }

  const Layout::Routing* route_at(int x, int y, int color) const {
    const auto here = [&](const Layout::Routing& r) {
      return r.color == color && r.where.x == x && r.where.y == y;
    };
    const auto found = std::ranges::find_if(c_.routes, here);
    return found == c_.routes.end() ? nullptr : &*found;
  }
  bool counts_at(int x, int y, int color) const {
    return std::ranges::any_of(c_.filters, [&](const Layout::Filtering& f) {
      return f.color == color && f.where.x == x && f.where.y == y &&
             !std::holds_alternative<RangeFilter>(f.filter);
    });
  }

  // Programs. Tasks: 0 to 5 send data, 10 to 15 control wavelets, 19 writes registers, 20 to 27
  // receive, 29 lets go of colors.

  Program program(int x, int y) {
    Program p = program_of({}, {});
    const auto put = [&p](Op op, int d = 0, int a = 0, int b = 0, std::int32_t imm = 0) {
      p.code.push_back({op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                        static_cast<std::uint8_t>(b), imm});
    };
    const auto begin = [&p](int task, bool starts) {
      p.local_entry[size(task)] = static_cast<std::int32_t>(p.code.size());
      if (starts) p.started_local |= 1U << task;
    };
    const auto then = [](int task) {
      VectorOptions o{.async = true, .at_end = VectorOptions::AtEnd::activate};
      o.task_id = static_cast<std::uint8_t>(task);
      return o.pack();
    };
    const auto address = [this] { return dice_.roll(0, 100) * 4; };

    std::vector<Flow> here, sends;
    for (const Flow& flow : flows_) {
      const Layout::Routing* routing = route_at(x, y, flow.color);
      if (routing == nullptr) continue;
      here.push_back(flow);
      if (sends.size() < kOutputQueues && (routing->route.rx.has(Port::ramp) || dice_.chance(30)))
        sends.push_back(flow);
    }
    for (int k = 0; k < static_cast<int>(sends.size()); ++k) {
      const bool control = dice_.chance(rare_.control);
      begin(k, true);
      put(Op::dfabout, 0, k, sends[size(k)].color);
      put(Op::dbase, 1, 0, 0, address());
      put(Op::dstride, 1, 0, 0, 1);
      put(Op::dlen, 1, 0, 0, dice_.roll(1, dice_.pick({3, 12, 50})));
      put(Op::vmov32, 0, 1, 0, then(control ? 10 + k : k));
      put(Op::end);
      if (!control) continue;
      begin(10 + k, false);
      put(Op::dfabout, 2, k, sends[size(k)].color, 1);
      put(Op::dlen, 2, 0, 0, dice_.pick({1, 1, 1, 3}));
      put(Op::li, 0, 0, 0, static_cast<std::int32_t>(random_control(dice_)));
      put(Op::vmov32r, 2, 0, 0, then(k));
      put(Op::end);
    }
    for (int q = static_cast<int>(sends.size()); q < kInputQueues; ++q) {
      if (dice_.chance(25)) continue;
      begin(20 + q, true);
      put(Op::dfabin, 3, q);
      put(Op::dlen, 3, 0, 0, dice_.roll(1, 40));
      put(Op::dbase, 4, 0, 0, address());
      put(Op::dstride, 4, 0, 0, 1);
      put(Op::vmov32, 4, 3, 0, then(20 + q));
      put(Op::end);
    }
    for (const Flow& flow : here) {
      if (dice_.chance(30)) continue;
      p.data_entry[size(flow.color)] = static_cast<std::int32_t>(p.code.size());
      put(Op::end);
    }
    for (int id = 0; id < 4; ++id)
      p.control_entry[size(id)] = static_cast<std::int32_t>(p.code.size());
    put(Op::end);
    begin(29, false);
    put(Op::tpending, 1);
    for (const Flow& flow : here)
      if (dice_.chance(80)) put(Op::texit, 1, flow.color);
    put(Op::end);
    if (!here.empty() && dice_.chance(rare_.writes)) {
      begin(19, true);
      for (int n = dice_.roll(1, 3); n > 0; --n) write_register(put, x, y, dice_.pick(here));
      put(Op::activate, 0, static_cast<int>(TaskKind::local), 19);
      put(Op::end);
    }
    return p;
  }

  template <class Put>
  void write_register(Put put, int x, int y, const Flow& flow) {
    for (int pause = dice_.roll(0, 8); pause > 0; --pause) put(Op::add, 3, 3, 3);
    const Route& route = route_at(x, y, flow.color)->route;
    const auto write = [&](Op op, int value) {
      put(Op::li, 2, 0, 0, value);
      put(op, 2, flow.color);
    };
    if (dice_.chance(rare_.rewrites)) {
      const int ports = dice_.chance(60) ? route.tx.bits() | route.rx.bits() << 5
                                         : dice_.roll(0, 31) | 1 << dice_.roll(5, 9);
      if (dice_.chance(50)) return write(Op::setroute, ports);
      int bits = dice_.roll(0, 1) << 12;
      for (int n = 0; n < 3; ++n)
        bits |= dice_.pick({0, 1, 2, 3, 4, 5, 5, 5, 8, 9, 10, 11, 12}) << 4 * n;
      return write(Op::setswitch, bits);
    }
    if (counts_at(x, y, flow.color) && dice_.chance(60)) {
      if (dice_.chance(40)) return write(Op::fcount, 0);
      return write(dice_.pick({Op::flimit, Op::fmax}), dice_.roll(0, 9));
    }
    if (dice_.chance(30)) return write(Op::texit, 0);
    write(Op::setpos, route.positions.empty() || rare_.rewrites != 0 ? 0 : dice_.roll(0, 1));
  }

  Case c_;
  Dice dice_;
  Rare rare_{};
  std::vector<Flow> flows_;
};

}  // namespace

Case traffic_case(std::uint64_t seed) { return TrafficWriter(seed).write(); }

}  // namespace weft::test
