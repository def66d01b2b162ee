// Compiled once for each instruction set, as step_variant.cpp: vector instructions over memory,
// which all its steps share.

#include "engine/step_functions.hpp"
#include "model/core/sweep_functions.hpp"
#include "variants/names.hpp"

namespace weft::engine {

void WEFT_JOIN(run_sweep_, WEFT_STEP_VARIANT)(Op op, model::Mask lanes, const model::Sweep& sweep) {
  model::run_sweep(op, lanes, sweep);
}

}  // namespace weft::engine
