#include "fabric/own_rows.hpp"

#include <algorithm>

#include "by_line/shared_lines.hpp"
#include "engine/share.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::fabric {

engine::Rows own_strip_rows(const Processes& processes, int rank, int rows, bool of_lines) {
  return engine::rows_of(processes, rank, rows,
                         of_lines ? by_line::strips_together(true, rows, processes.size()) : 1);
}

engine::Rows own_pe_rows(const Processes& processes, int rank, int height, bool of_lines) {
  const engine::Rows strips = own_strip_rows(processes, rank, model::strips_down(height), of_lines);
  return {std::min(strips.first * model::kStripHeight, height),
          std::min(strips.last * model::kStripHeight, height)};
}

}  // namespace weft::fabric
