#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/zeroed_array.hpp"
#include "engine/host_port.hpp"
#include "engine/rows.hpp"
#include "fabric/build/counts.hpp"
#include "model/state.hpp"
#include "weft/accelerations.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

namespace weft::fabric {

/// The strips of one process: whole rows of strips, and whole columns.
struct OwnStrips {
  engine::Rows rows{}, columns{};

  bool has(int row, int column) const { return rows.has(row) || columns.has(column); }
};

/// Owns everything that model::View points to.
struct State {
  int width = 0, height = 0;  ///< PEs
  int strips = 0, rows = 0;   ///< strips of a row, and their rows
  OwnStrips own{};            ///< those of a process that steps a part; all, if it steps them all
  int west = 0, north = 0;    ///< as View::west
  engine::HostPorts host{};   ///< a View has its address, too
  model::Timing timing{};
  model::Crowd crowd{};  ///< a View has its address: a State that has one must stay where it is
  bool data = true;      ///< as View::data
  bool tally = true;     ///< as FabricOptions::tally
  Accelerations fast{};
  std::size_t memory_words = 0;  ///< as View::memory_words
  std::vector<Instruction> code;
  std::vector<std::uint32_t> private_cycles;  ///< by instruction, as View::private_cycles
  std::vector<model::TaskTable> programs;
  std::vector<model::ShapeState> shapes;
  base::ZeroedArray<model::StripState> strip;
  base::ZeroedArray<model::CoreState> core;
  base::ZeroedArray<std::uint32_t> memory;
  std::vector<model::ColorState> colors;
  std::vector<model::SwitchState> switches;
  std::vector<model::FilterState> filters;
  std::vector<model::FilterTally> tallies;  ///< [filter]
  std::vector<model::FifoState> fifos;
  base::ZeroedArray<model::PortQueue> port_queues;
  std::vector<model::FarQueue> far_queues;
  base::ZeroedArray<model::FarWavelet> far_wavelets;
  std::vector<std::uint64_t> route_wake, deliver_wake, core_wake, route_row, deliver_row, core_row,
      left_row, fault_row;
  std::vector<Fault> faults;              ///< by strip
  std::unique_ptr<CountsState> counts{};  ///< null: nobody has asked
  model::EventTap* events = nullptr;      ///< null: nobody takes them

  std::size_t strip_count() const {
    return static_cast<std::size_t>(strips) * static_cast<std::size_t>(rows);
  }
  /// Of a PE, or of the host beyond one.
  model::LaneAddress address_of(int x, int y) const {
    return model::address_of(strips, x + west, y + north);
  }
  /// The first word of a PE's memory; each next one is kLanes further.
  std::uint32_t* memory_of(int x, int y) const {
    const model::LaneAddress address = address_of(x, y);
    return memory.data() + static_cast<std::size_t>(address.strip) * memory_words * model::kLanes +
           address.lane;
  }
  /// Whether the strip has a program or a route; memory of others is better not touched.
  bool in_use(std::size_t index) const {
    return strip[index].programmed || strip[index].colors != 0;
  }
  model::View view();
};

/// The state of a layout at cycle 0, tasks ready to start. `own`: the strips of a process that
/// steps a part. It has the routers of one row more beyond each end of its rows, and nothing of the
/// other strips: they are empty there, but numbered. Throws as Fabric's constructor.
State build(const Layout& layout, const Machine& machine, const Accelerations& accelerate = {},
            std::optional<OwnStrips> own = {});

}  // namespace weft::fabric
