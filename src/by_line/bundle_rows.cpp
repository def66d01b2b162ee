#include <algorithm>
#include <cstdint>
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

void BundleCounts::give_rows(const model::View& whole, const LaneCopy& lanes, int strip) {
  const model::StripCounts& s = strip_[static_cast<std::size_t>(strip)];
  std::vector<std::uint16_t> given;
  for (std::size_t n = 0; n < lanes.addresses.size(); ++n) {
    if (!model::has(s.programmed, static_cast<int>(n))) continue;
    const model::LaneAddress at = lanes.addresses[n];
    const model::StripCounts& theirs = whole.counts->strip[at.strip];
    const std::uint16_t number = whole.core[at.strip].program[at.lane];
    for (std::uint32_t line = 0; line < whole.counts->lines_of[number]; ++line)
      whole.counts->lines[theirs.first_line.at[at.lane] + line].at[at.lane] +=
          lines_[s.first_line.at[n] + line].at[n] + lines_together_[s.first_line.at[n] + line];
    if (std::ranges::find(given, number) != given.end()) continue;
    given.push_back(number);
    const model::TaskTable& program = whole.programs[number];
    for (auto pc = static_cast<std::uint32_t>(program.first);
         pc < static_cast<std::uint32_t>(program.last); ++pc)
      whole.counts->code[theirs.first_code.at[at.lane] + pc] += code_[s.first_code.at[n] + pc];
  }
}

}  // namespace weft::by_line
