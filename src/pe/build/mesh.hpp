#pragma once

#include <memory>
#include <utility>

#include "pe/build/host_links.hpp"
#include "pe/build/places.hpp"
#include "pe/build/rules.hpp"
#include "pe/filters.hpp"
#include "pe/switches.hpp"
#include "weft/error.hpp"
#include "weft/instruction.hpp"

/// The PEs of a layout, or of some rows of it, each part of their state in an array. For the host
/// only.
namespace weft::pe {

/// All but the PEs' memory, which may be far larger.
template <class S>
class Mesh {
 public:
  Mesh(const Mesh&) = delete;

  /// Of a layout that a fabric can be built of. `program_of`: by PE, row by row; kNoProgram: none.
  /// `memory`: of all PEs, interleaved, or null if it is elsewhere. `counts`: of all PEs, if they
  /// count.
  /// Throws Error(emulator) if S is too small for it.
  Mesh(const Layout& layout, const Rules& all_rules, const std::vector<std::uint16_t>& program_of,
       Places places_of_pes, std::uint32_t* memory, const CountArrays& counts = {})
      : rules(rules_with(all_rules, places_of_pes.pes)),
        places(std::move(places_of_pes)),
        host(std::make_unique<HostLinks<S>>(layout, rules, places)) {
    if (numbered_colors(layout).size() > S::kMost || rules.timing.router_depth > S::kSlots)
      throw Error(ErrorCategory::emulator, "wrong shape of PEs",
                  "the layout has more colors, or the machine deeper router queues",
                  "take a larger shape");
    const std::size_t pes = places.all_pes();
    router_.resize(pes);
    for (int k = 0; k < 2; ++k) {
      inbox_[k].resize(std::size_t{places.tiles} * places.cells);
      payload_[k].resize(pes * (k == 0 ? rules.to_core : rules.to_router).slots);
    }
    registers_.resize(pes * kRegisters);
    far_.resize(pes);
    core_.resize(pes);
    far_core_.resize(pes);
    for (Far<S>& far : far_) clear(far);
    set_routes(layout);
    set_filters(layout);
    set_cores(layout, program_of);
    number_rings(layout);
    look_beyond();
    for (std::uint32_t tile = 0; tile < places.tiles; ++tile)
      arrays_.push_back(arrays_of(tile, memory, counts));
  }

  const Rules rules;
  const Places places;
  const std::unique_ptr<HostLinks<S>> host;

  int width() const { return places.width; }
  int height() const { return places.height; }
  /// Of the rows that are here.
  int first_row() const { return places.first_row; }
  int end_row() const { return places.end_row; }

  Pe<S> at(int x, int y) const {
    const TileAddress& place = places.at(x, y);
    return pe_of(rules, arrays_[place.tile], place.number);
  }

  /// Of a PE's memory.
  std::size_t words() const { return words_of(rules); }
  static std::size_t words_of(const Rules& rules) { return rules.timing.memory_bytes / 4; }

  /// The arrays of all tiles, tile by tile, and the words of a tile's rings.
  const Arrays<S>& arrays() const { return arrays_.front(); }
  std::uint32_t ring_words() const { return ring_words_; }

 private:
  struct At {
    int x, y;
  };

  static Rules rules_with(Rules rules, std::uint32_t pes) {
    rules.pes = pes;
    return rules;
  }

  Arrays<S> arrays_of(std::uint32_t tile, std::uint32_t* memory, const CountArrays& counts) {
    const std::size_t pe = std::size_t{tile} * places.pes;
    const std::size_t cell = std::size_t{tile} * places.cells;
    const CoreArrays core{&rules,
                          own_array(core_, pe),
                          own_array(far_core_, pe),
                          {payload_[0].data() + pe * rules.to_core.slots,
                           payload_[1].data() + pe * rules.to_router.slots},
                          registers_.data() + pe * kRegisters,
                          memory == nullptr ? nullptr : memory + pe * words()};
    return {base_of(core, counts, pe),
            own_array(router_, pe),
            {inbox_[0].data() + cell, inbox_[1].data() + cell},
            own_array(far_, pe),
            rings_.data() + std::size_t{tile} * ring_words_,
            host->of_tile(tile)};
  }

  /// `pe`, of both: the first of a tile.
  template <class T>
  static OwnArray<T> own_array(std::vector<T>& all, std::size_t pe) {
    return OwnArray<T>::of_all(all.data() + pe);
  }
  static auto base_of(const CoreArrays& core, CountArrays counts, std::size_t pe) {
    if constexpr (S::kCounting) {
      counts.words += pe * counts.sizes.words;
      if (counts.first_mark != nullptr) counts.first_mark += pe;
      return CountingArrays{core, counts};
    } else {
      return core;
    }
  }

  std::size_t index(int x, int y) const { return places.index(x, y); }
  bool inside(int x, int y) const { return places.inside(x, y); }
  static At beyond(int x, int y, int link) { return {x + kBesideX[link], y + kBesideY[link]}; }
  template <class F>
  void for_each(const Rect& where, F f) const {
    const int end = std::min(where.y + where.height, end_row());
    for (int y = std::max(where.y, first_row()); y < end; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) f(x, y, index(x, y));
  }
  Rect all() const { return {0, first_row(), width(), end_row() - first_row()}; }
  static void clear(Far<S>& far) {
    std::ranges::fill(far.queue, kNone);
    for (Link& link : far.link) link.cell = kNoCell;
  }

  void set_routes(const Layout& layout) {
    for (std::size_t k = 0; k < 2; ++k)
      if (inside(0, row_beyond(k))) beyond_[k].resize(static_cast<std::size_t>(width()));
    for (const Layout::Routing& routing : layout.routings()) {
      const int color = rules.number[routing.color];
      set_routes_beyond(routing, color);
      for_each(routing.where, [&](int, int, std::size_t n) {
        const Route& route = routing.route;
        Far<S>& far = far_[n];
        set_switch(router_[n], far.switches[color], color, route);
        if (route.teardown) router_[n].mark(Mark::torn_down, color, true);
        if (!route.input_queue) return;
        const auto queue = static_cast<std::uint8_t>(*route.input_queue);
        for (int other = 0; other < S::kMost; ++other)
          if (far.queue[other] == queue) far.shared |= color_bit(color) | color_bit(other);
        far.queue[color] = queue;
        core_[n].marks[0].color[queue] = static_cast<std::uint8_t>(routing.color);
      });
    }
  }

  /// The row before those that are here, or the one after them.
  int row_beyond(std::size_t k) const { return k == 0 ? first_row() - 1 : end_row(); }
  void set_routes_beyond(const Layout::Routing& routing, int color) {
    const Rect& where = routing.where;
    for (std::size_t k = 0; k < 2; ++k) {
      const int y = row_beyond(k);
      if (beyond_[k].empty() || y < where.y || y >= where.y + where.height) continue;
      Router<S> router{};  // nobody looks at it
      for (int x = where.x; x < where.x + where.width; ++x)
        set_switch(router, beyond_[k][static_cast<std::size_t>(x)].switches[color], color,
                   routing.route);
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
        router_[n].mark(Mark::filtered, color, true);
        router_[n].mark(Mark::ranged, color, filter.kind == Filter::Kind::range);
        router_[n].mark(Mark::shut, color, refuses_data(filter));
      });
    }
  }

  void set_cores(const Layout& layout, const std::vector<std::uint16_t>& program_of) {
    for_each(all(), [&](int x, int y, std::size_t n) {
      FarCore& far = far_core_[n];
      far.x = static_cast<std::uint16_t>(x);
      far.y = static_cast<std::uint16_t>(y);
      far.program = program_of[places.in_mesh(x, y)];
      core_[n].placed = far.program != kNoProgram;
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
          set_bit(core_[n].blocked, q, (blocked >> core_[n].marks[0].color[q] & 1U) != 0);
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
    const std::size_t patches = places.cells / kPatch;  // of a tile
    // By patch its first word; at first how many it has. A cell, and a patch without rings, have
    // one ring.
    first_.assign(places.tiles * patches, S::kSlots * kPatch);
    for (std::size_t n = 0; n < far_.size(); ++n) {
      const std::size_t patch = n / places.pes * patches + n % places.pes / kPatch;
      const std::uint32_t words = number_rings(far_[n], rewritten[n]) * S::kSlots * kPatch;
      first_[patch] = std::max(first_[patch], words);
    }
    for (std::uint32_t tile = 0; tile < places.tiles; ++tile) {
      std::uint32_t next = 0;
      for (std::size_t k = tile * patches; k < (tile + 1) * patches; ++k)
        next += std::exchange(first_[k], next);
      ring_words_ = std::max(ring_words_, next);
    }
    rings_.resize(std::size_t{places.tiles} * ring_words_);
    for (std::size_t n = 0; n < far_.size(); ++n)
      far_[n].rings = first_ring(n / places.pes, static_cast<std::uint32_t>(n % places.pes));
  }
  /// Returns how many a PE has. `rewritten`: real colors of which all inputs may open.
  std::uint32_t number_rings(Far<S>& far, std::uint32_t rewritten) const {
    using Ports = typename S::Ports;
    std::uint32_t rings = 0;
    for (int color = 0; color < S::kMost; ++color) {
      if (!far.switches[color].routed) continue;
      const bool any = (rewritten >> rules.color[color] & 1U) != 0;
      const unsigned open = any ? 31U : ever_open(far.switches[color]);
      far.ringed = far.ringed | color_at<Ports>(open, color);
      rings += static_cast<std::uint32_t>(count(open));
    }
    return rings;
  }
  /// The first word of a cell's rings.
  std::uint32_t first_ring(std::size_t tile, std::uint32_t cell) const {
    return first_[tile * (places.cells / kPatch) + cell / kPatch] + cell % kPatch;
  }

  /// The cell of a neighbour in another tile, or of the host, has one ring, for the wavelet on its
  /// way.
  Link link_of(int x, int y, int number) const {
    using Ports = typename S::Ports;
    const TileAddress& here = places.at(x, y);
    const auto further =
        static_cast<std::int16_t>(places.beside[places.row_by_row(x, y)] >> 16 * number);
    const std::uint32_t cell = here.number + static_cast<std::uint32_t>(further);
    Link link{cell, first_ring(here.tile, cell), 0, 0};
    if (cell >= places.pes) return link;
    const Far<S>& there = far_[std::size_t{here.tile} * places.pes + cell];
    const int side = opposite(number);
    link.queues = there.ringed.colors_at(side);
    if (link.queues == 0) return link;
    const Ports first = Ports::one(side, color_bit(lowest(link.queues)));
    link.rings += there.ringed.before(first) * S::kSlots * kPatch;
    return link;
  }

  /// Of a PE beyond the rows that are here, its switches alone.
  const Far<S>& far_at(int x, int y) const {
    if (places.has_row(y)) return far_[index(x, y)];
    return beyond_[y < first_row() ? 0 : 1][static_cast<std::size_t>(x)];
  }

  /// What each PE knows of its neighbours: their queues, and where they swap.
  void look_beyond() {
    using Ports = typename S::Ports;
    for_each(all(), [&](int x, int y, std::size_t n) {
      Far<S>& far = far_[n];
      Ports& no_queue = router_[n].no_queue;
      const auto look = [&](int port, const Far<S>& there, int port_there) {
        for (int color = 0; color < S::kMost; ++color) {
          const Switch& s = there.switches[color];
          const Ports bit = Ports::one(port, color_bit(color));
          if (!s.routed || (ever_open(s) >> port_there & 1U) == 0) no_queue = no_queue | bit;
          if ((s.swaps >> port_there & 1U) != 0) far.swapped = far.swapped | bit;
        }
      };
      look(kRamp, far, kRamp);
      for (int link = 0; link < kLinks; ++link) {
        far.link[link] = link_of(x, y, link);
        const auto [nx, ny] = beyond(x, y, link);
        if (!inside(nx, ny)) {  // perhaps the host is there
          no_queue = no_queue |
                     Ports::one(link, Ports::every(~Colors{0} >> (32 - S::kMost)).colors_at(link));
          continue;
        }
        look(link, far_at(nx, ny), opposite(link));
        if (rules.timing.is_far(x, y, static_cast<Port>(link)))
          far.resting = static_cast<std::uint8_t>(far.resting | 1U << link);
      }
    });
  }

  std::vector<Router<S>> router_;
  std::vector<Inbox<S>> inbox_[2];
  std::vector<Far<S>> far_;
  std::vector<Far<S>> beyond_[2];  ///< of row_beyond, by column; none where the mesh ends
  std::vector<Core> core_;
  std::vector<FarCore> far_core_;
  std::vector<std::uint32_t> registers_, rings_, payload_[2];
  std::vector<std::uint32_t> first_;  ///< [tile][patch]: the first word of its rings in the tile's
  std::uint32_t ring_words_ = 0;      ///< of a tile
  std::vector<Arrays<S>> arrays_;     ///< by tile
};

}  // namespace weft::pe
