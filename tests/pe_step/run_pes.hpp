#pragma once

#include "pe_step/pe_fabric.hpp"

namespace weft::test {

/// Steps a case by src/pe and by the specification, comparing after every cycle.
Outcome run_pes(const Case& c, const PeOptions& options);

}  // namespace weft::test
