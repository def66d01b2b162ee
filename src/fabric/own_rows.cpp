#include "fabric/own_rows.hpp"

#include <algorithm>

#include "by_line/shared_lines.hpp"
#include "engine/share.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::fabric {

int rows_together(int processes, int rows, bool of_lines) {
  return of_lines ? by_line::strips_together(true, rows, processes) : 1;
}

engine::Rows own_strip_rows(const Processes& processes, int rank, int rows, bool of_lines) {
  return engine::rows_of(processes, rank, rows, rows_together(processes.size(), rows, of_lines));
}

engine::Rows own_pe_rows(const Processes& processes, int rank, int height, bool of_lines) {
  const engine::Rows strips = own_strip_rows(processes, rank, model::strips_down(height), of_lines);
  return {std::min(strips.first * model::kStripHeight, height),
          std::min(strips.last * model::kStripHeight, height)};
}

int most_pe_rows(int processes, int height, bool of_lines) {
  const int strips = model::strips_down(height);
  const int together = rows_together(processes, strips, of_lines);
  int most = 0;
  for (int rank = 0; rank < processes; ++rank)
    most = std::max(most, engine::rows_of(processes, rank, strips, together).count());
  return std::min(most * model::kStripHeight, height);
}

}  // namespace weft::fabric
