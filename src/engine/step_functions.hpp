#pragma once

#include <cstdint>

#include "model/bundle.hpp"
#include "model/group.hpp"

namespace weft::engine {

/// The cycle over one row of strips.
struct RowFunctions {
  bool (*route)(const model::View&, int row, std::uint64_t now);
  bool (*deliver_and_core)(const model::View&, int row, std::uint64_t now);
};

/// The step, compiled for one instruction set (step_variant.cpp).
struct StepFunctions {
  const char* name;
  RowFunctions rows;
  model::BundleCycle (*step_bundle)(const model::View&, std::uint64_t now);
  void (*execute)(model::Group&);  ///< one instruction
};

/// Those that this build has (cmake/StepVariants.cmake).
extern const StepFunctions step_baseline, step_avx2, step_avx512;

/// The best that this CPU runs; the environment variable WEFT_STEP (a variant's name) overrides it.
const StepFunctions& step_functions();

}  // namespace weft::engine
