#pragma once

#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"
#include "model/state/phases_state.hpp"

namespace weft::fabric {

/// View::private_cycles of a fabric's programs: from each place at which a core may start or go on,
/// a program is executed by a PE of its own, as long as all that decides on its way, its cycles and
/// its faults follows from the program alone.
/// `marks`: by instruction, the phase that it belongs to, or kShared of every phase, or kSeveral; a
/// core that waited would come to another phase too late. Empty: there are no phases.
std::vector<std::uint32_t> dry_run(const State& fabric,
                                   const std::vector<std::uint32_t>& marks = {});

/// Of an instruction that belongs to one phase in some PEs, and to another one elsewhere.
inline constexpr std::uint32_t kSeveral = model::Phases::kShared - 1;

}  // namespace weft::fabric
