#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/machine.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// A dimension of a sweep's grid.
struct Dimension {
  std::string name;
  std::vector<std::string> values;
  const MachineConstant* constant = nullptr;  ///< null: an option of the sub-command
  bool is_flag = false;                       ///< an option without a value
};

/// A value of each dimension.
using Point = std::vector<std::string>;

/// Reads "NAME=VALUES" of --set. Throws Error(usage): no such name (naming the nearest), or
/// invalid values.
Dimension dimension_of(const std::string& text, const CLI::App& command);

/// Reads all of --set. Throws Error(usage), also for a name that is given twice, and too many
/// points.
std::vector<Dimension> grid_of(const std::vector<std::string>& texts, const CLI::App& command);

/// All combinations, the last dimension fastest.
std::vector<Point> points_of(const std::vector<Dimension>& grid);

}  // namespace weft::cli
