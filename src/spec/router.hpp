#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/types.hpp"

/// One PE's router: what it holds, and how one color's switch and filter behave.
namespace weft::spec {

struct Wavelet {
  std::uint32_t payload = 0;
  bool control = false;
  int color = 0;
  std::uint64_t ready = 0;  ///< first cycle in which it may leave the queue that it is in
};

using Queue = std::deque<Wavelet>;

/// The inputs that a switch position opens, and its outputs.
struct Ports {
  PortSet rx, tx;
};

/// A switch's positions: each names one side, the other stays what it was at the position before.
std::vector<Ports> fold(const Route& route);

/// One color in one router.
struct Channel {
  explicit Channel(const Route& route);

  Route route;  ///< as the core's writes to the router left it
  std::vector<Ports> positions;
  int position = 0;
  bool torn_down = false;  ///< nothing leaves
  std::array<Queue, kPorts> queue;
  std::array<bool, kPorts> room{};  ///< for what comes there with this color, when the cycle began
  std::optional<Filter> filter;
  std::uint32_t let_in = 0, control_let_in = 0, refused = 0;  ///< by the filter

  /// The ports that are open now. In the cycle of a fault the position may be past the last one;
  /// then the last one counts.
  const Ports& now() const {
    return positions[std::min(static_cast<std::size_t>(position), positions.size() - 1)];
  }
  /// As an event has it.
  std::uint32_t emitted_position() const {
    return static_cast<std::uint32_t>(position) + (torn_down ? 8U : 0U);
  }
  /// Whether some position opens the port: only then it has a queue.
  bool has_queue(Port port) const;
  /// Wavelets that come in there change their color.
  bool swaps(Port port) const;
  /// Ports that are open and have a wavelet that may leave in this cycle.
  std::vector<int> offers(std::uint64_t cycle) const;
  /// The switch obeys a command. Returns whether it advanced.
  bool obey(std::uint32_t payload);
  /// A control wavelet's payload as it travels on from here.
  std::uint32_t onward(std::uint32_t payload, bool advanced) const;

  /// The core's writes: each returns whether the position that results is there.
  bool set_position(std::uint32_t value);
  bool set_route(std::uint32_t bits);
  bool set_switch(std::uint32_t bits);
};

struct Router {
  std::array<std::optional<Channel>, kColors> channel;
  std::array<std::optional<Wavelet>, kLinks> link;  ///< what leaves in this cycle
  std::array<bool, kPorts> beyond_far{};            ///< what comes in there comes by a far link

  /// Whether a wavelet of this color can come in there now.
  bool can_take(int color, Port port, const Machine& machine) const;
  void begin_cycle(const Machine& machine);
  /// Puts a wavelet that came in there into its queue.
  void take(Wavelet wavelet, Port port);
};

}  // namespace weft::spec
