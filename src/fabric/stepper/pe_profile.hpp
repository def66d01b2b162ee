#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/zeroed_array.hpp"
#include "pe/build/places.hpp"
#include "pe/core_view.hpp"
#include "weft/layout.hpp"
#include "weft/observation.hpp"
#include "weft/profile.hpp"

/// What PEs of src/pe have counted, and how it becomes a profile.
namespace weft::fabric {

/// Owns it. Only pages in which something is counted take memory.
struct PeCountsState {
  const pe::Places* places = nullptr;
  std::vector<ProgramCounts> programs{};             ///< by number, without counts
  std::vector<std::uint16_t> program_of{};           ///< by PE, row by row
  std::vector<std::pair<int, int>> colors{};         ///< that are routed, and their numbers
  std::vector<std::string> phases{};                 ///< their names
  std::vector<std::uint32_t> marks{}, first_mark{};  ///< as pe::CountArrays
  pe::CountSizes sizes{};
  base::ZeroedArray<std::uint32_t> words{};  ///< by place, as pe::CountArrays
  /// By place: what its words before the windows were in sum, at all folds so far. Empty before the
  /// first one.
  std::vector<std::uint64_t> folded{};

  pe::CountArrays arrays();
};

/// The programs of a mesh.
struct PePrograms {
  const std::vector<model::TaskTable>& tables;
  const std::vector<std::uint16_t>& of;  ///< by PE, row by row; pe::kNoProgram: none
};

/// Of a mesh's PEs before its first cycle. `places` must outlive it.
PeCountsState make_pe_counts(const Layout& layout, const PePrograms& programs,
                             const pe::Places& places, const Observation& asked);

/// A PE before a cycle is stepped; it counts here.
using PeAt = std::function<pe::CoreView(int x, int y)>;

/// What was counted goes to numbers of 64 bits.
void fold(PeCountsState& counts, const PeAt& at);

/// What was counted up to a cycle, of which `at` gives PEs. Colors have no names.
Profile profile_of(PeCountsState& counts, const PeAt& at, std::uint64_t cycle);
/// Of that profile, the phases.
std::vector<PhaseCounts> phases_of(PeCountsState& counts, const PeAt& at);

}  // namespace weft::fabric
