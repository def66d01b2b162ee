#include "fabric/build/counts.hpp"

#include <map>

namespace weft::fabric {
namespace {

/// The rows of a strip's lines: each program that it has gets some, after those before it. Returns
/// the first row of the next strip.
std::uint32_t number_lines(model::StripCounts& s, const model::CoreState& core,
                           const std::vector<std::uint32_t>& lines, std::uint32_t row) {
  s.programmed = core.placed;
  std::map<std::uint16_t, std::uint32_t> first;  // by program
  for (model::Mask rest = core.placed; rest != 0; rest &= rest - 1) {
    const int lane = model::lowest(rest);
    const auto [known, is_new] = first.try_emplace(core.program[lane], row);
    if (is_new) row += lines[core.program[lane]];
    s.first_line.at[lane] = known->second;
  }
  return row;
}

}  // namespace

void make_counts(CountsState& counts, const model::View& v, std::size_t colors,
                 const std::vector<std::uint32_t>& lines, const Observation& asked) {
  const std::size_t strips = v.strip_count();
  counts.strip = base::ZeroedArray<model::StripCounts>(strips);
  counts.tallies = base::ZeroedArray<model::ColorTally>(colors);
  counts.sums = base::ZeroedArray<model::ColorSums>(colors);
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < strips; ++i)
    if (v.strip[i].programmed) rows = number_lines(counts.strip[i], v.core[i], lines, rows);
  counts.lines = base::ZeroedArray<model::Vector>(rows);
  const auto windows = static_cast<std::size_t>(asked.windows);
  const std::size_t numbers = strips * model::kSeries * windows * model::kLanes;
  counts.narrow = base::ZeroedArray<std::uint16_t>(numbers);
  counts.wide = base::ZeroedArray<std::uint32_t>(numbers);
  counts.view = {.strip = counts.strip.data(),
                 .tallies = counts.tallies.data(),
                 .sums = counts.sums.data(),
                 .lines = counts.lines.data(),
                 .line_of = counts.line_of.data(),
                 .windows = static_cast<std::uint32_t>(windows),
                 .narrow = counts.narrow.data(),
                 .wide = counts.wide.data()};
}

}  // namespace weft::fabric
