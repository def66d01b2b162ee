#include "cuda/edges.cuh"
#include "cuda/facilities.cuh"
#include "cuda/stage.cuh"
#include "cuda/tile_kernel.hpp"
#include "cuda/warp_lanes.cuh"
#include "model/step.hpp"

namespace weft::cuda {
namespace {

using engine::BlockFacts;
using engine::Clock;
using engine::Stop;
using model::kNever;
using model::Place;
using model::View;

/// Neighbouring rows of strips, which one block steps.
struct Tile {
  int first_row, last_row;

  WEFT_DEVICE static Tile of(const View& v, const Tiling& tiling, int number) {
    const int first = number * tiling.rows;
    const int last = first + tiling.rows;
    return {first, last < v.rows ? last : v.rows};
  }

  WEFT_DEVICE int strips(const View& v) const { return (last_row - first_row) * v.strips; }
  WEFT_DEVICE Place place(const View& v, int i) const {
    return {first_row * v.strips + i, first_row + i / v.strips, i % v.strips};
  }
};

/// Shared by a block's threads, at the start of its shared memory. Staged arrays come after it.
struct alignas(128) BlockState {
  View view;  ///< of the fabric, with what is staged in shared memory
  View home;  ///< of the fabric, all in device memory
  // Here, because registers are scarce:
  Tile tile;
  Stage stage;
  int cycles;                                 ///< of the present block
  engine::Activity activity[kMostTileWarps];  ///< by warp
  Clock clock;
  Stop stop;
  bool over;
};

/// f(edge) for each side of the strip on which its tile ends and the mesh goes on.
template <class F>
WEFT_DEVICE void for_edges(const BlockState& own, Place at, F f) {
  if (at.row == own.tile.first_row && at.row > 0)
    f(Edge{own.view, own.home, at.index, Port::north});
  if (at.row + 1 == own.tile.last_row && at.row + 1 < own.view.rows)
    f(Edge{own.view, own.home, at.index, Port::south});
}

/// Tells the tiles beside this one how far it has come, and waits until they are as far.
WEFT_DEVICE void meet_neighbours(TileProgress* progress, int tiles, std::uint64_t done) {
  block_sync();  // all of the tile has come so far
  if (threadIdx.x == 0) {
    store_release(&progress[block()].done, done);
    const auto wait_for = [&](int tile) {
      while (load_acquire(&progress[tile].done) < done) pause();
    };
    if (block() > 0) wait_for(block() - 1);
    if (block() + 1 < tiles) wait_for(block() + 1);
  }
  block_sync();
}

/// The strips of a tile that a warp steps, in a cycle of a block.
struct WarpStrips {
  BlockState& own;
  std::uint64_t now;

  template <class F>
  WEFT_DEVICE void each(F f) const {
    for (int i = warp(); i < own.tile.strips(own.view); i += warps())
      f(own.tile.place(own.view, i));
  }
  WEFT_DEVICE bool is_due(const std::uint64_t* wakes, const Place& at, std::uint64_t) const {
    return load_relaxed(&wakes[at.index]) <= now;
  }
  template <class F>
  WEFT_DEVICE void due(const std::uint64_t* wakes, std::uint64_t, F f) const {
    each([&](const Place& at) {
      if (is_due(wakes, at, now)) f(at);
    });
  }
  WEFT_DEVICE void did(model::Step step, const Place& at, bool moved) const {
    const bool route = step == model::Step::route;
    if (thread() == 0) {
      engine::Activity& activity = own.activity[warp()];
      const std::uint32_t cycle = 1U << (now - own.clock.from);
      (route ? activity.polled : activity.timed) |= cycle;
      if (moved) activity.moved |= cycle;
    }
    if (!route)
      for_edges(own, at, [](Edge edge) { put_room(edge); });
    else if (moved)
      for_edges(own, at, [](Edge edge) { put_sent(edge); });
  }
};

/// By one thread: before a block of cycles, of which the clock knows where it starts.
WEFT_DEVICE void begin_block(BlockState& own) {
  own.cycles = own.clock.cycles(kBlockCycles);
  own.clock.tell(own.view);
}

/// Steps a tile through a block of cycles, together with the others.
WEFT_DEVICE void step_cycles(BlockState& own, TileProgress* progress, int tiles) {
  const View& v = own.view;
  if (thread() == 0) own.activity[warp()] = {};
  const auto goes_on = [&](std::uint64_t now) {  // registers are scarce: no end is kept in one
    return now - own.clock.from < static_cast<std::uint64_t>(own.cycles);
  };
  for (std::uint64_t now = own.clock.from; goes_on(now); ++now) {
    const WarpStrips strips{own, now};
    model::step_1<WarpLanes>(v, strips, now);
    meet_neighbours(progress, tiles, 2 * now + 1);
    model::steps_2_and_3<WarpLanes>(v, strips, now);
    meet_neighbours(progress, tiles, 2 * now + 2);
  }
}

/// The facts of all of the block's threads, in each.
struct ReduceInBlock {
  bool crowd;  ///< hops count

  WEFT_DEVICE void operator()(BlockFacts::Any, std::uint32_t& all, std::uint32_t mine) const {
    all = block_or(mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Earliest, std::uint64_t& all, std::uint64_t mine) const {
    all = block_min(mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Sum, std::uint64_t& all, std::uint64_t mine) const {
    if (crowd) all = block_sum(mine);
  }
};

/// The facts of the block's strips, in all threads.
WEFT_DEVICE BlockFacts facts_of(const View& v, Tile tile, engine::Activity activity) {
  BlockFacts mine;
  mine.activity = activity;
  for (int i = static_cast<int>(threadIdx.x); i < tile.strips(v); i += static_cast<int>(blockDim.x))
    mine.add_strip(v, tile.place(v, i).index);
  BlockFacts all;
  BlockFacts::each(all, mine, ReduceInBlock{v.timing.crowd != 0});
  return all;
}

/// By one thread of each block.
struct AddAtomically {
  WEFT_DEVICE void operator()(BlockFacts::Any, std::uint32_t& all, std::uint32_t mine) const {
    atomic_or(&all, mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Earliest, std::uint64_t& all, std::uint64_t mine) const {
    atomic_min(&all, mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Sum, std::uint64_t& all, std::uint64_t mine) const {
    if (mine != 0) atomic_add(&all, mine);
  }
};

struct Load {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& copy, const T& shared) const {
    copy = load_relaxed(&shared);
  }
};

struct Store {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& shared, const T& value) const {
    store_relaxed(&shared, value);
  }
};

WEFT_DEVICE BlockFacts load(const BlockFacts& shared) {
  BlockFacts copy;
  BlockFacts::each(copy, shared, Load{});
  return copy;
}

WEFT_DEVICE void clear(BlockFacts& shared) {
  const BlockFacts nothing;
  BlockFacts::each(shared, nothing, Store{});
}

__global__ void __launch_bounds__(kMostTileWarps* kWarp, 1)
    step_tiles(View view, Tiling tiling, TileProgress* progress, LaunchState* launch,
               int most_blocks) {
  const Tile tile = Tile::of(view, tiling, block());
  BlockState& own = *reinterpret_cast<BlockState*>(shared_memory());
  const Stage stage{view.strips,
                    tile.first_row,
                    tile.last_row,
                    tiling.starts,
                    tiling.near_words,
                    tiling.staged,
                    shared_memory() + sizeof(BlockState)};
  stage.fetch(view);
  if (threadIdx.x == 0) {
    own.view = stage.near(view);
    own.home = view;
    own.clock = launch->clock;
    own.stop = Stop::quiet;
    own.over = false;
    own.tile = tile;
    own.stage = stage;
    begin_block(own);
  }
  block_sync();

  for (int n = 0; n < most_blocks && !own.over; ++n) {
    step_cycles(own, progress, tiling.tiles);
    const BlockFacts mine = facts_of(own.view, own.tile, own.activity[warp()]);
    BlockFacts& all = launch->facts[n % 3];
    if (threadIdx.x == 0) BlockFacts::each(all, mine, AddAtomically{});
    grid_sync();
    if (threadIdx.x == 0) {
      own.over = !own.clock.advance(load(all), own.cycles, own.stop);
      if (!own.over) begin_block(own);
      // The one before: all have read it, and it is next added to after another barrier.
      if (block() == 0) clear(launch->facts[(n + 2) % 3]);
    }
    block_sync();
  }
  own.stage.put_back(own.home);
  if (block() == 0 && threadIdx.x == 0) {
    launch->clock = own.clock;
    launch->stop = own.stop;
    launch->over = own.over;
  }
}

/// Words at the end of every PE's memory that are 0, of the strips that this warp looks at. Each
/// thread returns those of its lanes.
WEFT_DEVICE std::uint64_t find_untouched(const View& v) {
  std::uint64_t least = v.memory_words;
  for (int i = block() * warps() + warp(); i < v.strips * v.rows; i += blocks() * warps())
    for (int lane = thread(); lane < model::kLanes; lane += static_cast<int>(kWarp)) {
      const std::uint32_t* const own =
          v.memory + static_cast<std::uint64_t>(i) * v.memory_words * model::kLanes + lane;
      std::uint64_t rest = 0;
      while (rest < least && own[(v.memory_words - 1 - rest) * model::kLanes] == 0) ++rest;
      least = rest;
    }
  return least;
}

/// By one thread of each block.
WEFT_DEVICE void add(engine::Totals& all, const engine::Totals& mine) {
  atomic_add(&all.wavelets, mine.wavelets);
  atomic_add(&all.hops, mine.hops);
  atomic_add(&all.delivered, mine.delivered);
  atomic_add(&all.filtered, mine.filtered);
}

__global__ void __launch_bounds__(kMostTileWarps* kWarp) summarize(View view, Summary* summary) {
  const std::uint64_t untouched = block_min(find_untouched(view));
  const int threads = static_cast<int>(blockDim.x);
  engine::Totals mine;
  for (int i = block() * threads + static_cast<int>(threadIdx.x); i < view.strips * view.rows;
       i += blocks() * threads)
    mine.add(view.strip[i]);
  const engine::Totals all{block_sum(mine.wavelets), block_sum(mine.hops),
                           block_sum(mine.delivered), block_sum(mine.filtered)};
  if (threadIdx.x != 0) return;
  atomic_min(&summary->untouched, untouched);
  add(summary->totals, all);
}

}  // namespace

TileKernel tile_kernel() { return &step_tiles; }
std::size_t tile_state_bytes() { return sizeof(BlockState); }
SummaryKernel summary_kernel() { return &summarize; }

}  // namespace weft::cuda
