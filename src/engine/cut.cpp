#include "engine/cut.hpp"

#include <algorithm>
#include <cstring>

#include "engine/given_up.hpp"
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

void put(std::vector<std::uint32_t>& words, Mask mask) {
  words.push_back(static_cast<std::uint32_t>(mask));
  words.push_back(static_cast<std::uint32_t>(mask >> 32U));
}

/// The last message of a run that is given up: others are whole words.
constexpr std::size_t kLastBytes = 1;

/// The words of a message, in their order.
class Words {
 public:
  explicit Words(std::span<const std::uint32_t> words) : rest_(words) {}

  bool any() const { return !rest_.empty(); }
  std::uint32_t next() {
    const std::uint32_t word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }
  Mask next_mask() {
    const Mask low = next();
    return low | Mask{next()} << 32U;
  }

 private:
  std::span<const std::uint32_t> rest_;
};

}  // namespace

Cut::Cut(const model::View& view, int row, Port side, Processes& processes, int other)
    : view_(view),
      row_(row),
      beyond_(side == Port::south ? row + 1 : row - 1),
      out_(static_cast<int>(side)),
      in_(static_cast<int>(opposite(side))),
      edge_(edge_of(side)),
      processes_(processes),
      other_(other) {
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

void Cut::send() { processes_.send(other_, std::as_bytes(std::span(words_))); }

void Cut::receive() {
  processes_.receive(other_, bytes_);
  if (bytes_.size() == kLastBytes) {
    other_gave_up_ = true;
    throw GivenUp();
  }
  words_.resize(bytes_.size() / sizeof(std::uint32_t));
  if (!words_.empty()) std::memcpy(words_.data(), bytes_.data(), bytes_.size());
}

bool Cut::give_up() noexcept {
  if (given_up_) return other_knows_;
  given_up_ = true;
  try {
    const std::byte last[kLastBytes]{};
    processes_.send(other_, last);
    other_knows_ = true;
  } catch (...) {  // the caller throws what came first
  }
  return other_knows_;
}

void Cut::drain() {
  while (!other_gave_up_) {
    processes_.receive(other_, bytes_);
    other_gave_up_ = bytes_.size() == kLastBytes;
  }
}

void Cut::send_rooms() {
  words_.clear();
  for (Known& known : known_) {
    const Mask room = view_.colors[known.state].room[out_] & edge_;
    if (room == known.room) continue;
    known.room = room;
    words_.push_back(known.column << 8U | known.color);
    put(words_, room);
  }
  send();
}

void Cut::take_rooms() {
  receive();
  for (Words words(words_); words.any();) {
    const std::uint32_t place = words.next();
    const model::StripState& beyond = view_.strip[strip_beyond(static_cast<int>(place >> 8U))];
    view_.colors[beyond.color_state[place & 255U]].room[in_] = words.next_mask();
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
    put(words_, control);
    model::for_each(colors, [&](int color) { put(words_, sent(color)); });
    model::for_each(model::with_payload(view_, all, control),
                    [&](int lane) { words_.push_back(from.link[out_].at[lane]); });
  }
  send();
}

void Cut::take_departures(std::uint64_t now) {
  receive();
  for (Words words(words_); words.any();) {
    const auto column = static_cast<int>(words.next());
    model::StripState& beyond = view_.strip[strip_beyond(column)];
    const std::uint32_t colors = words.next();
    const Mask control = words.next_mask();
    Mask all = 0;
    model::for_each(colors, [&](int color) {
      const Mask sent = words.next_mask();
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
