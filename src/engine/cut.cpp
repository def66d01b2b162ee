#include "engine/cut.hpp"

#include <algorithm>

#include "engine/rows.hpp"
#include "model/lanes/loops.hpp"
#include "model/lanes/neighbours.hpp"
#include "model/queues.hpp"
#include "model/wakes.hpp"

namespace weft::engine {
namespace {

using model::Mask;

constexpr Mask edge_of(Port side) {
  return model::kSides<model::Block>[static_cast<int>(side)].edge;
}

}  // namespace

Cut::Cut(const model::View& view, int row, Port side, Wire& wire)
    : view_(view),
      row_(row),
      beyond_(side == Port::south ? row + 1 : row - 1),
      out_(static_cast<int>(side)),
      in_(static_cast<int>(opposite(side))),
      edge_(edge_of(side)),
      wire_(wire) {
  for (int column = 0; column < view.strips; ++column)
    model::for_each(view.strip[strip(column)].colors, [&](int color) {
      const std::int32_t state = view.strip[strip(column)].color_state[color];
      known_.push_back({static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(color),
                        state, view.colors[state].room[out_] & edge_});
    });
}

void Cut::begin(std::span<const std::uint64_t> wakes, std::uint64_t end) {
  open_ = crosses(std::min(row_, beyond_), wakes, end);
  if (open_) send_rooms();
}

void Cut::send_rooms() {
  words_.clear();
  for (Known& known : known_) {
    const Mask room = view_.colors[known.state].room[out_] & edge_;
    if (room == known.room) continue;
    known.room = room;
    words_.push_back(known.column << 8U | known.color);
    put_two(words_, room);
  }
  wire_.send(words_);
}

void Cut::take_rooms() {
  for (Words words(wire_.receive()); words.any();) {
    const std::uint32_t place = words.next();
    const model::StripState& beyond = view_.strip[strip_beyond(static_cast<int>(place >> 8U))];
    view_.colors[beyond.color_state[place & 255U]].room[in_] = words.next_two();
    view_.strip[strip(static_cast<int>(place >> 8U))].stuck = false;
  }
}

void Cut::send_departures(std::uint64_t now) {
  words_.clear();
  for (int column = 0; column < view_.strips; ++column) {
    const model::StripState& from = view_.strip[strip(column)];
    if (from.left_cycle != now || from.sent[out_] == 0) continue;
    std::uint32_t colors = 0;
    Mask all = 0;
    const auto sent = [&](int color) {
      return view_.colors[from.color_state[color]].sent[out_] & edge_;
    };
    model::for_each(from.sent[out_], [&](int color) {
      if (sent(color) == 0) return;
      colors |= 1U << color;
      all |= sent(color);
    });
    if (all == 0) continue;
    const Mask control = from.link_control[out_] & all;
    words_.push_back(static_cast<std::uint32_t>(column));
    words_.push_back(colors);
    put_two(words_, control);
    model::for_each(colors, [&](int color) { put_two(words_, sent(color)); });
    model::for_each(model::with_payload(view_, all, control),
                    [&](int lane) { words_.push_back(from.link[out_].at[lane]); });
  }
  wire_.send(words_);
}

void Cut::take_departures(std::uint64_t now) {
  for (Words words(wire_.receive()); words.any();) {
    const auto column = static_cast<int>(words.next());
    model::StripState& beyond = view_.strip[strip_beyond(column)];
    const std::uint32_t colors = words.next();
    const Mask control = words.next_two();
    Mask all = 0;
    model::for_each(colors, [&](int color) {
      const Mask sent = words.next_two();
      view_.colors[beyond.color_state[color]].sent[in_] = sent;
      all |= sent;
    });
    model::for_each(model::with_payload(view_, all, control),
                    [&](int lane) { beyond.link[in_].at[lane] = words.next(); });
    beyond.link_control[in_] = control;
    beyond.sent[in_] = colors;
    beyond.left_cycle = now;
    view_.left_row[beyond_] = now;
    model::wake_now(view_.deliver_wake[strip(column)], now);
    model::wake_now(view_.deliver_row[row_], now);
  }
}

}  // namespace weft::engine
