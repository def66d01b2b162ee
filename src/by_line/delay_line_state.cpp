#include "by_line/delay_line_state.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "by_line/hooks.hpp"
#include "by_line/stepped_strips.hpp"

namespace weft::by_line {
namespace {

using model::kNever;
using model::View;

/// By color, the links by which it leaves some strip of a bundle, a bit each.
std::array<std::uint8_t, kColors> exits_of(const View& v) {
  std::array<std::uint8_t, kColors> exits{};
  for (int strip = 0; strip < v.rows; ++strip)
    for (std::uint32_t rest = v.strip[strip].colors; rest != 0; rest &= rest - 1) {
      const int color = model::lowest(rest);
      exits[static_cast<std::size_t>(color)] |= v.colors[v.strip[strip].color_state[color]].exits;
    }
  return exits;
}

/// The one way along the lines that a color leads, if it shares no link with another.
std::optional<Port> way_of(const std::array<std::uint8_t, kColors>& exits, std::size_t color) {
  for (const Port way : {Port::north, Port::south}) {
    const std::uint8_t link = static_cast<std::uint8_t>(1U << static_cast<unsigned>(way));
    if (exits[color] != link) continue;
    if (std::ranges::count_if(exits, [&](std::uint8_t all) { return (all & link) != 0; }) == 1)
      return way;
  }
  return {};
}

}  // namespace

void DelayLineState::begin(const View& v, Bundle& bundle, model::Mask lanes, std::uint64_t cycle) {
  bundle.delay_lines = delay_lines_.data();
  bundle.delayed_colors = 0;
  // Delayed wavelets take a cycle a router, and find room where nothing waits.
  const bool all_rest = v.links_rest && v.timing.without_dies();
  if (!v.fast.delay_lines || all_rest || v.timing.late != 0 || v.timing.router_depth < 2) return;
  const auto exits = exits_of(v);
  for (std::size_t color = 0; color < kColors; ++color)
    if (const std::optional<Port> out = way_of(exits, color)) {
      begin_color(v, static_cast<int>(color), *out, lanes, cycle);
      bundle.delayed_colors |= 1U << color;
    }
}

void DelayLineState::begin_color(const View& v, int color, Port out, model::Mask lanes,
                                 std::uint64_t cycle) {
  constexpr std::uint64_t kFirstNumber = std::uint64_t{1} << 32U;  // chosen: far from 0 and kNever
  const auto strips = static_cast<std::size_t>(v.rows);
  const std::size_t places = whole_words(strips), slots = std::bit_ceil(places);
  Color& c = colors_[static_cast<std::size_t>(color)];
  for (auto* bits : {&c.stepped, &c.changed}) bits->assign(places / 64, 0);
  c.taken.assign(slots / 64, 0);
  c.next_entry.assign(strips, kFirstNumber);
  c.last_start.assign(strips, 0);
  for (auto* numbers : {&c.next_accepted, &c.accepted_at}) numbers->assign(places, kNever);
  c.next_uncounted.assign(strips, kFirstNumber);
  c.coming.resize(strips);
  c.stepped_before.assign(strips, 0);
  c.stepped_after.assign(strips, 0);
  c.payload.resize(slots);

  DelayLine& r = delay_lines_[static_cast<std::size_t>(color)];
  r = {};
  r.in = opposite(out);
  r.out = out;
  r.south = out == Port::south;
  r.length = v.rows;
  r.all = lanes;
  r.past_until = *std::max_element(v.bundle->from, v.bundle->from + strips);
  r.stepped = c.stepped.data();
  r.changed = c.changed.data();
  r.stepped_before = c.stepped_before.data();
  r.stepped_after = c.stepped_after.data();
  r.next_entry = c.next_entry.data();
  r.last_start = c.last_start.data();
  r.next_accepted = c.next_accepted.data();
  r.next_uncounted = c.next_uncounted.data();
  r.accepted_at = c.accepted_at.data();
  r.soonest = kNever;
  r.coming = c.coming.data();
  r.taken = c.taken.data();
  r.payload = c.payload.data();
  r.slots = static_cast<int>(slots);

  int stepped = 0;
  for (int place = 0; place < v.rows; ++place) {
    const bool passes = passes_on<LineLanes>(v, r, place, color);
    r.set(r.stepped, place, !passes);
    r.stepped_before[place] = stepped;
    r.stepped_after[stepped] = place;
    if (!passes) stepped = place;
  }
  r.stepped_after[stepped] = v.rows;
  for (int place = 0; place < v.rows; ++place)
    if (!r.is_stepped(place)) schedule_next_accept(v, r, place, color, cycle);
}

void DelayLineState::end(const View& v, std::uint64_t cycle) {
  each_delay_line(v, [&](DelayLine& r, int color) {
    for (int place = 0; place < v.rows; ++place) {
      if (r.is_stepped(place))
        note_passed(v, r, place, cycle);
      else
        count_passed(v, r, place, color, cycle);
    }
  });
}

}  // namespace weft::by_line
