#pragma once

#include <type_traits>

#include "cuda/pe/mail.hpp"
#include "cuda/pe/tiles.hpp"
#include "engine/clock.hpp"
#include "engine/totals.hpp"

/// A fabric in device memory.
namespace weft::pe_kernel {

/// The first fault of a PE.
struct PeFault {
  std::uint64_t cycle;
  pe::FaultNote note;
};

/// Records of all tiles, those beyond cuts too: [tile][parity][place of the rim].
struct Edges {
  std::uint64_t* records;
  std::uint32_t* notes;

  /// From those of tile 0 on: less than 0 beyond a cut to the north.
  WEFT_HD static int at(const Tiles& tiles, int tile, unsigned parity, int place) {
    return (tile * 2 + static_cast<int>(parity)) * tiles.rim() + place;
  }
};

/// Sizes of a tile's arrays, the same for all tiles.
struct TileSizes {
  std::uint32_t pes, cells;
  std::uint32_t ring_words;                        ///< with those of the rim
  std::uint32_t to_core, to_router, memory_words;  ///< of a PE
  std::uint32_t rim = 0;                           ///< the first cell of it
  std::uint32_t host_words = 0, host_came = 0;     ///< of all tiles
};

/// Parts of the state that are near or far as a whole, those first that are near first.
enum class Part : std::uint8_t { inboxes, wakes, routers, rings, cores, count };
inline constexpr int kParts = static_cast<int>(Part::count);
inline constexpr int kMostNear = kParts + 1;  ///< arrays; inboxes are two

/// Arrays of all tiles, tile by tile. A PE's number is that in its tile.
template <class S>
struct Fabric {
  pe::Rules rules;
  pe::Arrays<S> arrays;
  Tiles tiles;
  TileSizes sizes;
  std::uint32_t near;   ///< parts, a bit each
  bool run_ahead;       ///< as Accelerations::run_ahead
  std::uint32_t* wake;  ///< as Wake
  PeFault* faults;
  engine::Totals* totals;  ///< by tile
  Edges edges;
};
static_assert(std::is_trivially_copyable_v<Fabric<pe::Shape<4, 2>>>);

/// give(part, array, elements of a tile) for each array that may be near.
template <class S, class F>
WEFT_HD void for_parts(Fabric<S>& f, const F& give) {
  const TileSizes& n = f.sizes;
  for (auto*& inbox : f.arrays.inbox) give(Part::inboxes, inbox, n.cells);
  give(Part::wakes, f.wake, n.pes);
  give(Part::routers, f.arrays.router.first, n.pes);
  give(Part::rings, f.arrays.rings, n.ring_words);
  give(Part::cores, f.arrays.core.first, n.pes);
}

/// give(array, elements of a tile) for those that never are, but for the PEs' memory and counts.
template <class S, class F>
WEFT_HD void for_far_arrays(Fabric<S>& f, const F& give) {
  const TileSizes& n = f.sizes;
  give(f.arrays.far.first, n.pes);
  give(f.arrays.far_core.first, n.pes);
  give(f.arrays.payload[0], n.to_core * n.pes);
  give(f.arrays.payload[1], n.to_router * n.pes);
  give(f.arrays.registers, kRegisters * n.pes);
  give(f.faults, n.pes);
  if constexpr (S::kCounting)
    if (f.arrays.counts.first_mark != nullptr) give(f.arrays.counts.first_mark, n.pes);
}

/// Words of what a tile's PEs have counted.
template <class S>
WEFT_HD std::size_t count_words(const Fabric<S>& f) {
  return std::size_t{f.sizes.pes} * f.arrays.counts.sizes.words;
}

/// In shared memory a part begins at a multiple of this.
inline constexpr std::size_t kPartAlign = 16;
WEFT_HD std::size_t near_bytes(std::size_t bytes) {
  return (bytes + kPartAlign - 1) / kPartAlign * kPartAlign;
}

/// What the courier of a mesh that is cut knows of it.
struct Round {
  Tiles tiles;
  Edges edges;
  Mail mail;
};

/// In device memory, for all blocks.
struct LaunchState {
  engine::BlockFacts facts[3];  ///< by block of cycles, in turn
  engine::Clock clock;          ///< when the launch begins, and when it has ended
  std::uint64_t stepped;        ///< cycles so far, and kFirstStepped
  engine::Stop stop;
  bool over;           ///< `stop` tells why; otherwise the launch has done its share
  Round round;         ///< of a process that has a part of the mesh
  std::uint32_t last;  ///< of such a one: the launch ends with this block of cycles
};

}  // namespace weft::pe_kernel
