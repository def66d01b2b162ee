#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "by_line/bundle_counts.hpp"

/// Lines and instructions of a bundle's programs, whose cycles it counts.
namespace weft::by_line {

/// The rows of a strip's programs: lines and instructions.
void BundleCounts::find_rows(const model::View& whole, const LaneCopy& lanes, int strip) {
  model::StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  std::vector<ProgramRows> known;
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    if (!model::has(s.programmed, static_cast<int>(n))) continue;
    const model::LaneAddress at = lanes.addresses[n];
    const std::uint16_t number = whole.core[at.strip].program[at.lane];
    const model::TaskTable& program = whole.programs[number];
    auto rows = std::ranges::find(known, number, &ProgramRows::program);
    if (rows == known.end()) {
      known.push_back(
          {number, static_cast<std::uint32_t>(line_rows_),
           static_cast<std::uint32_t>(code_rows_ - static_cast<std::size_t>(program.first))});
      line_rows_ += whole.counts->lines_of[number];
      code_rows_ += static_cast<std::size_t>(program.last - program.first);
      rows = known.end() - 1;
    }
    s.first_line.at[n] = rows->lines;
    s.first_code.at[n] = rows->code;
  }
}

namespace {

/// Lines of a bundle's strip whose PEs there have the same program.
struct OfProgram {
  std::uint16_t number;
  std::vector<std::size_t> lines;  ///< by number
};

std::vector<OfProgram> programs_of(const model::View& whole, const model::StripCounts& s,
                                   const LaneCopy& lanes) {
  std::vector<OfProgram> all;
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    if (!model::has(s.programmed, lanes.lanes[n])) continue;
    const model::LaneAddress at = lanes.addresses[n];
    const std::uint16_t number = whole.core[at.strip].program[at.lane];
    auto known = std::ranges::find(all, number, &OfProgram::number);
    if (known == all.end()) known = all.insert(known, {number, {}});
    known->lines.push_back(n);
  }
  return all;
}

}  // namespace

/// Instructions' cycles, which are of all lines in a lane, go to the first one that is given.
void BundleCounts::give_rows(const model::View& whole, const LaneCopy& lanes, int strip) {
  const model::StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  for (const OfProgram& program : programs_of(whole, s, lanes)) {
    const model::LaneAddress first = lanes.addresses[program.lines.front()];
    const int first_lane = lanes.lanes[program.lines.front()];
    const std::uint32_t row = s.first_line.at[first_lane];
    for (std::uint32_t line = 0; line < whole.counts->lines_of[program.number]; ++line) {
      const model::Vector& own = lines_[row + line];
      const std::uint32_t together = lines_together_[row + line];
      std::uint32_t any = together;
      for (const std::uint32_t cycles : own.at) any |= cycles;
      if (any == 0) continue;  // most lines are of other phases
      for (const std::size_t n : program.lines) {
        const model::LaneAddress at = lanes.addresses[n];
        const std::uint32_t there = whole.counts->strip[at.strip].first_line.at[at.lane];
        whole.counts->lines[there + line].at[at.lane] += own.at[lanes.lanes[n]] + together;
      }
    }
    const model::TaskTable& code = whole.programs[program.number];
    const std::uint32_t there = whole.counts->strip[first.strip].first_code.at[first.lane];
    for (auto pc = static_cast<std::uint32_t>(code.first);
         pc < static_cast<std::uint32_t>(code.last); ++pc)
      whole.counts->code[there + pc] += std::exchange(code_[s.first_code.at[first_lane] + pc], 0);
  }
}

}  // namespace weft::by_line
