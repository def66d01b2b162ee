#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "spec/core.hpp"
#include "spec/counts.hpp"
#include "spec/router.hpp"
#include "weft/fault.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

namespace weft::spec {

struct Pe {
  Router router;
  Core core;
};

/// What comes out of the fabric by a color.
struct HostOutput {
  std::optional<std::size_t> limit;  ///< words held
  std::deque<std::uint32_t> words;
};

/// A link between the host and a router at the edge: words by color, and each way the first cycle
/// in which it is free.
struct HostLink {
  std::map<int, std::deque<std::uint32_t>> input;
  std::map<int, HostOutput> output;
  std::uint64_t input_free = 0, output_free = 0;
};

/// A slow, obvious fabric: one PE after the other, one wavelet at a time, every cycle. It shares
/// nothing with the lane step but the records that describe a fabric; docs/model.md is its
/// contract, and the steps have the numbers used there.
class Fabric {
 public:
  Fabric(const Layout& layout, const Machine& machine, const Observation& asked = {});
  Fabric(const Fabric&) = delete;

  enum class Stop { quiet, limit, fault };
  /// Steps until nothing is left that could happen, a PE stopped, or the clock is at `limit`.
  Stop run(std::uint64_t limit);
  void step();

  Pe& pe(int x, int y) { return pes_[index(y) * index(width_) + index(x)]; }
  const Pe& pe(int x, int y) const { return pes_[index(y) * index(width_) + index(x)]; }
  /// It is there if the layout has a stream there.
  HostLink& host(int x, int y, Port edge) { return host_.at({y, x, edge}); }
  const HostLink& host(int x, int y, Port edge) const { return host_.at({y, x, edge}); }
  int width() const { return width_; }
  int height() const { return height_; }
  std::uint64_t cycle() const { return cycle_; }
  const Fault& fault() const { return fault_; }
  /// Wavelets, microthreads or tasks are left.
  bool anything_left() const;

  std::uint64_t wavelets = 0, hops = 0, delivered = 0, filtered = 0;
  std::optional<Counts> counts;  ///< none: nobody has asked

  /// Takes each event, each cycle of each PE in any order; docs/model.md has the kinds. None:
  /// nobody has asked.
  std::function<void(const Event&)> on_event{};
  bool emits_elements = false;  ///< also kElementEvent

  /// Asked for each color of a router, each ramp and each core, cycle by cycle: true makes it miss
  /// its turn. A program that must not depend on timing is right whatever the answers are.
  std::function<bool(int x, int y)> misses_turn{};

 private:
  void route(int x, int y);
  void route_color(int x, int y, Channel& channel, int color, std::array<bool, kPorts>& taken);
  void deliver(int x, int y);
  void run_core(int x, int y);

  void send_from_host(int x, int y, Port edge, HostLink& host);
  void take_to_host(int x, int y, Port edge, HostLink& host);
  bool host_takes(int x, int y, Port edge, int color) const;
  Router* neighbour(int x, int y, Port link);
  bool room_beyond(int x, int y, Port link, int color);
  void begin_link_period();
  bool rests(int x, int y, Port link);
  bool is_far(int x, int y, Port link);
  void record(int x, int y, const Stopped& why);
  void count(int x, int y, Count what, std::uint64_t n = 1);
  void count_left(int x, int y, int color, Port port);
  void count_held(int x, int y, int color, Count why);
  void count_core(int x, int y);
  void emit(int x, int y, EventKind kind, int number, std::uint32_t value, Port from);
  void emit_held(int x, int y, int color, Count why, Port from);
  void emit_core(int x, int y);
  bool quiet() const;
  bool misses(int x, int y) const { return misses_turn && misses_turn(x, y); }

  const Machine machine_;
  int width_, height_;
  std::vector<Pe> pes_;
  std::map<std::tuple<int, int, Port>, HostLink> host_;      ///< by y, x, port
  std::map<std::tuple<int, int, Port>, Wavelet> from_host_;  ///< what leaves the host in this cycle
  std::uint64_t cycle_ = 0;
  bool something_happened_ = false;  ///< in the last cycle
  bool period_rests_ = false;        ///< links rest in the first cycles of the present period
  bool links_rest_ = false;          ///< in this cycle
  std::uint64_t hops_before_ = 0;    ///< the period of links
  /// The last cycle in which a color was held, why, and where it came in: by PE and color.
  std::map<std::pair<std::size_t, int>, std::tuple<std::uint64_t, Count, Port>> held_;
  Fault fault_;  ///< lowest (cycle, y, x)
};

}  // namespace weft::spec
