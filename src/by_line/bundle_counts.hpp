#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "by_line/lane_exchange.hpp"
#include "by_line/line_clocks.hpp"
#include "by_line/place_counts.hpp"

namespace weft::by_line {

/// What a bundle counts. Sums are counted from zero, and added to those of its PEs when these are
/// given back; windows of time are the whole fabric's.
class BundleCounts {
 public:
  /// Before strips are taken. `colors`: states of them in the bundle; `all`: lanes with lines;
  /// `lines`: these, by lane, and as many as lanes stand for. Enters itself into the view and its
  /// bundle.
  void begin(const model::View& whole, model::View& bundle, Bundle& of, std::size_t colors,
             model::Mask all, std::vector<model::LineInLane> lines);
  /// A strip's PEs, of which cores are taken. `from`: as Bundle::from; `known`: by number of its
  /// lines, the cycle up to which what its core waits for is counted.
  void take(const model::View& whole, const LaneCopy& lanes, int strip, std::uint64_t from,
            const std::array<std::uint64_t, model::kLanes>& known);
  /// After all strips and delay lines.
  void begin_counting(const model::View& bundle);

  /// After a run that ended before the cycle: what delay lines have counted.
  void end_run(const model::View& bundle, std::uint64_t end);
  /// ... a strip that was stepped is counted up to a cycle.
  void end_strip(const model::View& bundle, int strip, std::uint64_t end);
  /// ... and goes back to some lines.
  void give(const model::View& whole, const model::View& bundle, const LaneCopy& lanes, int strip);

 private:
  struct ProgramRows {
    std::uint16_t program;
    std::uint32_t lines, code;  ///< their first rows
  };
  void find_rows(const model::View& whole, const LaneCopy& lanes, int strip);
  void give_colors(const model::View& whole, const model::View& bundle, const LaneCopy& lanes,
                   int strip);
  void take_waits(const model::View& bundle, int strip);
  void settle_tasks(const model::View& bundle, int strip, std::uint64_t end);
  void take_phases(const model::View& whole, const LaneCopy& lanes, int strip);
  void give_phases(const model::View& whole, const LaneCopy& lanes, int strip, bool rows);
  void give_rows(const model::View& whole, const LaneCopy& lanes, int strip);

  model::Counts view_{};
  std::vector<model::StripCounts> strip_;
  std::vector<model::ColorTally> tallies_;
  std::vector<model::ColorSums> sums_;
  std::vector<model::Vector> lines_;
  std::vector<std::uint32_t> lines_together_;
  std::vector<std::uint32_t> refused_;  ///< as Bundle::refused
  std::vector<std::uint64_t> code_;
  std::vector<model::LaneWindows> windows_;
  std::vector<std::uint32_t> alike_;  ///< as Counts::alike
  std::vector<model::StripPhases> phases_;
  std::vector<model::PhaseSums> phase_sums_;
  std::vector<model::Mask> been_;  ///< by strip and phase: PhaseSums::been as it was taken
  bool rows_ = false;
  std::vector<model::Mask> waited_data_, waited_room_;           ///< by strip: as it was taken
  std::vector<std::uint64_t> from_;                              ///< by strip: as Bundle::from
  std::vector<std::array<std::uint64_t, model::kLanes>> known_;  ///< by strip: as it was taken
  std::vector<model::LineInLane> lines_in_;                      ///< as Counts::lines_in
  LineClocks clocks_;
  std::vector<model::SeriesNumbers> given_;  ///< as Counts::given
  std::size_t line_rows_ = 0, code_rows_ = 0;

  struct OfColor {
    std::vector<model::Tally> tally;
    std::vector<std::uint32_t> total, before;
  };
  std::array<OfColor, kColors> of_color_{};
  std::array<PlaceCounts, kColors> places_{};
};

/// The whole fabric's cores have waited up to a cycle, at which the run has ended. `known`: by PE,
/// the cycle up to which that is counted.
void settle_waits(const model::View& whole, const std::vector<std::uint64_t>& known,
                  std::uint64_t cycle);

}  // namespace weft::by_line
