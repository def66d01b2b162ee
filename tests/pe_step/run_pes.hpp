#pragma once

#include "pe_step/pe_fabric.hpp"

namespace weft::test {

struct PeOutcome : Outcome {
  PeCounts counts;
};

/// The case on a machine for the PE step, which has no links that take longer than others.
inline Case for_pes(Case c) {
  c.machine.die_link_cycles = 0;
  return c;
}

/// Steps a case by src/pe and by the specification, comparing on the way.
PeOutcome run_pes(const Case& c, const PeOptions& options);
/// The same, by `pes`.
PeOutcome run_pes(const Case& c, const PeOptions& options, PeFabric& pes);

}  // namespace weft::test
