#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "weft/event.hpp"

namespace weft::fabric {

/// Finds the receivers of what was sent. Queues of routers keep the order, so their events tell
/// which wavelet leaves them.
class Arrows {
 public:
  explicit Arrows(const EventNames& names) : names_(names) {}

  /// Of an event `sent` a new number, of one `delivered` that of what was sent. 0: it is not known.
  std::uint64_t follow(const Event& event);

 private:
  /// Where a wavelet waits: PE, color and port.
  using Queue = std::uint64_t;

  static Queue queue(int x, int y, int color, Port port);
  std::uint64_t leave(const Event& event);
  std::uint64_t take(const Event& event);
  void put(int x, int y, int color, Port port, std::uint64_t number);
  bool has_event(int x, int y, EventKind kind, int color, const Event& now) const;

  const EventNames& names_;
  std::unordered_map<Queue, std::vector<std::uint64_t>> waiting_{};
  std::uint64_t last_ = 0;
  /// Of the present cycle and PE, what has left by color: a wavelet may leave by several ports.
  Event now_{};
  std::array<std::optional<std::uint64_t>, kColors> left_{};
};

}  // namespace weft::fabric
