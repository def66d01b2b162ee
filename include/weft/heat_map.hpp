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
  std::uint64_t scale = 0;  ///< the end of the color bar; 0: the largest value
};

/// busiest_link, of each PE the link with the most wavelets, and all counts.
std::vector<std::string_view> heat_map_metrics();

/// A metric of all cycles or of a window of time, from 0 on; its name may have blanks. Throws
/// Error(usage) for one that there is not, and names the nearest.
HeatMap heat_map(const Profile& profile, std::string metric, std::optional<int> window = {});

/// The same of each window of time, of one scale. Throws Error(usage) too for a metric or a run
/// without windows.
std::vector<HeatMap> heat_maps(const Profile& profile, const std::string& metric);

/// What gnuplot runs to draw it with axes and a color bar as a PNG. Of a mesh with more PEs than
/// the picture has room for, the largest value of each block of PEs.
std::string heat_map_script(const HeatMap& map, const std::string& file);

/// Pictures as an animated PNG (.apng), which goes round and round. Each is a whole PNG, all of one
/// size and kind of pixels: else Error(usage).
std::string animated_png(const std::vector<std::string>& pictures, int milliseconds_each = 100);

}  // namespace weft::inline v0
