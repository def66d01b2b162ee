#pragma once

#include "cuda/facilities.cuh"
#include "cuda/pe/own_state.cuh"
#include "cuda/pe/record.hpp"

namespace weft::pe_kernel {

/// Where all blocks are in time.
struct BlockClock {
  engine::Clock clock;
  std::uint64_t stepped;  ///< cycles before the present block of cycles
  int cycles;             ///< of the block
  engine::Stop stop;
  bool over;  ///< the run
  bool last;  ///< the launch ends with this block, as the process says that shares the mesh
};

/// By one thread, when a launch begins.
WEFT_DEVICE void begin_clock(BlockClock& b, const LaunchState& launch) {
  b.clock = launch.clock;
  b.stepped = launch.stepped;
  b.stop = engine::Stop::quiet;
  b.over = b.last = false;
  b.cycles = b.clock.cycles(engine::kMostCycles);
}

/// By one thread, after a block of cycles, of which all have brought their facts.
WEFT_DEVICE void advance_clock(BlockClock& b, const engine::BlockFacts& all) {
  b.stepped += static_cast<std::uint64_t>(b.cycles);
  b.over = !b.clock.advance(all, b.cycles, b.stop);
  if (!b.over) b.cycles = b.clock.cycles(engine::kMostCycles);
}

/// Shared by a block's threads, at the start of its shared memory. Near parts come after it.
template <class S>
struct alignas(128) BlockState : BlockClock {
  Fabric<S> own;  ///< as go_to_tile
  NearArrays near;
  OwnHomes<S> homes;
  std::uint32_t resting;   ///< cycles of the block in which links rest, a bit each
  std::uint32_t ahead;     ///< cycles_ahead of its first cycle
  std::uint32_t edge_pes;  ///< as Tiles::edge_pes; 0: no tile is beside this one; with the host all
  bool hosted;             ///< some PE of the tile has a link to the host; of kernels that ask
  bool shared;             ///< processes share the mesh; of kernels that ask

  WEFT_DEVICE pe::Now now(int k) const {
    return {clock.from + static_cast<std::uint64_t>(k), at(k).parity(), (resting >> k & 1U) != 0};
  }
  WEFT_DEVICE Stepped at(int k) const { return {stepped + static_cast<std::uint64_t>(k)}; }
};

/// Cycles of a block in which links rest.
WEFT_DEVICE std::uint32_t resting_cycles(const model::Timing& timing, const engine::Clock& clock,
                                         int cycles) {
  if (timing.link_busy == 0 || (timing.crowd != 0 && !clock.crowd.rests)) return 0;
  std::uint32_t resting = 0;
  for (int k = 0; k < cycles; ++k)
    if (timing.rest_in(clock.from + static_cast<std::uint64_t>(k))) resting |= 1U << k;
  return resting;
}

/// Cycles from this one on in which cores may execute instructions.
template <class S>
WEFT_DEVICE std::uint32_t cycles_ahead(const BlockState<S>& b, std::uint64_t from) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;  // no stretch is longer
  const std::uint64_t all = b.clock.limit - from;
  return static_cast<std::uint32_t>(all < kMost ? all : kMost);
}

/// A PE of the tile. `rules`: the kernel's parameter, so that they are constants.
template <class S>
WEFT_DEVICE pe::Pe<S> pe_of(const pe::Rules& rules, const BlockState<S>& b, std::uint32_t n) {
  return pe::pe_of(rules, b.own.arrays, n);
}

/// By one thread: before a block of cycles.
template <class S>
WEFT_DEVICE void begin_block(BlockState<S>& b) {
  b.ahead = cycles_ahead(b, b.clock.from);
  b.resting = resting_cycles(b.own.rules.timing, b.clock, b.cycles);
}

/// By one thread, when a launch begins.
template <class S>
WEFT_DEVICE void begin_launch(BlockState<S>& b, const Fabric<S>& fabric, const LaunchState& launch,
                              OwnState<S>& own) {
  b.own = fabric;
  b.own.arrays.rules = &b.own.rules;
  go_to_tile(b.own, cuda::block(), cuda::shared_memory() + sizeof b, b.near);
  go_to_own(b.own, own, b.homes);
  const Tiles& tiles = b.own.tiles;
  b.edge_pes = tiles.count() == 1 ? 0 : static_cast<std::uint32_t>(tiles.edge_pes());
  if constexpr (S::kHosted) {
    // A tile's first cell of the host has a port, if any has.
    const pe::HostPorts<S>& host = b.own.arrays.host;
    b.hosted = host.of_tile != 0 && (host.port[0].inputs | host.port[0].outputs) != 0;
    b.shared = tiles.is_cut();
    if (b.shared) b.edge_pes = static_cast<std::uint32_t>(tiles.edge_pes());
    if (b.hosted || tiles.is_uneven()) b.edge_pes = b.own.sizes.pes;
  }
  begin_clock(b, launch);
  begin_block(b);
}

/// By one thread of the grid, when it ends.
template <class S>
WEFT_DEVICE void end_launch(const BlockState<S>& b, LaunchState& launch) {
  launch.clock = b.clock;
  launch.stepped = b.stepped;
  launch.stop = b.stop;
  launch.over = b.over;
}

}  // namespace weft::pe_kernel
