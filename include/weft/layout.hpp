#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "weft/program.hpp"
#include "weft/types.hpp"

namespace weft {

/// When a router removes the first command of a control wavelet that it passes on.
enum class PopMode : std::uint8_t { no_pop, always_pop, pop_on_advance, pop_on_advance_nop };

/// A switch position past the first: it names one side, the other keeps what it was.
struct SwitchPosition {
  enum class Side : std::uint8_t { rx, tx } side = Side::rx;
  Port port = Port::ramp;

  static SwitchPosition receive(Port port) { return {Side::rx, port}; }
  static SwitchPosition send(Port port) { return {Side::tx, port}; }
};

/// How routers treat one color.
struct Route {
  PortSet rx, tx;                           ///< position 0
  std::vector<SwitchPosition> positions{};  ///< positions 1 to 3
  bool ring = false;                        ///< past the last position comes position 0
  int initial = 0;                          ///< position at launch, and after a reset
  PopMode pop = PopMode::no_pop;
  std::optional<int> input_queue{};         ///< where the ramp output leads; needed if tx ever has it
};

/// Keeps from the core what it does not want: a wavelet is accepted iff counter <= max_counter; a
/// counted one then sets the counter to 0 if it was at limit1, else one further.
struct CounterFilter {
  std::uint32_t counter = 0, limit1 = 0, max_counter = 0;
  bool count_data = true, count_control = false;
};

/// Which program, route and filter each PE of a width x height fabric has. Plain records, checked
/// when they are added; every error is Error(layout).
class Layout {
 public:
  Layout(int width, int height);

  /// One program per PE.
  void place(const Rect& where, const Program& program);
  /// One route per PE and color. A route may not lead off the fabric.
  void route(const Rect& where, int color, const Route& route);
  /// One filter per PE and color, where a route leads to the core.
  void filter(const Rect& where, int color, const CounterFilter& filter);

  struct Placement { Rect where; std::shared_ptr<const Program> program; };
  struct Routing { Rect where; int color; Route route; };
  struct Filtering { Rect where; int color; CounterFilter filter; };

  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  const std::vector<Placement>& placements() const noexcept { return placements_; }
  const std::vector<Routing>& routings() const noexcept { return routings_; }
  const std::vector<Filtering>& filterings() const noexcept { return filterings_; }

 private:
  void check(const Rect& where, const char* what) const;

  int width_, height_;
  std::vector<Placement> placements_;
  std::vector<Routing> routings_;
  std::vector<Filtering> filterings_;
};

}  // namespace weft
