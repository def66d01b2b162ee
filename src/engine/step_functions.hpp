#pragma once

#include <cstdint>

#include "model/core/group.hpp"

namespace weft::engine {

struct BlockFacts;  // clock.hpp

/// The cycle over one row of strips.
struct RowFunctions {
  bool (*route)(const model::View&, int row, std::uint64_t now);
  bool (*deliver_and_core)(const model::View&, int row, std::uint64_t now);
};

/// The step, compiled for one instruction set (variants/step_variant.cpp).
struct StepFunctions {
  const char* name;
  RowFunctions rows;
  /// A cycle of by_line/: a block of one.
  BlockFacts (*step_bundle_cycle)(const model::View&, std::uint64_t now);
  void (*execute)(model::Group&);  ///< one instruction
};

/// The steps of this build (cmake/StepVariants.cmake).
extern const StepFunctions step_baseline, step_avx2, step_avx512;

/// The best that this CPU runs; the environment variable WEFT_STEP (a variant's name) overrides it.
const StepFunctions& step_functions();

}  // namespace weft::engine
