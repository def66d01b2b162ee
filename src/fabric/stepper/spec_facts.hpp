#pragma once

#include "fabric/stepper/pe_state.hpp"
#include "spec/fabric.hpp"

namespace weft::fabric {

/// One PE of the specification's fabric, but for what its program could do. `tally`: with what its
/// filters have decided.
PeState pe_state(const spec::Fabric& fabric, int x, int y, bool tally);

/// They last as long as the program.
ProgramFacts facts_of(const Program& program);

}  // namespace weft::fabric
