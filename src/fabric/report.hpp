#pragma once

#include "fabric/stepper/stepper.hpp"
#include "weft/machine.hpp"
#include "weft/report.hpp"

/// What a fabric reports of all its runs.
namespace weft::fabric {

FabricCounters counters_of(const Stepper& stepper);

/// `width`, `height`: of its mesh.
RunReport report_of(const Stepper& stepper, int width, int height, const Machine& machine);

}  // namespace weft::fabric
