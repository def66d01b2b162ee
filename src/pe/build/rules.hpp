#pragma once

#include <algorithm>
#include <bit>
#include <variant>
#include <vector>

#include "pe/filters.hpp"
#include "weft/layout.hpp"

/// What all PEs of a layout have in common. For the host only.
namespace weft::pe {

inline bool swaps(const Route& route, int port) {
  const bool vertical = route.swap_north_south, horizontal = route.swap_east_west;
  if (port == kRamp) return vertical && horizontal;
  return port < static_cast<int>(Port::south) ? horizontal : vertical;
}

/// The colors of a mesh in the order of their numbers: pairs that are swapped come first.
inline std::vector<int> numbered_colors(const Layout& layout) {
  std::uint32_t used = 0, paired = 0;
  for (const Layout::Routing& r : layout.routings()) {
    used |= 1U << r.color;
    if (r.route.swap_north_south || r.route.swap_east_west) paired |= 3U << (r.color & ~1);
  }
  std::vector<int> colors;
  for (const std::uint32_t some : {paired, used & ~paired})
    for (int color = 0; color < kColors; ++color)
      if ((some >> color & 1U) != 0) colors.push_back(color);
  return colors;
}

/// Slots for queues of these depths: powers of two.
template <std::size_t queues>
RampSizes sizes_of(const std::uint32_t (&depth)[queues]) {
  RampSizes sizes{};
  for (std::size_t q = 0; q < queues; ++q) {
    const std::uint32_t slots = std::bit_ceil(depth[q]);
    sizes.first[q] = static_cast<std::uint8_t>(sizes.slots);
    sizes.mask[q] = static_cast<std::uint8_t>(slots - 1U);
    sizes.slots += slots;
    sizes.depth[q] = static_cast<std::uint8_t>(depth[q]);
  }
  return sizes;
}

/// A filter as a layout has it.
inline Filter filter_of(const weft::Filter& settings) {
  Filter f{};
  const auto set = [&f](const auto& from) {
    f.limit1 = from.limit1;
    f.max_counter = from.max_counter;
    f.count_data = from.count_data;
    f.count_control = from.count_control;
    load(f, from.counter);
  };
  if (const auto* counter = std::get_if<CounterFilter>(&settings)) {
    f.kind = Filter::Kind::counter;
    f.filter_control = counter->filter_control;
    set(*counter);
  } else if (const auto* sparse = std::get_if<SparseCounterFilter>(&settings)) {
    f.kind = Filter::Kind::sparse;
    f.has_limit2 = sparse->limit2.has_value();
    f.limit2 = sparse->limit2.value_or(0);
    set(*sparse);
  } else if (const auto* range = std::get_if<RangeFilter>(&settings)) {
    f.kind = Filter::Kind::range;
    f.limit1 = range->min_index;
    f.max_counter = range->max_index;
  }
  return f;
}

/// What is first in each turn, as the step looks it up.
inline void set_turns(Rules& rules) {
  for (unsigned turn = 0; turn < std::size(rules.first_color); ++turn)
    for (Colors among = 1; among < 16; ++among)
      rules.first_color[turn] |=
          static_cast<std::uint32_t>(first_in_turn(rules.has_bit, among, turn)) << 2U * among;
  constexpr std::uint32_t kHasBit[] = {0xaaU, 0xccU, 0xf0U};
  for (unsigned turn = 0; turn < std::size(rules.first_queues); ++turn)
    for (unsigned bit = 0; bit < 3; ++bit)
      rules.first_queues[turn] |= ((turn >> bit & 1U) != 0 ? kHasBit[bit] : kHasBit[bit] ^ 0xffU)
                                  << 8U * bit;
}

inline Rules rules_of(const Layout& layout, const model::Timing& timing,
                      const ProgramView& programs, bool tally, bool data) {
  Rules rules{};
  rules.timing = timing;
  rules.programs = programs;
  rules.tally = tally;
  rules.data = data;
  rules.to_core = sizes_of(timing.input_depth);
  rules.to_router = sizes_of(timing.output_depth);
  std::ranges::fill(rules.number, kNone);
  std::ranges::fill(rules.color, kNone);
  const std::vector<int> colors = numbered_colors(layout);
  for (std::size_t n = 0; n < colors.size(); ++n) {
    const auto color = static_cast<unsigned>(colors[n]);
    rules.number[color] = static_cast<std::uint8_t>(n);
    rules.color[n] = static_cast<std::uint8_t>(color);
    for (unsigned bit = 0; bit < 5; ++bit)
      if ((color >> bit & 1U) != 0) rules.has_bit[bit] |= color_bit(static_cast<int>(n));
  }
  set_turns(rules);
  for (const Layout::Routing& r : layout.routings())
    rules.swaps |= r.route.swap_north_south || r.route.swap_east_west;
  return rules;
}

}  // namespace weft::pe
