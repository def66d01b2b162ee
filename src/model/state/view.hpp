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
namespace weft::engine {
struct HostPorts;  // engine/host_port.hpp
}
namespace weft::model {
struct Sweep;     // model/core/sweep.hpp
struct Counts;    // model/state/counts_state.hpp
struct EventTap;  // model/state/event_tap.hpp
}  // namespace weft::model

/// The whole state of a fabric, as the step sees it.
namespace weft::model {

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
  int west, north;    ///< lanes before the first PE: of strips in which the host stands
  Timing timing;

  WEFT_INLINE std::size_t strip_count() const {
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
  std::uint32_t* memory;       ///< [strip][word][lane]
  std::uint64_t memory_words;  ///< by lane, from a strip to the next: a PE's, and in a mesh
                               ///< unused ones behind them
  ColorState* colors;
  SwitchState* switches;
  FilterState* filters;
  FifoState* fifos;
  PortQueue* port_queues;
  FarQueue* far_queues;
  FarWavelet* far_wavelets;
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

/// A vector instruction over memory, in lanes that have the descriptors of its plan.
using RunSweep = void(Op, Mask, const Sweep&);

/// The state that the step works on: pointers and sizes only.
struct View : MeshView, RunView, ProgramView, MachineView, WakeView {
  RunSweep* run_sweep;            ///< for this CPU
  engine::HostPorts* host;        ///< null: there are no host streams
  const by_line::Bundle* bundle;  ///< the strips are a bundle of lines; null: they are not
  Counts* counts;                 ///< null: nobody has asked
  EventTap* events;               ///< null: nobody has asked
};
static_assert(std::is_trivially_copyable_v<View>);
static_assert(std::is_trivially_copyable_v<CoreState> && std::is_trivially_copyable_v<StripState>);

/// A strip's place.
struct Place {
  int index;  ///< row * strips + column
  int row, column;

  WEFT_INLINE int x(int lane) const { return column * kStripWidth + lane / kStripHeight; }
  WEFT_INLINE int y(int lane) const { return row * kStripHeight + lane % kStripHeight; }
};

/// A PE's strip, and its lane there. `strips`: of a row.
struct LaneAddress {
  int strip, lane;
};

WEFT_INLINE LaneAddress address_of(int strips, int x, int y) {
  return {y / kStripHeight * strips + x / kStripWidth,
          x % kStripWidth * kStripHeight + y % kStripHeight};
}

}  // namespace weft::model
