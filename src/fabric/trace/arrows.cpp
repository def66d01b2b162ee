#include "fabric/trace/arrows.hpp"

namespace weft::fabric {
namespace {

struct Position {
  int x, y;
};

Position beyond(int x, int y, Port link) {
  constexpr int kX[] = {-1, 1, 0, 0, 0}, kY[] = {0, 0, 1, -1, 0};
  const auto port = static_cast<std::size_t>(link);
  return {x + kX[port], y + kY[port]};
}

}  // namespace

Arrows::Queue Arrows::queue(int x, int y, int color, Port port) {
  return static_cast<Queue>(y) << 32U | static_cast<Queue>(x) << 16U |
         static_cast<Queue>(color) << 8U | static_cast<Queue>(port);
}

bool Arrows::has_event(int x, int y, EventKind kind, int color, const Event& now) const {
  return x >= 0 && y >= 0 && x < names_.width && y < names_.height &&
         names_.is_chosen({now.cycle, x, y, kind, color, 0});
}

std::uint64_t Arrows::follow(const Event& event) {
  if (!names_.from_start || event.kind > EventKind::refused) return 0;
  if (event.kind == EventKind::sent) {
    put(event.x, event.y, event.number, Port::ramp, ++last_);
    return last_;
  }
  const std::uint64_t number = leave(event);
  if (event.kind == EventKind::delivered) return number;
  if (event.kind == EventKind::hop && number != 0) {
    const auto link = static_cast<Port>(event.value);
    const auto [x, y] = beyond(event.x, event.y, link);
    if (has_event(x, y, EventKind::hop, event.number, event) &&
        has_event(x, y, EventKind::delivered, event.number, event) &&
        has_event(x, y, EventKind::refused, event.number, event))
      put(x, y, event.number, opposite(link), number);
  }
  return 0;
}

std::uint64_t Arrows::leave(const Event& event) {
  if (event.cycle != now_.cycle || event.x != now_.x || event.y != now_.y) {
    now_ = event;
    left_ = {};
  }
  std::optional<std::uint64_t>& left = left_[event.number];
  if (!left) left = take(event);
  return *left;
}

/// The first one in the queue. Where there is none of this color, though what came would have been
/// emitted, its color was swapped on the way.
std::uint64_t Arrows::take(const Event& event) {
  const auto first = [&](int color) {
    const auto found = waiting_.find(queue(event.x, event.y, color, event.from));
    if (found == waiting_.end() || found->second.empty()) return std::uint64_t{0};
    const std::uint64_t number = found->second.front();
    found->second.erase(found->second.begin());
    return number;
  };
  if (const std::uint64_t number = first(event.number); number != 0) return number;
  const auto [x, y] = beyond(event.x, event.y, event.from);
  const EventKind came = event.from == Port::ramp ? EventKind::sent : EventKind::hop;
  return has_event(x, y, came, event.number, event) ? first(event.number ^ 1) : 0;
}

void Arrows::put(int x, int y, int color, Port port, std::uint64_t number) {
  constexpr std::size_t kMost = 16;  // no queue of a router has as many: events lack
  std::vector<std::uint64_t>& numbers = waiting_[queue(x, y, color, port)];
  if (numbers.size() >= kMost) numbers.clear();
  numbers.push_back(number);
}

}  // namespace weft::fabric
