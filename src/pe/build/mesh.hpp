#pragma once

#include "pe/build/rules.hpp"
#include "pe/filters.hpp"
#include "pe/switches.hpp"
#include "weft/error.hpp"
#include "weft/instruction.hpp"

/// The PEs of a layout, each part of their state in an array. For the host only.
namespace weft::pe {

template <class S>
class Mesh {
 public:
  Mesh(const Mesh&) = delete;

  /// Of a layout that a fabric can be built of. `program_of`: by PE, row by row; kNoProgram: none.
  /// Throws Error(emulator) if S is too small for it.
  Mesh(const Layout& layout, const model::Timing& timing, const model::ProgramView& programs,
       const std::vector<std::uint16_t>& program_of, bool tally, bool data)
      : rules(rules_of(layout, timing, programs, tally, data)),
        width_(layout.width()),
        height_(layout.height()) {
    if (numbered_colors(layout).size() > S::kMost || timing.router_depth > S::kSlots)
      throw Error(ErrorCategory::emulator, "wrong shape of PEs",
                  "the layout has more colors, or the machine deeper router queues",
                  "take a larger shape");
    const std::size_t pes = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    const std::size_t whole = (pes + kPatch - 1) / kPatch * kPatch;  // of whole patches
    router_.resize(pes);
    for (int k = 0; k < 2; ++k) {
      ramp_[k].resize(pes);
      marks_[k].resize(pes);
      inbox_[k].resize(pes);
      payload_[k].resize(whole * (k == 0 ? rules.to_core : rules.to_router).slots);
    }
    registers_.resize(whole * kRegisters);
    far_.resize(pes);
    core_.resize(pes);
    far_core_.resize(pes);
    memory_.resize(whole * words());
    for (Far<S>& far : far_) clear(far);
    set_routes(layout);
    set_filters(layout);
    set_cores(layout, program_of);
    number_rings(layout);
    look_beyond();
    arrays_ = {{rules,
                core_.data(),
                far_core_.data(),
                {ramp_[0].data(), ramp_[1].data()},
                {marks_[0].data(), marks_[1].data()},
                {payload_[0].data(), payload_[1].data()},
                registers_.data(),
                memory_.data()},
               router_.data(),
               {inbox_[0].data(), inbox_[1].data()},
               far_.data(),
               rings_.data(),
               first_.data()};
  }

  const Rules rules;

  int width() const { return width_; }
  int height() const { return height_; }

  Pe<S> at(int x, int y) const {
    Pe<S> pe{&arrays_, static_cast<std::uint32_t>(index(x, y)), 0};
    for (int link = 0; link < kLinks; ++link) {
      const auto [nx, ny] = beyond(x, y, link);
      const int offset = (ny - y) * width_ + nx - x;
      if (inside(nx, ny))
        pe.beside |= std::uint64_t{static_cast<std::uint16_t>(offset)} << 16 * link;
    }
    return pe;
  }

  /// Of a PE's memory.
  std::size_t words() const { return rules.timing.memory_bytes / 4; }

 private:
  struct Place {
    int x, y;
  };

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  bool inside(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }
  static Place beyond(int x, int y, int link) {
    constexpr int kX[] = {-1, 1, 0, 0}, kY[] = {0, 0, 1, -1};
    return {x + kX[link], y + kY[link]};
  }
  template <class F>
  void for_each(const Rect& where, F f) const {
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) f(x, y, index(x, y));
  }
  Rect all() const { return {0, 0, width_, height_}; }
  template <class T>
  static void add(T& colors, int color) {
    colors = static_cast<T>(colors | color_bit(color));
  }

  static void clear(Far<S>& far) {
    std::ranges::fill(far.queue, kNone);
    for (auto& port : far.ring) std::ranges::fill(port, kNone);
    for (auto& link : far.ring_beyond) std::ranges::fill(link, kNone);
  }

  void set_routes(const Layout& layout) {
    for (const Layout::Routing& routing : layout.routings()) {
      const int color = rules.number[routing.color];
      for_each(routing.where, [&](int, int, std::size_t n) {
        const Route& route = routing.route;
        Far<S>& far = far_[n];
        set_switch(router_[n], far.switches[color], color, route);
        if (route.teardown) add(router_[n].torn, color);
        if (!route.input_queue) return;
        const auto queue = static_cast<std::uint8_t>(*route.input_queue);
        for (int other = 0; other < S::kMost; ++other)
          if (far.queue[other] == queue) far.shared |= color_bit(color) | color_bit(other);
        far.queue[color] = queue;
        marks_[0][n].color[queue] = static_cast<std::uint8_t>(routing.color);
      });
    }
  }

  static void set_switch(Router<S>& r, Switch& s, int color, const Route& route) {
    constexpr std::uint8_t kEnd = 5;  // no direction
    s.rx[0] = route.rx.bits();
    s.tx[0] = route.tx.bits();
    for (std::size_t k = 1; k < kMaxPositions; ++k) {
      s.code[k] = kEnd;
      if (k > route.positions.size()) continue;
      const SwitchPosition& p = route.positions[k - 1];
      s.code[k] = static_cast<std::uint8_t>(static_cast<unsigned>(p.port) |
                                            (p.side == SwitchPosition::Side::rx ? 8U : 0U));
    }
    s.initial = static_cast<std::uint8_t>(route.initial);
    s.pop = static_cast<Pop>(route.pop);
    for (int port = 0; port < kPorts; ++port) set_bit(s.swaps, port, swaps(route, port));
    s.ring = route.ring;
    s.routed = true;
    compose(s);
    set_position(r, s, color, route.initial);
  }

  void set_filters(const Layout& layout) {
    for (const Layout::Filtering& filtering : layout.filterings()) {
      const int color = rules.number[filtering.color];
      const Filter filter = filter_of(filtering.filter);
      for_each(filtering.where, [&](int, int, std::size_t n) {
        far_[n].filter[color] = filter;
        add(router_[n].filtered, color);
        if (filter.kind == Filter::Kind::range) add(router_[n].ranged, color);
        set_shut(router_[n], color, refuses_data(filter));
      });
    }
  }

  void set_cores(const Layout& layout, const std::vector<std::uint16_t>& program_of) {
    for_each(all(), [&](int x, int y, std::size_t n) {
      FarCore& far = far_core_[n];
      far.x = static_cast<std::uint16_t>(x);
      far.y = static_cast<std::uint16_t>(y);
      far.program = program_of[n];
      core_[n].placed = program_of[n] != kNoProgram;
      for (Descriptor& d : far.dsr) d.name = Name::of(Kind::memory);
    });
    for (const Layout::Placement& placement : layout.placements()) {
      const Program& p = *placement.program;
      Colors blocked = 0;
      for (int color = 0; color < kColors; ++color)
        if (p.data_entry[static_cast<std::size_t>(color)] == Program::kUnbound)
          blocked |= color_bit(color) & ~p.unblocked_colors;
      for_each(placement.where, [&](int, int, std::size_t n) {
        FarCore& far = far_core_[n];
        far.active = p.started_local;
        far.blocked = p.blocked_local;
        far.blocked_colors = blocked;
        core_[n].offered = (far.active & ~far.blocked) != 0;
        for (int q = 0; q < kInputQueues; ++q)
          set_bit(core_[n].blocked, q, (blocked >> marks_[0][n].color[q] & 1U) != 0);
      });
    }
  }

  /// A ring for each input that some position opens, or may open when the program has written.
  void number_rings(const Layout& layout) {
    std::vector<std::uint32_t> rewritten(far_.size());  // real colors
    for (const Layout::Placement& placement : layout.placements()) {
      std::uint32_t colors = 0;
      for (const Instruction& i : placement.program->code)
        if (i.op == Op::setroute || i.op == Op::setswitch) colors |= 1U << i.a;
      for_each(placement.where, [&](int, int, std::size_t n) { rewritten[n] |= colors; });
    }
    std::uint32_t next = 0;  // word of the next patch
    for (std::size_t n = 0; n < far_.size(); ++n) {
      if (n % kPatch == 0) first_.push_back(next);
      const std::uint32_t words = number_rings(far_[n], rewritten[n]) * S::kSlots;
      next = std::max(next, first_.back() + words * kPatch);
    }
    rings_.resize(next + kPatch);  // a patch without rings has an address too
  }
  /// Returns how many a PE has. `rewritten`: real colors of which all inputs may open.
  std::uint32_t number_rings(Far<S>& far, std::uint32_t rewritten) const {
    std::uint8_t rings = 0;
    for (int color = 0; color < S::kMost; ++color) {
      if (!far.switches[color].routed) continue;
      const bool any = (rewritten >> rules.color[color] & 1U) != 0;
      const unsigned open = any ? 31U : ever_open(far.switches[color]);
      for (int port = 0; port < kPorts; ++port)
        if ((open >> port & 1U) != 0) far.ring[port][color] = rings++;
    }
    return rings;
  }

  /// What each PE knows of its neighbours: their queues, and where they swap.
  void look_beyond() {
    using Ports = typename S::Ports;
    for_each(all(), [&](int x, int y, std::size_t n) {
      Far<S>& far = far_[n];
      Ports& closed = router_[n].closed;
      const auto look = [&](int port, std::size_t there, int port_there) {
        for (int color = 0; color < S::kMost; ++color) {
          const Switch& s = far_[there].switches[color];
          const Ports bit = Ports::one(port, color_bit(color));
          if (!s.routed || (ever_open(s) >> port_there & 1U) == 0) closed = closed | bit;
          if ((s.swaps >> port_there & 1U) != 0) far.swapped = far.swapped | bit;
          if (port != kRamp) far.ring_beyond[port][color] = far_[there].ring[port_there][color];
        }
      };
      look(kRamp, n, kRamp);
      for (int link = 0; link < kLinks; ++link) {
        const auto [nx, ny] = beyond(x, y, link);
        if (inside(nx, ny))
          look(link, index(nx, ny), link ^ 1);
        else
          closed =
              closed | Ports::one(link, Ports::every(~Colors{0} >> (32 - S::kMost)).port(link));
        if (may_rest(x, y, link)) far.resting = static_cast<std::uint8_t>(far.resting | 1U << link);
      }
    });
  }

  /// All links may, or those between dies: to the west and the north one ends where the PE's column
  /// or row begins.
  bool may_rest(int x, int y, int link) const {
    const model::Timing& t = rules.timing;
    if (t.without_dies()) return true;
    const auto port = static_cast<Port>(link);
    const bool along_row = port == Port::west || port == Port::east;
    const int next = port == Port::east || port == Port::south ? 1 : 0;
    const auto size = static_cast<int>(along_row ? t.die_width : t.die_height);
    return size != 0 && ((along_row ? x : y) + next) % size == 0;
  }

  int width_, height_;
  std::vector<Router<S>> router_;
  std::vector<Ramp> ramp_[2];
  std::vector<RampMarks> marks_[2];
  std::vector<Inbox<S>> inbox_[2];
  std::vector<Far<S>> far_;
  std::vector<Core> core_;
  std::vector<FarCore> far_core_;
  std::vector<std::uint32_t> registers_, memory_, rings_, payload_[2];
  std::vector<std::uint32_t> first_;  ///< word of a patch's rings
  Arrays<S> arrays_;
};

}  // namespace weft::pe
