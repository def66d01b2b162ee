#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/profile.hpp"

/// A count of a run by PE, as a picture that gnuplot draws.
namespace weft::inline v0 {

/// A number for each PE, row by row.
struct HeatMap {
  std::string title{};
  std::size_t width = 0, height = 0;
  std::vector<std::uint64_t> values{};
};

/// busiest_link, of each PE the link with the most wavelets, and all counts.
std::vector<std::string_view> heat_map_metrics();

/// A metric of all cycles or of a window of time, from 0 on; its name may have blanks. Throws
/// Error(usage) for one that there is not, and names the nearest.
HeatMap heat_map(const Profile& profile, std::string metric, std::optional<int> window = {});

/// What gnuplot runs to draw it with axes and a color bar as a PNG. Of a mesh with more PEs than
/// the picture has room for, the largest value of each block of PEs.
std::string heat_map_script(const HeatMap& map, const std::string& file);

}  // namespace weft::inline v0
