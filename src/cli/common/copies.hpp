#pragma once

#include <optional>

namespace weft::cli {

/// This process among those that a launcher of MPI (Open MPI or MPICH) has started.
struct Copies {
  int rank, count;
};

/// None: no launcher has, or only this one.
std::optional<Copies> copies();

}  // namespace weft::cli
