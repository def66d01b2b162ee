#pragma once

#include <cstdint>
#include <initializer_list>

namespace weft::inline v0 {

inline constexpr int kColors = 24;       ///< virtual channels of a link
inline constexpr int kInputQueues = 8;   ///< between router and core
inline constexpr int kOutputQueues = 6;  ///< between core and router
inline constexpr int kRegisters = 16;    ///< 32-bit scalar registers of a core
inline constexpr int kDescriptors = 16;  ///< data structure registers of a core
inline constexpr int kFifos = 8;  ///< circular buffers of a program; chosen, because unpublished
inline constexpr int kDimensions = 4;     ///< of a memory descriptor
inline constexpr int kLocalTasks = 31;    ///< local task ids 0-30
inline constexpr int kControlTasks = 64;  ///< control task ids 0-63
inline constexpr int kNoEntry = 31;       ///< entry point of a control wavelet that starts no task

/// A side of a router, in the order of the machine's own codes.
enum class Port : std::uint8_t { west = 0, east = 1, south = 2, north = 3, ramp = 4 };
inline constexpr int kPorts = 5;
inline constexpr int kLinks = 4;  ///< ports that lead to a neighbour: all but the ramp

/// The port of the neighbour that a link leads to.
constexpr Port opposite(Port link) noexcept {
  return static_cast<Port>(static_cast<unsigned>(link) ^ 1U);
}

/// A set of ports.
class PortSet {
 public:
  constexpr PortSet() = default;
  constexpr PortSet(Port port) : bits_(bit(port)) {}
  constexpr PortSet(std::initializer_list<Port> ports) {
    for (Port port : ports) bits_ = static_cast<std::uint8_t>(bits_ | bit(port));
  }

  constexpr bool has(Port port) const noexcept { return (bits_ & bit(port)) != 0; }
  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr PortSet operator|(Port port) const noexcept {
    PortSet both = *this;
    both.bits_ = static_cast<std::uint8_t>(bits_ | bit(port));
    return both;
  }
  constexpr std::uint8_t bits() const noexcept { return bits_; }
  bool operator==(const PortSet&) const = default;

 private:
  static constexpr std::uint8_t bit(Port port) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(port));
  }
  std::uint8_t bits_ = 0;
};

/// PEs x .. x + width - 1, y .. y + height - 1; x grows east, y grows south, (0, 0) is north-west.
struct Rect {
  int x = 0, y = 0, width = 1, height = 1;
  bool operator==(const Rect&) const = default;
};

}  // namespace weft::inline v0
