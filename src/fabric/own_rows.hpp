#pragma once

#include "engine/rows.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// Rows of strips that are divided among processes together. `of_lines`: as below.
int rows_together(int processes, int rows, bool of_lines);

/// The rows of strips that a process has of a mesh with so many. `of_lines`: as they are divided
/// for a run by line, whole bundles where there are enough.
engine::Rows own_strip_rows(const Processes& processes, int rank, int rows, bool of_lines);

/// The same in PEs, of a mesh of `height` rows.
engine::Rows own_pe_rows(const Processes& processes, int rank, int height, bool of_lines);

/// Of so many processes, the rows of PEs of the one that has most.
int most_pe_rows(int processes, int height, bool of_lines);

}  // namespace weft::fabric
