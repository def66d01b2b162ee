#pragma once

#include "engine/rows.hpp"
#include "weft/processes.hpp"

namespace weft::fabric {

/// The rows of strips that a process has of a mesh with so many. `of_lines`: as they are divided
/// for a run by line, whole bundles where there are enough.
engine::Rows own_strip_rows(const Processes& processes, int rank, int rows, bool of_lines);

/// The same in PEs, of a mesh of `height` rows.
engine::Rows own_pe_rows(const Processes& processes, int rank, int height, bool of_lines);

}  // namespace weft::fabric
