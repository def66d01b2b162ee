#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/program.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {

/// When a router removes the first command of a control wavelet that it passes on.
enum class PopMode : std::uint8_t { no_pop, always_pop, pop_on_advance, pop_on_advance_nop };

/// A switch position past the first: it names one side, the other keeps what it was.
struct SwitchPosition {
  enum class Side : std::uint8_t { rx, tx } side = Side::rx;
  Port port = Port::ramp;

  static SwitchPosition receive(Port port) { return {Side::rx, port}; }
  static SwitchPosition send(Port port) { return {Side::tx, port}; }
  bool operator==(const SwitchPosition&) const = default;
};

/// How routers treat one color.
struct Route {
  PortSet rx, tx;                           ///< position 0
  std::vector<SwitchPosition> positions{};  ///< positions 1 to 3
  bool ring = false;                        ///< past the last position comes position 0
  int initial = 0;                          ///< position at launch, and after a reset
  PopMode pop = PopMode::no_pop;
  std::optional<int> input_queue{};  ///< where the ramp output leads; needed if tx ever has it
  /// Wavelets that come in from the north or south (east or west) change to the color that differs
  /// in bit 0; with both flags also those from the ramp.
  bool swap_north_south = false, swap_east_west = false;
  bool teardown = false;  ///< held at launch, until the core lets the color go
  bool operator==(const Route&) const = default;
};

/// Keeps from the core what it does not want: a wavelet is accepted iff counter <= max_counter; a
/// counted one then sets the counter to 0 if it was at limit1, else one further.
struct CounterFilter {
  std::uint32_t counter = 0, limit1 = 0, max_counter = 0;
  bool count_data = true, count_control = false;
  bool filter_control = false;  ///< only control wavelets at counter = max_counter are accepted
};

/// As CounterFilter, for a while: at limit1 the limit becomes limit2, once; then, or without
/// limit2, the filter turns off and accepts everything.
struct SparseCounterFilter {
  std::uint32_t counter = 0, limit1 = 0, max_counter = 0;
  std::optional<std::uint32_t> limit2{};
  bool count_data = true, count_control = false;
};

/// Accepts data wavelets whose upper 16 bits are in min_index .. max_index, and all control
/// wavelets.
struct RangeFilter {
  std::uint16_t min_index = 0, max_index = 0;
};

using Filter = std::variant<CounterFilter, SparseCounterFilter, RangeFilter>;

/// A program that was added to a layout, for this layout and copies of it.
struct ProgramHandle {
  std::size_t index = 0;
  bool operator==(const ProgramHandle&) const = default;
};

/// The program, routes and filters of each PE of a width x height fabric. Plain records, checked
/// when they are added; every error is Error(layout). Threads may read a layout at the same time,
/// if none changes it.
class Layout {
 public:
  Layout(int width, int height);

  /// Keeps a program, to be placed any number of times.
  ProgramHandle add(Program program);
  /// One program per PE. Nothing is copied.
  void place(const Rect& where, ProgramHandle program);
  /// Adds a copy of the program and places it: for programs that are placed once. To place many
  /// PEs one by one adds the program first.
  void place(const Rect& where, const Program& program);
  /// One route per PE and color. A route may not lead off the fabric, but to a host_output that was
  /// added before.
  void route(const Rect& where, int color, const Route& route);
  /// One filter per PE and color, where a route leads to the core; filters_per_pe in all.
  void filter(const Rect& where, int color, const Filter& filter);
  /// A stream of words from the host to PEs at an edge of the fabric, and one from them to the
  /// host, by this color on their port `edge`: west, east, south or north. `where` is a part of
  /// that edge, a row or column of PEs; its PEs need a route that opens the port. Each has words of
  /// its own: see Fabric::send and receive. The host holds at most `limit` words of each PE, if it
  /// is given, and takes more when they are received.
  void host_input(const std::string& name, const Rect& where, Port edge, int color);
  void host_output(const std::string& name, const Rect& where, Port edge, int color,
                   std::optional<std::size_t> limit = {});
  /// Errors and reports of a run call the color so, too.
  void name_color(int color, const std::string& name);

  struct Placement {
    Rect where;
    std::shared_ptr<const Program> program;
  };
  struct Routing {
    Rect where;
    int color;
    Route route;
  };
  struct Filtering {
    Rect where;
    int color;
    Filter filter;
  };

  struct HostStream {
    std::string name;
    bool input = false;  ///< to the fabric
    Rect where;
    Port edge = Port::west;
    int color = 0;
    std::optional<std::size_t> limit{};  ///< of an output: words held of each PE
  };

  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  const std::vector<Placement>& placements() const noexcept { return placements_; }
  const std::vector<Routing>& routings() const noexcept { return routings_; }
  const std::vector<Filtering>& filterings() const noexcept { return filterings_; }
  const std::vector<HostStream>& host_streams() const noexcept { return host_streams_; }
  const std::map<int, std::string>& color_names() const noexcept { return color_names_; }

 private:
  void check(const Rect& where, const char* what) const;
  void add_host_stream(HostStream stream);
  bool leads_to_host(const Rect& where, Port edge, int color) const;

  int width_, height_;
  std::vector<std::shared_ptr<const Program>> programs_;  ///< by handle
  std::vector<Placement> placements_;
  std::vector<Routing> routings_;
  std::vector<Filtering> filterings_;
  std::vector<HostStream> host_streams_;
  std::map<int, std::string> color_names_;
};

}  // namespace weft::inline v0
