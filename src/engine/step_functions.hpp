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
  model::RunSweep* run_sweep;      ///< (variants/sweep_variant.cpp)
};

/// The same, counting, of strips of a mesh (variants/counting_variant.cpp).
struct CountingFunctions {
  const char* name;
  RowFunctions rows;
  /// The clock jumps over the cycles from one to another, in all rows from `row` up to `last`.
  void (*jump)(const model::View&, int row, int last, std::uint64_t first, std::uint64_t end);
  /// After a fault in the cycle before `end`: instructions of cycles before it that cores have put
  /// off are executed.
  void (*catch_up)(const model::View&, std::uint64_t end);
  /// Everything is counted up to a cycle, from which no run has gone on yet.
  void (*settle)(const model::View&, std::uint64_t cycle);
  /// As StepFunctions::step_bundle_cycle, and as `jump`, of a bundle.
  BlockFacts (*step_bundle_cycle)(const model::View&, std::uint64_t now);
  void (*jump_lines)(const model::View&, std::uint64_t first, std::uint64_t end);
};

/// The steps of this build (cmake/StepVariants.cmake).
model::RunSweep run_sweep_baseline, run_sweep_avx2, run_sweep_avx512;
extern const StepFunctions step_baseline, step_avx2, step_avx512;
extern const CountingFunctions counting_baseline, counting_avx2, counting_avx512;

/// The steps that emit events, without and with counts, without accelerations and for any CPU
/// (variants/tracing_step.cpp).
extern const RowFunctions tracing_rows, tracing_and_counting_rows;

/// The same of a bundle that emits them, without counts.
extern BlockFacts (*const tracing_bundle_cycle)(const model::View&, std::uint64_t now);

/// The best that this CPU runs; the environment variable WEFT_STEP (a variant's name) overrides it.
const StepFunctions& step_functions();
const CountingFunctions& counting_functions();

/// The steps that a fabric wants.
const RowFunctions& row_functions(const model::View& v);

}  // namespace weft::engine
