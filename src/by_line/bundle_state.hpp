#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "base/zeroed_array.hpp"
#include "by_line/bundle.hpp"
#include "by_line/delay_line_state.hpp"
#include "by_line/lane_exchange.hpp"
#include "engine/engine.hpp"

namespace weft::by_line {

/// The fabric could not be stepped by line.
struct LinesMet : std::exception {
  const char* what() const noexcept override { return "lines of PEs met"; }
};

/// The facts of a fabric that stepping by line needs.
struct LineFacts {
  std::uint32_t colors = 0;      ///< routed by some PE
  std::uint32_t along_rows = 0;  ///< of these, those that lead east or west
  std::uint32_t along_columns = 0;
  std::uint32_t memory_bytes = 0;  ///< of a PE's memory: all that programs have arrays in
};

/// When each PE may be stepped next, and where it stopped; by PE, row by row.
struct PeTimes {
  std::vector<std::uint64_t> from;     ///< no cycle before it is left to be stepped
  std::vector<std::uint64_t> stopped;  ///< as Bundle::stopped
};

/// Some neighbouring lines, with their clocks.
struct LineGroup {
  bool rows;  ///< else columns
  int first, count;
  std::uint64_t start;  ///< the bundle's first cycle
  bool begins;  ///< strips wake as in the whole fabric; later those in which a PE had stopped
  std::array<std::uint64_t, model::kLanes> clock_lag;  ///< as Bundle::clock_lag

  /// The number of a PE on the mesh, row by row. `width`: of the mesh.
  std::size_t pe(int width, int lane, int place) const {
    const int line = first + lane;
    return static_cast<std::size_t>(rows ? line * width + place : place * width + line);
  }
};

/// A bundle's own state. To be used again for the next lines of the same fabric.
class BundleState {
 public:
  /// `length`: of the longest line, in PEs.
  BundleState(const LineFacts& facts, int length);

  /// Copies the lines out of the whole fabric. The result points to this object.
  const model::View& take(const model::View& whole, const LineGroup& lines, const PeTimes& times);

  /// Copies them back, after a run that ended before cycle `end`.
  void give(const model::View& whole, const LineGroup& lines, PeTimes& times, std::uint64_t end);

 private:
  template <class F>
  void each_theirs(const model::View& whole, const LineGroup& lines, int length, F f);
  template <Way way>
  void move_memory(const model::View& whole, const LineGroup& lines, int length);
  void take_color(const model::View& whole, const LaneCopy& lanes, int strip, int color,
                  const LaneCopy::Theirs<model::ColorState>& theirs);
  void take_strip(const model::View& whole, int strip);
  void set_times(const model::View& whole, const LineGroup& lines, const PeTimes& times, int strip);
  void link_colors(int length);
  void give_strip(const model::View& whole, int strip);
  void find_addresses(const model::View& whole, const LineGroup& lines, int strip);
  std::size_t color_index(int strip, int color) const;

  LineFacts facts_;
  bool rows_ = false;
  int count_ = 0;
  std::array<model::LaneAddress, model::kLanes>
      addresses_{};  ///< in the whole fabric, of a strip's lanes
  Bundle bundle_{};
  model::View view_{};
  DelayLineState delay_lines_;
  std::vector<model::StripState> strips_;
  std::vector<model::CoreState> cores_;
  base::ZeroedArray<std::uint32_t> memory_;
  std::vector<model::ColorState> colors_;
  std::vector<model::SwitchState> switches_;
  std::vector<model::FilterState> filters_;
  std::vector<model::PortQueue> queues_;
  std::vector<model::Mask> in_first_cycle_;  ///< as Bundle::in_first_cycle
  std::vector<std::uint64_t> route_wake_, deliver_wake_, core_wake_, from_, stepped_until_,
      stopped_;
  std::uint64_t fault_ = model::kNever;
  LastDone last_{};
  std::vector<Fault> faults_;
};

}  // namespace weft::by_line
