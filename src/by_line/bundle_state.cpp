#include "by_line/bundle_state.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "base/pages.hpp"
#include "model/router/room.hpp"

namespace weft::by_line {
namespace {

using model::kLanes;
using model::kNever;
using model::Mask;
using model::View;

/// A side of a row's PEs, where the row is a line that runs south: its mirror image.
constexpr int mirrored(int port) { return port < kLinks ? kLinks - 1 - port : port; }

constexpr std::uint8_t mirrored_set(std::uint8_t ports) {
  unsigned set = 0;
  for (int port = 0; port < kPorts; ++port)
    if ((ports >> port & 1U) != 0) set |= 1U << mirrored(port);
  return static_cast<std::uint8_t>(set);
}
static_assert(mirrored(static_cast<int>(Port::east)) == static_cast<int>(Port::south));
static_assert(mirrored(static_cast<int>(Port::west)) == static_cast<int>(Port::north));

std::int32_t state_of(const View& whole, int strip, int color) {
  return whole.strip[strip].color_state[color];
}

auto colors_of(const View& whole, const LaneCopy& lanes, int color) {
  return lanes.find<model::ColorState>([&](int strip) {
    const std::int32_t state = state_of(whole, strip, color);
    return state < 0 ? nullptr : &whole.colors[state];
  });
}

auto switches_of(const View& whole, const LaneCopy& lanes, int color) {
  return lanes.find<model::SwitchState>([&](int strip) {
    const std::int32_t state = state_of(whole, strip, color);
    return state < 0 ? nullptr : &whole.switches[state];
  });
}

auto filters_of(const View& whole, const LaneCopy& lanes, int color) {
  return lanes.find<model::FilterState>([&](int strip) {
    const std::int32_t state = state_of(whole, strip, color);
    const std::int32_t filter = state < 0 ? -1 : whole.colors[state].filter;
    return filter < 0 ? nullptr : &whole.filters[filter];
  });
}

/// By number of lines, the first cycle that is not past for their PEs.
std::array<std::uint64_t, kLanes> known_times(const View& whole, const LineGroup& lines,
                                              const PeTimes& times, int strip) {
  std::array<std::uint64_t, kLanes> known{};
  for (std::size_t n = 0; n < static_cast<std::size_t>(lines.count); ++n)
    known[n] = times.from[lines.pe(whole.width, n, strip)] + lines.clock_lag[n];
  return known;
}

/// All lines that are in lanes.
std::vector<model::LineInLane> lines_in_lanes(const LineGroup& lines) {
  if (lines.stands_for_others()) return {lines.in_lanes.begin(), lines.in_lanes.end()};
  std::vector<model::LineInLane> all;
  all.reserve(static_cast<std::size_t>(lines.count));
  for (std::size_t n = 0; n < static_cast<std::size_t>(lines.count); ++n)
    all.push_back({lines.line[n], static_cast<int>(n), lines.clock_lag[n]});
  return all;
}

auto cores_of(const View& whole, const LaneCopy& lanes) {
  return lanes.find<model::CoreState>([&](int strip) { return &whole.core[strip]; });
}

}  // namespace

BundleState::BundleState(const LineFacts& facts, int length)
    : facts_(facts), memory_(static_cast<std::size_t>(length) * (facts.memory_bytes / 4) * kLanes) {
  const auto strips = static_cast<std::size_t>(length);
  const std::size_t colors = strips * static_cast<std::size_t>(std::popcount(facts.colors));
  const auto resize = [](auto& items, std::size_t count) {
    base::reserve_on_large_pages(items, count);
    items.resize(count);
  };
  resize(strips_, strips);
  resize(cores_, strips);
  resize(colors_, colors);
  resize(switches_, colors);
  resize(filters_, colors);
  resize(queues_, colors * kPorts);
  for (auto* each : {&route_wake_, &deliver_wake_, &core_wake_, &from_, &stepped_until_, &stopped_})
    each->resize(whole_words(strips), kNever);
  faults_.resize(strips);
}

std::size_t BundleState::color_index(int strip, int color) const {
  const int rank = std::popcount(facts_.colors & ((1U << color) - 1));
  const int index = strip * std::popcount(facts_.colors) + rank;
  return static_cast<std::size_t>(index);
}

void BundleState::find_addresses(const View& whole, const LineGroup& lines, int strip) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(lines.count); ++n) {
    const int line = lines.line[n];
    addresses_[n] = lines.rows ? model::address_of(whole.strips, strip, line)
                               : model::address_of(whole.strips, line, strip);
  }
}

/// f(number) for the whole fabric's strips in which neighbouring lines are: each has several places
/// of them.
template <class F>
void BundleState::each_theirs(const View& whole, const LineGroup& lines, int length, F f) {
  find_addresses(whole, lines, 0);
  const int north_west = addresses_[0].strip;
  find_addresses(whole, lines, length - 1);
  const int south_east = addresses_[static_cast<std::size_t>(lines.count - 1)].strip;
  for (int row = north_west / whole.strips; row <= south_east / whole.strips; ++row)
    for (int column = north_west % whole.strips; column <= south_east % whole.strips; ++column)
      f(row * whole.strips + column);
}

/// A strip's routers of one color. `theirs`: in the whole fabric, some lane has one.
void BundleState::take_color(const View& whole, const LaneCopy& lanes, int strip, int color,
                             const LaneCopy::Theirs<model::ColorState>& theirs) {
  const std::size_t n = color_index(strip, color);
  model::ColorState& c = colors_[n] = {};
  lanes.fields<Way::take>(kColorFields, c, theirs);
  for (std::size_t lane = 0; lane < lanes.addresses.size(); ++lane) {
    if (theirs[lane] == nullptr) continue;
    const model::ColorState& there = *theirs[lane];
    const int address = lanes.addresses[lane].lane;
    const Mask bit = Mask{1} << lane;
    for (int port = 0; port < kPorts; ++port) {
      const int side = rows_ ? mirrored(port) : port;
      if (model::has(there.rx[side], address)) c.rx[port] |= bit;
      if (model::has(there.tx[side], address)) c.tx[port] |= bit;
      if (model::has(there.opens[side], address)) c.opens[port] |= bit;
    }
    c.exits |= rows_ ? mirrored_set(there.exits) : there.exits;
    c.inputs |= there.inputs;
  }
  for (int port = 0; port < kPorts; ++port) {
    const std::size_t queue = n * kPorts + static_cast<std::size_t>(port);
    c.queue[port] = c.opens[port] != 0 ? static_cast<std::int32_t>(queue) : -1;
    if (c.opens[port] != 0) c.ports |= static_cast<std::uint8_t>(1U << port);
    queues_[queue] = {};
  }

  model::SwitchState& s = switches_[n];
  const auto switches = switches_of(whole, lanes, color);
  lanes.fields<Way::take>(kSwitchFields, s, switches);
  lanes.fields<Way::take>(kPositions, s, switches);
  if (rows_)
    for (int position = 0; position < model::kMaxPositions; ++position)
      for (int lane = 0; lane < kLanes; ++lane) {
        s.rx[position][lane] = mirrored_set(s.rx[position][lane]);
        s.tx[position][lane] = mirrored_set(s.tx[position][lane]);
      }
  c.filter = c.filtered != 0 ? static_cast<std::int32_t>(n) : -1;
  if (c.filtered != 0)
    lanes.fields<Way::take>(kFilterFields, filters_[n], filters_of(whole, lanes, color));
}

LaneCopy BundleState::copy_of(const LineGroup& lines, const std::uint8_t* lanes) const {
  return {std::span(addresses_).first(static_cast<std::size_t>(lines.count)), lanes,
          lines.clock_lag.data(), bundle_.stands_for != nullptr ? bundle_.across : 0};
}

void BundleState::take_strip(const View& whole, const LaneCopy& lanes, int strip) {
  const auto index = static_cast<std::size_t>(strip);
  model::StripState& own = strips_[index];
  own = {};
  own.left_cycle = kNever;
  for (std::int32_t& state : own.color_state) state = -1;
  for (std::uint32_t rest = facts_.colors; rest != 0; rest &= rest - 1) {
    const int color = model::lowest(rest);
    const auto theirs = colors_of(whole, lanes, color);
    if (std::ranges::all_of(theirs, [](auto* state) { return state == nullptr; })) continue;
    own.colors |= 1U << color;
    own.color_state[color] = static_cast<std::int32_t>(color_index(strip, color));
    take_color(whole, lanes, strip, color, theirs);
  }
  model::CoreState& core = cores_[index];
  move_core<Way::take>(lanes, core, cores_of(whole, lanes));
  core.fifo = -1;
  find_shared(view_, strips_[static_cast<std::size_t>(strip)], core);
}

void BundleState::bind(const View& whole, const LineGroup& lines) {
  rows_ = lines.rows;
  const int length = rows_ ? whole.width : whole.height;
  bundle_.rows = rows_;
  lines_ = lines.line;
  bundle_.lines = lines_.data();
  stands_for_ = lines.stands_for;
  bundle_.stands_for = lines.stands_for_others() ? stands_for_.data() : nullptr;
  unequal_ = false;
  bundle_.unequal = &unequal_;
  bundle_.across = rows_ ? facts_.along_columns : facts_.along_rows;
  bundle_.any_lag = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    bundle_.clock_lag[lane] = lines.clock_lag[lane];
    bundle_.any_lag |= lines.clock_lag[lane];
  }
  const std::uint64_t period = whole.timing.link_period();
  links_rest_.assign(period, 0);
  for (std::size_t lane = 0; period != 0 && lane < kLanes; ++lane)
    for (std::uint64_t rest = 0; rest < whole.timing.link_rest; ++rest)
      links_rest_[(lines.clock_lag[lane] + rest) % period] |= Mask{1} << lane;
  bundle_.links_rest = links_rest_.data();
  bundle_.from = from_.data();
  bundle_.stepped_until = stepped_until_.data();
  bundle_.stopped = stopped_.data();
  bundle_.until = nullptr;
  fault_ = kNever;
  bundle_.fault = &fault_;
  last_ = {};
  bundle_.last = &last_;

  View& v = view_;
  v = whole;
  v.width = kLanes;
  v.height = v.rows = length;
  v.strips = 1;
  const bool all_alike = !lines.stands_for_others() || lines.memory_bytes == facts_.memory_bytes;
  v.timing.memory_bytes = all_alike ? facts_.memory_bytes : lines.memory_bytes;
  written_ = base::ZeroedArray<Mask>(static_cast<std::size_t>(length) *
                                     ((facts_.memory_bytes - v.timing.memory_bytes) / 4));
  bundle_.written = written_.data();
  if (lines.stands_for_others()) {  // a core that waited would come to an instruction too late
    none_private_.assign(facts_.code, 0);
    v.private_cycles = none_private_.data();
  }
  v.memory_words = facts_.memory_bytes / 4;
  v.strip = strips_.data();
  v.core = cores_.data();
  v.memory = memory_.data();
  v.colors = colors_.data();
  v.switches = switches_.data();
  v.filters = filters_.data();
  v.fifos = nullptr;
  v.port_queues = queues_.data();
  v.route_wake = route_wake_.data();
  v.deliver_wake = deliver_wake_.data();
  v.core_wake = core_wake_.data();
  v.route_row = v.deliver_row = v.core_row = v.left_row = v.fault_row = nullptr;
  v.tallies = nullptr;
  v.faults = faults_.data();
  v.bundle = &bundle_;
  bundle_.place_counts = nullptr;
  bundle_.refused = nullptr;
}

const View& BundleState::take(const View& whole, const LineGroup& lines, const PeTimes& times) {
  bind(whole, lines);
  View& v = view_;
  const int length = v.rows;
  if (lines.begins && !lines.stands_for_others())
    each_theirs(whole, lines, length, [&](int strip) {
      base::populate(whole.core + strip, 1);
      if (whole.data)
        base::populate(whole.memory + static_cast<std::size_t>(strip) * whole.memory_words * kLanes,
                       std::size_t{facts_.memory_bytes} / 4 * kLanes);
    });
  const Mask all = lines.count == kLanes ? model::kAllLanes : model::lane_bit(lines.count) - 1;
  if (whole.counts != nullptr)
    counts_.begin(whole, v, bundle_, colors_.size(), all, lines_in_lanes(lines));
  for (int strip = 0; strip < length; ++strip) {
    find_addresses(whole, lines, strip);
    const LaneCopy copy = copy_of(lines, kOwnLanes.data());
    take_strip(whole, copy, strip);
    set_times(whole, lines, times, strip);
    if (whole.counts != nullptr)
      counts_.take(whole, copy, strip, from_[static_cast<std::size_t>(strip)],
                   known_times(whole, lines, times, strip));
  }
  move_memory<Way::take>(whole, lines, kOwnLanes.data(), length);
  link_colors(length);
  for (model::StripState& own : std::span(strips_).first(static_cast<std::size_t>(length)))
    model::publish_rooms(v, own, own.colors);
  delay_lines_.begin(v, bundle_, all, lines.start);
  if (whole.counts != nullptr) counts_.begin_counting(v);
  return v;
}

/// When a strip may be stepped, and when it has to be. (No router holds a wavelet: lines_of.)
void BundleState::set_times(const View& whole, const LineGroup& lines, const PeTimes& times,
                            int strip) {
  const auto index = static_cast<std::size_t>(strip);
  std::uint64_t from = lines.start, delivers = kNever, runs = kNever;
  const auto count = static_cast<std::size_t>(lines.count);
  for (std::size_t at = 0; at < count; ++at)
    from = std::max(from, times.from[lines.pe(whole.width, at, strip)] + lines.clock_lag[at]);
  for (std::size_t at = 0; at < count; ++at) {
    const std::uint64_t stopped = times.stopped[lines.pe(whole.width, at, strip)];
    if (lines.begins) {
      delivers = std::min(delivers, whole.deliver_wake[addresses_[at].strip]);
      runs = std::min(runs, whole.core_wake[addresses_[at].strip]);
    } else if (stopped != kNever) {
      if (stopped + lines.clock_lag[at] != from) throw LinesMet{};  // not all in the same cycle
      delivers = runs = from;
    }
  }
  from_[index] = from;
  stepped_until_[index] = 0;
  stopped_[index] = kNever;
  faults_[index] = {};
  route_wake_[index] = kNever;
  deliver_wake_[index] = delivers;
  core_wake_[index] = runs;
}

/// Each color's state in the strips before and after, when all of these are known.
void BundleState::link_colors(int length) {
  for (int strip = 0; strip < length; ++strip)
    for (std::uint32_t rest = strips_[static_cast<std::size_t>(strip)].colors; rest != 0;
         rest &= rest - 1) {
      const int color = model::lowest(rest);
      const auto beside = [&](int there) {
        if (there < 0 || there >= length) return -1;
        return strips_[static_cast<std::size_t>(there)].color_state[color];
      };
      std::int32_t(&beyond)[kLinks] = colors_[color_index(strip, color)].beyond;
      for (std::int32_t& link : beyond) link = -1;
      beyond[static_cast<int>(Port::north)] = beside(strip - 1);
      beyond[static_cast<int>(Port::south)] = beside(strip + 1);
    }
}

void BundleState::give_strip(const View& whole, const LaneCopy& lanes, int strip) {
  const auto index = static_cast<std::size_t>(strip);
  model::StripState& own = strips_[index];
  for (std::uint32_t rest = own.colors & ~lanes.unread; rest != 0; rest &= rest - 1) {
    const int color = model::lowest(rest);
    const std::size_t at = color_index(strip, color);
    const model::ColorState& c = colors_[at];
    const auto theirs = colors_of(whole, lanes, color);
    for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
      if (theirs[n] == nullptr) continue;
      const Mask bit = model::lane_bit(lanes.addresses[n].lane);
      const auto put = [&](Mask& to, Mask from) {
        to = model::has(from, lanes.lanes[n]) ? to | bit : to & ~bit;
      };
      put(theirs[n]->torn_down, c.torn_down);
      for (int port = 0; port < kPorts; ++port) {
        const int side = rows_ ? mirrored(port) : port;
        put(theirs[n]->rx[side], c.rx[port]);
        put(theirs[n]->tx[side], c.tx[port]);
      }
    }
    lanes.fields<Way::give>(kPositions, switches_[at], switches_of(whole, lanes, color));
    if (c.filtered != 0)
      lanes.fields<Way::give>(kFilterFields, filters_[at], filters_of(whole, lanes, color));
  }
  move_core<Way::give>(lanes, cores_[index], cores_of(whole, lanes));

  model::StripState& counts = whole.strip[addresses_[0].strip];  // they are summed over all
  counts.wavelets += std::exchange(own.wavelets, 0);
  counts.hops += std::exchange(own.hops, 0);
  counts.delivered += std::exchange(own.delivered, 0);
  counts.filtered += std::exchange(own.filtered, 0);
}

void BundleState::give(const View& whole, const LineGroup& lines, const std::uint8_t* lanes,
                       PeTimes& times) {
  const int length = rows_ ? whole.width : whole.height;
  for (int strip = 0; strip < length; ++strip) {
    const auto index = static_cast<std::size_t>(strip);
    find_addresses(whole, lines, strip);
    give_strip(whole, copy_of(lines, lanes), strip);
    give_written(whole, lines, lanes, strip);
    const std::uint64_t end = end_of(index);
    if (whole.counts != nullptr && end != 0)
      counts_.give(whole, view_, copy_of(lines, lanes), strip);
    for (std::size_t n = 0; n < static_cast<std::size_t>(lines.count); ++n) {
      const std::uint64_t behind = lines.clock_lag[n];
      const std::size_t pe = lines.pe(whole.width, n, strip);
      times.stopped[pe] = stopped_[index] != kNever ? end - behind : kNever;
      if (end != 0) times.from[pe] = end - behind;
    }
  }
  move_memory<Way::give>(whole, lines, lanes, length);
  each_theirs(whole, lines, length,
              [&](int strip) { find_shared(whole, whole.strip[strip], whole.core[strip]); });
}

}  // namespace weft::by_line
