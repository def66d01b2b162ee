#pragma once

#include <cstdint>
#include <vector>

#include "fabric/path/recorder.hpp"

namespace weft::fabric::path {

/// What the critical path needs of the past of a PE, and nobody has recorded.
struct Missing {
  std::int32_t pe = 0;
  std::int32_t before = 0;  ///< Unknown::before
};

/// All that is missing, as far back as what was recorded leads; empty: the path is whole.
std::vector<Missing> missing(const Recorder& recorder);

}  // namespace weft::fabric::path
