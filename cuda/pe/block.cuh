#pragma once

#include "cuda/facilities.cuh"
#include "cuda/pe/own_state.cuh"
#include "cuda/pe/record.hpp"

namespace weft::pe_kernel {

/// Shared by a block's threads, at the start of its shared memory. Near parts come after it.
template <class S>
struct alignas(128) BlockState {
  Fabric<S> own;  ///< as go_to_tile
  NearArrays near;
  OwnHomes<S> homes;
  engine::Clock clock;
  std::uint64_t stepped;   ///< cycles before the present block of cycles
  std::uint32_t resting;   ///< cycles of the block in which links rest, a bit each
  int cycles;              ///< of the block
  std::uint32_t ahead;     ///< cycles_ahead of its first cycle
  std::uint32_t edge_pes;  ///< as Tiles::edge_pes; 0: no tile is beside this one; with the host all
  engine::Stop stop;
  bool over;
  bool hosted;  ///< some PE of the tile has a link to the host; of kernels that ask

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

/// By one thread: before a block of cycles, of which the clock knows where it starts.
template <class S>
WEFT_DEVICE void begin_block(BlockState<S>& b) {
  b.cycles = b.clock.cycles(engine::kMostCycles);
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
    // A tile's first cell of the host has a port, if any has. Of kernels that count none may.
    const pe::HostPorts<S>& host = b.own.arrays.host;
    const bool may = !S::kCounting || host.of_tile != 0;
    b.hosted = may && (host.port[0].inputs | host.port[0].outputs) != 0;
    if (b.hosted) b.edge_pes = b.own.sizes.pes;
  }
  b.clock = launch.clock;
  b.stepped = launch.stepped;
  b.stop = engine::Stop::quiet;
  b.over = false;
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
