#pragma once

#include "cuda/pe/block_facts.cuh"
#include "cuda/pe/courier.cuh"
#include "cuda/pe/cycle.cuh"
#include "cuda/pe/kernel.hpp"

namespace weft::pe_kernel {
namespace {

using cuda::block;
using cuda::block_sum;
using cuda::block_sync;

/// f(number) for each PE of a thread, those at the tile's edge first. Warps stay whole.
template <class S, class F>
WEFT_DEVICE void for_own_pes(const BlockState<S>& b, F f) {
  for (std::uint32_t n = threadIdx.x; n < b.own.sizes.pes; n += blockDim.x) f(n);
}

/// Steps a tile through a block of cycles, together with the others.
template <class S>
WEFT_DEVICE ThreadFacts step_cycles(const pe::Rules& rules, BlockState<S>& b) {
  ThreadFacts facts;
  for (int k = 0; k < b.cycles; ++k) {
    pe::Counted of_cycle{};
    for_own_pes(b, [&](std::uint32_t n) { step_set(rules, b, n, k, of_cycle); });
    facts.add<!S::kHosted>(of_cycle, k);
    block_sync();
  }
  return facts;
}

/// After a block of cycles: what the neighbours did in the last one is in the inboxes.
template <class S>
WEFT_DEVICE void settle(const pe::Rules& rules, BlockState<S>& b) {
  for_own_pes(b, [&](std::uint32_t n) {
    const pe::Pe<S> pe = pe_of(rules, b, n);
    if (n < b.edge_pes && !pe.is_empty()) take_in(b.own, pe, block(), b.at(b.cycles - 1));
  });
}

/// Adds what the block's threads have counted to the tile's totals. The whole block must call.
template <class S>
WEFT_DEVICE void add_counts(BlockState<S>& b, const ThreadFacts& mine) {
  const auto pair = [&](int n) { return mine.count(n) | mine.count(n + 1) << 32U; };
  const std::uint64_t first = block_sum(pair(0)), second = block_sum(pair(2));
  if (threadIdx.x != 0) return;
  const auto low = [](std::uint64_t word) { return word & 0xffffffffU; };
  engine::Totals& totals = *b.own.totals;
  totals.wavelets += low(first);
  totals.hops += first >> 32U;
  totals.delivered += low(second);
  totals.filtered += second >> 32U;
}

/// The facts of the block's PEs, in all threads.
template <class S>
WEFT_DEVICE BlockFacts facts_of(const pe::Rules& rules, BlockState<S>& b,
                                const ThreadFacts& found) {
  const std::uint64_t last = b.clock.from + static_cast<std::uint64_t>(b.cycles - 1);
  BlockFacts mine;
  mine.activity = found.activity();
  for_own_pes(b, [&](std::uint32_t n) {
    const pe::Pe<S> pe = pe_of(rules, b, n);
    if (pe.is_empty()) return;
    model::earlier(mine.next_timed, pe::next_timed(pe, last));
    model::earlier(mine.next_polled, pe::next_polled(pe, b.at(b.cycles - 1).parity(), last));
    model::earlier(mine.fault, b.own.faults[n].cycle);
    if constexpr (S::kCounting) pe::note_rest(pe, b.at(b.cycles - 1).parity(), last);
    if constexpr (S::kHosted) {
      if (!b.hosted) return;
      const pe::HostNext host = pe::next_of_host(pe, last);
      model::earlier(mine.next_timed, host.timed);
      model::earlier(mine.next_polled, host.polled);
    }
  });
  if (threadIdx.x == 0) mine.hops = b.own.totals->hops;
  BlockFacts all;
  BlockFacts::each(all, mine, ReduceInBlock{rules.timing.crowd != 0});
  return all;
}

/// When a run ends: no core is behind the clock.
template <class S>
WEFT_DEVICE void end_waits(const pe::Rules& rules, BlockState<S>& b) {
  const std::uint64_t last = b.clock.cycle - 1;
  const std::uint32_t most = b.own.run_ahead ? cycles_ahead(b, last) : 1U;
  for_own_pes(b, [&](std::uint32_t n) {
    const pe::Pe<S> pe = pe_of(rules, b, n);
    if (pe::has_stretch(pe::core_of(pe, last))) run_stretch(b, pe, last, most);
  });
}

/// When a launch begins: the host has lent words, or taken some.
template <class S>
WEFT_DEVICE void look_at_host(const pe::Rules& rules, BlockState<S>& b) {
  if (!b.hosted) return;
  for_own_pes(b, [&](std::uint32_t n) {
    const pe::Pe<S> pe = pe_of(rules, b, n);
    if (pe.is_empty()) return;
    pe::look_at_host(pe, b.clock.from);
    wake(b, n, b.clock.from);
  });
}

/// A block of the grid steps its tile, at most so many blocks of cycles.
template <class S>
WEFT_DEVICE void step_tile(const Fabric<S>& fabric, LaunchState* launch, int most_blocks) {
  if constexpr (S::kHosted) {
    static_assert(sizeof(CourierState) <= sizeof(BlockState<S>));
    if (block() == fabric.tiles.count()) return carry(*launch);
  }
  BlockState<S>& b = *reinterpret_cast<BlockState<S>*>(cuda::shared_memory());
  OwnState<S> own;
  if (threadIdx.x == 0) begin_launch(b, fabric, *launch, own);
  block_sync();
  check_own(b.own, own, b.homes);
  fetch(b.near);
  fetch_own(b.own, own, b.homes);
  block_sync();
  if constexpr (S::kHosted) look_at_host(fabric.rules, b);

  for (int n = 0; n < most_blocks && !b.over; ++n) {
    const ThreadFacts found = step_cycles(fabric.rules, b);
    settle(fabric.rules, b);
    add_counts(b, found);
    const BlockFacts mine = facts_of(fabric.rules, b, found);
    BlockFacts& all = launch->facts[n % 3];
    if (threadIdx.x == 0) BlockFacts::each(all, mine, AddAtomically{});
    meet_grid();
    if constexpr (S::kHosted)
      if (b.shared) meet_grid();  // in between, the courier brings the facts of all processes
    if (threadIdx.x == 0) {
      advance_clock(b, load_facts(all));
      if (!b.over) begin_block(b);
      if constexpr (S::kHosted) b.last = b.shared && cuda::load_relaxed(&launch->last) != 0;
      // The one before: all have read it, and it is next added to after another barrier.
      if (block() == 0) clear_facts(launch->facts[(n + 2) % 3]);
    }
    block_sync();
    if constexpr (S::kHosted)
      if (b.last) break;
  }
  if (b.over) end_waits(fabric.rules, b);  // those of a run that goes on stay
  block_sync();
  put_back(b.near);
  put_back_own(b.own, own, b.homes);
  if (block() == 0 && threadIdx.x == 0) end_launch(b, *launch);
}

}  // namespace
}  // namespace weft::pe_kernel

/// The kernel of a shape of PEs. Each is a source of its own, as they take long to compile. (nvcc
/// does not see the bounds of a kernel that is a template.)
#define WEFT_STEP_KERNEL_OF(...)                                                          \
  namespace weft::pe_kernel {                                                             \
  namespace {                                                                             \
  __global__ void __launch_bounds__(kMostThreads, 1)                                      \
      step_tiles(const __grid_constant__ Fabric<__VA_ARGS__> fabric, LaunchState* launch, \
                 int blocks) {                                                            \
    step_tile(fabric, launch, blocks);                                                    \
  }                                                                                       \
  }                                                                                       \
  template <>                                                                             \
  StepKernel<__VA_ARGS__> step_kernel<__VA_ARGS__>() {                                    \
    return &step_tiles;                                                                   \
  }                                                                                       \
  template <>                                                                             \
  std::size_t block_state_bytes<__VA_ARGS__>() {                                          \
    return sizeof(BlockState<__VA_ARGS__>);                                               \
  }                                                                                       \
  }
#define WEFT_STEP_KERNEL(...) WEFT_STEP_KERNEL_OF(pe::Shape<__VA_ARGS__>)
