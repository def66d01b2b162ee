#include "fabric/build/counts.hpp"

#include <map>

namespace weft::fabric {
namespace {

/// Rows of lines and of instructions.
struct TableRows {
  std::uint32_t lines = 0, code = 0;
};

/// The rows of a strip: each program that it has gets some, after those before it.
void number_rows(model::StripCounts& s, const model::CoreState& core, const model::View& v,
                 const std::vector<std::uint32_t>& lines, TableRows& rows) {
  s.programmed = core.placed;
  std::map<std::uint16_t, TableRows> first;  // by program
  for (model::Mask rest = core.placed; rest != 0; rest &= rest - 1) {
    const int lane = model::lowest(rest);
    const std::uint16_t number = core.program[lane];
    const model::TaskTable& program = v.programs[number];
    const auto [known, is_new] = first.try_emplace(number, rows);
    if (is_new) {
      rows.lines += lines[number];
      rows.code += static_cast<std::uint32_t>(program.last - program.first);
    }
    s.first_line.at[lane] = known->second.lines;
    s.first_code.at[lane] = known->second.code - static_cast<std::uint32_t>(program.first);
  }
}

}  // namespace

void make_counts(CountsState& counts, const model::View& v, std::size_t colors,
                 const std::vector<std::uint32_t>& lines, const Observation& asked) {
  const std::size_t strips = v.strip_count();
  counts.strip = base::ZeroedArray<model::StripCounts>(strips);
  counts.tallies = base::ZeroedArray<model::ColorTally>(colors);
  counts.sums = base::ZeroedArray<model::ColorSums>(colors);
  TableRows rows;
  counts.first_row.reserve(strips + 1);
  for (std::size_t i = 0; i < strips; ++i) {
    counts.first_row.push_back(rows.lines);
    if (v.strip[i].programmed) number_rows(counts.strip[i], v.core[i], v, lines, rows);
  }
  counts.first_row.push_back(rows.lines);
  counts.past_lines.resize(strips);
  counts.lines = base::ZeroedArray<model::Vector>(rows.lines);
  counts.code = base::ZeroedArray<std::uint64_t>(rows.code);
  counts.lines_of = lines;
  const auto windows = static_cast<std::size_t>(asked.windows);
  const std::size_t numbers = strips * model::kSeries * windows * model::kLanes;
  counts.narrow = base::ZeroedArray<std::uint16_t>(numbers);
  counts.wide = base::ZeroedArray<std::uint32_t>(numbers);
  counts.past.resize(windows != 0 ? strips * model::kSeries : 0);
  counts.view = {.strip = counts.strip.data(),
                 .tallies = counts.tallies.data(),
                 .sums = counts.sums.data(),
                 .lines = counts.lines.data(),
                 .code = counts.code.data(),
                 .lines_together = nullptr,
                 .line_of = counts.line_of.data(),
                 .lines_of = counts.lines_of.data(),
                 .phases = {},
                 .ahead = false,
                 .windows = static_cast<std::uint32_t>(windows),
                 .narrow = counts.narrow.data(),
                 .wide = counts.wide.data(),
                 .past = counts.past.data(),
                 .past_lines = counts.past_lines.data(),
                 .first_row = counts.first_row.data(),
                 .join_past = nullptr,
                 .all_lanes = 0,
                 .lane_windows = nullptr,
                 .alike = nullptr,
                 .whole = nullptr,
                 .whole_strips = 0,
                 .rows = false,
                 .lines_in = nullptr,
                 .line_count = 0,
                 .stands_for = nullptr,
                 .window_ends = nullptr,
                 .given = nullptr,
                 .add_passed = nullptr};
}

}  // namespace weft::fabric
