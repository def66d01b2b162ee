#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "model/state/core_state.hpp"
#include "model/state/router_state.hpp"
#include "weft/accelerations.hpp"
#include "weft/fault.hpp"

namespace weft::by_line {
struct Bundle;  // by_line/bundle.hpp
}

/// The whole state of a fabric, as the step sees it.
namespace weft::model {

/// Some neighbouring elements of an array.
struct IndexRange {
  std::int32_t first, count;

  WEFT_HD bool has(std::int32_t index) const { return index >= first && index < first + count; }
};

/// How many wavelets cross links, where it decides whether links rest (Timing::crowd).
struct Crowd {
  std::uint64_t period = 0;  ///< the present one of links, by number
  std::uint64_t began = 0;   ///< hops of the fabric before it
  std::uint64_t hops = 0;    ///< of the fabric, as far as it was stepped
  bool rests = false;        ///< links rest in this period
};

/// The mesh and its machine.
struct MeshView {
  int width, height;  ///< PEs
  int strips, rows;   ///< strips of a row, and their rows
  Timing timing;

  WEFT_HD std::size_t strip_count() const {
    return static_cast<std::size_t>(strips) * static_cast<std::size_t>(rows);
  }
};

/// Options of a run.
struct RunView {
  std::uint64_t horizon;  ///< no instruction is issued at or after this cycle
  bool data;  ///< false: vector instructions compute nothing, and only control wavelets carry a
              ///< payload
  bool links_rest;     ///< in their periods, and in the present one
  Accelerations fast;  ///< those of the step: by_line and dry_run are not asked here
};

/// The state of the machine.
struct MachineView {
  StripState* strip;  ///< [row * strips + column], as core and memory
  CoreState* core;
  std::uint32_t* memory;  ///< [strip][word][lane], near_words of each PE
  ColorState* colors;
  SwitchState* switches;
  FilterState* filters;
  FifoState* fifos;
  PortQueue* port_queues;
  Fault* faults;         ///< by strip: the first one
  FilterTally* tallies;  ///< [filter]; null: nothing is tallied
  Crowd* crowd;          ///< one, of the whole mesh; between runs
};

/// When to look again: the next cycle in which the phase has work, by strip and (the least of them)
/// by row; the row's are kept where L::kRowWakes says so.
struct WakeView {
  std::uint64_t *route_wake, *deliver_wake, *core_wake;
  std::uint64_t *route_row, *deliver_row, *core_row;
  std::uint64_t* fault_row;  ///< cycle of the row's first fault
  std::uint64_t* left_row;  ///< by row: the last cycle in which something may have left its strips;
                            ///< kept by shortcuts (fast/shortcuts.hpp)
};

/// Parts of the state that a GPU keeps elsewhere (L::kFarMemory).
struct FarView {
  std::uint32_t*
      far_memory;            ///< [strip][word][lane], memory_words; its first near_words are unused
  std::uint64_t near_words;  ///< memory_words, unless a GPU keeps a part in faster memory
  std::uint64_t memory_words;  ///< per PE
  /// All strips and colors as those of other tiles may see them; `near` are the tile's own, which
  /// are looked up in `strip` and `colors`, perhaps in faster memory.
  const StripState* far_strip;
  const ColorState* far_colors;
  IndexRange near_strips, near_colors;
};

/// The state that the step works on: pointers and sizes only, so that it can be handed to a GPU as
/// it is.
struct View : MeshView, RunView, ProgramView, MachineView, WakeView, FarView {
  const by_line::Bundle* bundle;  ///< the strips are a bundle of lines; null: they are not
};
static_assert(std::is_trivially_copyable_v<View>);
static_assert(std::is_trivially_copyable_v<CoreState> && std::is_trivially_copyable_v<StripState>);

/// A strip's place.
struct Place {
  int index;  ///< row * strips + column
  int row, column;

  WEFT_HD int x(int lane) const { return column * kStripWidth + lane / kStripHeight; }
  WEFT_HD int y(int lane) const { return row * kStripHeight + lane % kStripHeight; }
};

/// A PE's strip, and its lane there. `strips`: of a row.
struct LaneAddress {
  int strip, lane;
};

WEFT_HD LaneAddress address_of(int strips, int x, int y) {
  return {y / kStripHeight * strips + x / kStripWidth,
          x % kStripWidth * kStripHeight + y % kStripHeight};
}

/// A strip beside the one that is stepped, or a color in it.
template <class L>
WEFT_HD const StripState& strip_beside(const View& v, std::int32_t index) {
  if constexpr (L::kFarMemory)
    if (!v.near_strips.has(index)) return v.far_strip[index];
  return v.strip[index];
}
template <class L>
WEFT_HD const ColorState& color_beside(const View& v, std::int32_t index) {
  if constexpr (L::kFarMemory)
    if (!v.near_colors.has(index)) return v.far_colors[index];
  return v.colors[index];
}

}  // namespace weft::model
