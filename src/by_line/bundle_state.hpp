#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <tuple>
#include <vector>

#include "base/zeroed_array.hpp"
#include "by_line/bundle.hpp"
#include "by_line/bundle_counts.hpp"
#include "by_line/delay_line_state.hpp"
#include "by_line/lane_exchange.hpp"
#include "engine/engine.hpp"

namespace weft::by_line {

/// The fabric could not be stepped by line.
struct LinesMet : std::exception {
  const char* what() const noexcept override { return "lines of PEs met"; }
};

/// Lines that were equal as a later phase began have differed: it may be stepped with each of them
/// apart, but not from here on.
struct EqualLinesDiffered : LinesMet {};

/// The facts of a fabric that stepping by line needs.
struct LineFacts {
  std::uint32_t colors = 0;      ///< routed by some PE
  std::uint32_t along_rows = 0;  ///< of these, those that lead east or west
  std::uint32_t along_columns = 0;
  std::uint32_t blocked = 0;       ///< those that some program blocks or unblocks
  bool reads_clock = false;        ///< some program does
  std::size_t code = 0;            ///< instructions of all programs
  std::uint32_t memory_bytes = 0;  ///< of a PE's memory: all that programs have arrays in
};

/// When each PE may be stepped next, and where it stopped; by PE, row by row.
struct PeTimes {
  std::vector<std::uint64_t> from;     ///< no cycle before it is left to be stepped
  std::vector<std::uint64_t> stopped;  ///< as Bundle::stopped

  /// As a run begins.
  static PeTimes at(const model::View& whole, std::uint64_t cycle) {
    const std::size_t pes =
        static_cast<std::size_t>(whole.width) * static_cast<std::size_t>(whole.height);
    return {std::vector<std::uint64_t>(pes, cycle), std::vector<std::uint64_t>(pes, model::kNever)};
  }
};

/// The number of a PE on the mesh, row by row, by its line and its place there. `width`: of the
/// mesh.
inline std::size_t number_of_pe(bool rows, int width, int line, int place) {
  return static_cast<std::size_t>(rows ? line * width + place : place * width + line);
}

/// Some lines, by number, with their clocks.
struct LineGroup {
  bool rows = true;  ///< else columns
  int count = 0;
  std::uint64_t start = 0;  ///< the bundle's first cycle
  bool begins = false;      ///< strips wake as in the whole fabric; later those in which a PE had
                            ///< stopped
  std::array<int, model::kLanes> line{};
  std::array<std::uint64_t, model::kLanes> clock_lag{};   ///< as Bundle::clock_lag
  std::array<std::uint64_t, model::kLanes> stands_for{};  ///< as Bundle::stands_for; 0: each is one
  std::uint32_t memory_bytes = 0;                 ///< ... that the PEs of such lines have alike
  std::span<const model::LineInLane> in_lanes{};  ///< ... all of them, by lane

  bool stands_for_others() const { return stands_for[0] != 0; }
  /// As number_of_pe, of the line of a number.
  std::size_t pe(int width, std::size_t number, int place) const {
    return number_of_pe(rows, width, line[number], place);
  }
};

/// Neighbouring lines, from number `first` on.
inline LineGroup neighbours(bool rows, int first, int count, std::uint64_t start, bool begins) {
  LineGroup lines{.rows = rows, .count = count, .start = start, .begins = begins};
  for (int n = 0; n < count; ++n) lines.line[static_cast<std::size_t>(n)] = first + n;
  return lines;
}

/// Each line of a group is in the lane of its number.
inline constexpr std::array<std::uint8_t, model::kLanes> kOwnLanes = [] {
  std::array<std::uint8_t, model::kLanes> lanes{};
  for (std::size_t n = 0; n < lanes.size(); ++n) lanes[n] = static_cast<std::uint8_t>(n);
  return lanes;
}();

/// A line as a phase of it begins, to be stepped alone, as often as one likes.
struct KeptLine {
  LineGroup line{};                     ///< one
  std::vector<std::uint64_t> from{};    ///< by place: as PeTimes::from
  std::vector<std::uint64_t> until{};   ///< by place: as Bundle::until; empty: null
  std::vector<std::uint32_t> memory{};  ///< by place and word
  std::tuple<std::vector<model::StripState>, std::vector<model::CoreState>,
             std::vector<model::ColorState>, std::vector<model::SwitchState>,
             std::vector<model::FilterState>, std::vector<model::PortQueue>, std::vector<Fault>,
             std::vector<std::uint64_t>, std::vector<std::uint64_t>, std::vector<std::uint64_t>,
             std::vector<std::uint64_t>, std::vector<std::uint64_t>, std::vector<std::uint64_t>>
      arrays{};  ///< of the bundle that it was taken into
};

/// A bundle's own state. To be used again for the next lines of the same fabric.
class BundleState {
 public:
  /// `length`: of the longest line, in PEs.
  BundleState(const LineFacts& facts, int length);

  /// Copies the lines out of the whole fabric, each into a lane. The result points to this object.
  const model::View& take(const model::View& whole, const LineGroup& lines, const PeTimes& times);

  /// Takes a line of the whole fabric, in which a phase begins, and keeps it.
  KeptLine keep(const model::View& whole, const LineGroup& line, const PeTimes& times);
  /// ... and takes it up again, of this fabric or of an equal one. It does nothing early, counts
  /// nothing, and emits its events.
  const model::View& take_up(const model::View& whole, const KeptLine& kept,
                             model::EventTap& events);

  /// After a run that ended before the cycle.
  void end_run(std::uint64_t end);
  /// ... copies them back: to lines side by side, each from its lane. `lanes`: by number.
  void give(const model::View& whole, const LineGroup& lines, const std::uint8_t* lanes,
            PeTimes& times);
  /// In the last run, a strip stopped before an instruction (unequal_lines.hpp).
  bool unequal() const { return unequal_; }

 private:
  /// What the step works on, from now on.
  void bind(const model::View& whole, const LineGroup& lines);
  /// As KeptLine::arrays.
  auto arrays() {
    return std::tie(strips_, cores_, colors_, switches_, filters_, queues_, faults_, route_wake_,
                    deliver_wake_, core_wake_, from_, stepped_until_, stopped_);
  }
  template <class F>
  void each_theirs(const model::View& whole, const LineGroup& lines, int length, F f);
  void give_written(const model::View& whole, const LineGroup& lines, const std::uint8_t* lanes,
                    int strip);
  template <Way way>
  void move_memory(const model::View& whole, const LineGroup& lines, const std::uint8_t* lanes,
                   int length);
  void take_color(const model::View& whole, const LaneCopy& lanes, int strip, int color,
                  const LaneCopy::Theirs<model::ColorState>& theirs);
  LaneCopy copy_of(const LineGroup& lines, const std::uint8_t* lanes) const;
  void take_strip(const model::View& whole, const LaneCopy& lanes, int strip);
  std::uint64_t end_of(std::size_t strip) const;
  void set_times(const model::View& whole, const LineGroup& lines, const PeTimes& times, int strip);
  void link_colors(int length);
  void give_strip(const model::View& whole, const LaneCopy& lanes, int strip);
  void find_addresses(const model::View& whole, const LineGroup& lines, int strip);
  std::size_t color_index(int strip, int color) const;

  LineFacts facts_;
  bool rows_ = false;
  std::array<model::LaneAddress, model::kLanes>
      addresses_{};  ///< in the whole fabric, of a strip's lanes
  Bundle bundle_{};
  model::View view_{};
  DelayLineState delay_lines_;
  BundleCounts counts_;
  std::vector<model::StripState> strips_;
  std::vector<model::CoreState> cores_;
  base::ZeroedArray<std::uint32_t> memory_;
  std::vector<model::ColorState> colors_;
  std::vector<model::SwitchState> switches_;
  std::vector<model::FilterState> filters_;
  std::vector<model::PortQueue> queues_;
  std::vector<model::Mask> links_rest_;  ///< as Bundle::links_rest
  std::vector<std::uint64_t> route_wake_, deliver_wake_, core_wake_, from_, stepped_until_,
      stopped_;
  std::uint64_t fault_ = model::kNever;
  LastDone last_{};
  std::vector<Fault> faults_;
  std::array<int, model::kLanes> lines_{};                 ///< as Bundle::lines
  std::array<std::uint64_t, model::kLanes> stands_for_{};  ///< as Bundle::stands_for
  base::ZeroedArray<model::Mask> written_;                 ///< as Bundle::written
  std::vector<std::uint32_t> none_private_;                ///< as View::private_cycles
  bool unequal_ = false;                                   ///< as Bundle::unequal
};

}  // namespace weft::by_line
