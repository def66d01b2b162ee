#pragma once

#include "cuda/pe/block.cuh"
#include "cuda/pe/exchange.cuh"
#include "pe/due.hpp"

/// A cycle of a warp's PEs.
namespace weft::pe_kernel {

using pe::Did;

/// Wavelets counted by a thread in a block of cycles: 16 bits for each of pe::Totals. They are
/// enough for 64 PEs.
struct ThreadCounts {
  std::uint64_t word = 0;

  WEFT_DEVICE void add(pe::Counted counted) {
    const std::uint64_t w = counted.word;
    word += (w & 0xffU) | (w & 0xff00U) << 8U | (w & 0xff0000U) << 16U | (w & 0xff000000U) << 24U;
  }
  WEFT_DEVICE std::uint64_t number(int n) const { return word >> 16 * n & 0xffffU; }
};

/// The first one counts: in the earliest cycle, there of the lowest kind.
WEFT_HD_RARE void record_fault(PeFault& first, const pe::FaultNote& note, std::uint64_t cycle) {
  if (first.cycle < cycle || (first.cycle == cycle && first.note.kind <= note.kind)) return;
  first = {cycle, note};
}

/// A thread's PE in a cycle.
template <class S>
struct Turn {
  BlockState<S>& b;
  pe::Pe<S> pe;
  bool there;    ///< not beyond the mesh
  bool stepped;  ///< in this cycle

  WEFT_DEVICE static Turn of(BlockState<S>& b, std::uint32_t n) {
    const std::uint64_t beside = b.own.beside[n];
    return {b, {&b.own.arrays, n, beside}, beside != kEmpty, false};
  }

  WEFT_DEVICE bool at_edge() const {
    return there && static_cast<int>(pe.n) < b.own.tiles.edge_pes();
  }
  WEFT_DEVICE bool did(Did what) const { return stepped && pe.core().has(what); }

  /// Something is due, or a neighbour did something in the cycle before.
  WEFT_DEVICE bool is_due(const pe::Now& now) const {
    return pe::reached(b.own.wake[pe.n], now.cycle) ||
           pe::has_news(pe, {now.cycle, now.parity ^ 1U, false});
  }
  WEFT_DEVICE void step(const pe::Now& now, ThreadCounts& counts) const {
    counts.add(pe::step(pe, now));
    if (did(Did::fault)) record_fault(b.own.faults[pe.n], pe.far_core().fault, now.cycle);
  }
  WEFT_DEVICE void run_stretch(std::uint64_t now) const {
    const std::uint64_t end = b.own.run_ahead ? b.clock.limit : now + 1;
    const std::uint64_t last = pe::run_stretch(pe::core_of(pe, now), end);
    if (did(Did::fault)) record_fault(b.own.faults[pe.n], pe.far_core().fault, last);
  }
  WEFT_DEVICE void set_wake(std::uint64_t now) const {
    constexpr std::uint64_t kLong = std::uint64_t{1} << 30U;
    const std::uint64_t due = pe::next_alone(pe, now);
    b.own.wake[pe.n] = static_cast<std::uint32_t>(due - now < kLong ? due : now + kLong);
  }
};

/// A core waits for others at most so many cycles, which are stepped. Chosen, not measured:
/// neighbours begin a pencil some ten cycles apart.
inline constexpr std::uint32_t kMostWait = 64;

/// Cores with a stretch wait for the others of their warp, until all are there, or one must go on.
/// The whole warp must call.
template <class S>
WEFT_DEVICE void run_stretches(const Turn<S>& turn, std::uint64_t now) {
  const bool mine = turn.did(Did::stretch);
  const std::uint32_t ready = cuda::ballot(mine), all = cuda::ballot(turn.there);
  if (ready == 0) return;
  const pe::CoreView core = pe::core_of(turn.pe, now);
  const bool must = mine && (static_cast<std::uint32_t>(now) - core.near().due >= kMostWait ||
                             !pe::may_wait(core, turn.b.clock.limit));
  if (cuda::ballot(must) == 0 && ready != all) return;
  if (mine) turn.run_stretch(now);
}

/// Marks a cycle of the block's activity, if any of the warp's threads did it.
WEFT_DEVICE void mark(std::uint32_t& cycles, std::uint32_t threads, int k) {
  if (threads != 0 && cuda::thread() == 0) cycles |= 1U << k;
}

/// What a warp did in cycle k of the block. The whole warp must call.
template <class S>
WEFT_DEVICE void note_steps(const Turn<S>& turn, int k) {
  engine::Activity& activity = turn.b.activity[cuda::warp()];
  mark(activity.moved, cuda::ballot(turn.did(Did::moved) || turn.did(Did::will)), k);
  mark(activity.timed, cuda::ballot(turn.did(Did::timed)), k);
}

/// A PE that was not stepped has at its inputs what it had. The whole warp must call.
template <class S>
WEFT_DEVICE void note_polled(const Turn<S>& turn, int k) {
  const bool polled = turn.there && turn.pe.core().has(Did::polled);
  mark(turn.b.activity[cuda::warp()].polled, cuda::ballot(polled), k);
}

/// Cycle k of one PE for each thread. The whole warp must call.
template <class S>
WEFT_DEVICE void step_set(BlockState<S>& b, std::uint32_t n, int k, ThreadCounts& counts) {
  const pe::Now now = b.now(k);
  Turn<S> turn = Turn<S>::of(b, n);
  if (turn.at_edge() && k > 0) take_in(b.own, turn.pe, cuda::block(), b.at(k - 1));
  turn.stepped = turn.there && turn.is_due(now);
  const bool any = cuda::ballot(turn.stepped) != 0;  // the same in all of the warp
  if (turn.stepped) turn.step(now, counts);
  if (turn.at_edge()) put_out(b.own, turn.pe, cuda::block(), b.at(k));
  if (any) {
    run_stretches(turn, now.cycle);
    if (turn.stepped) turn.set_wake(now.cycle);
    note_steps(turn, k);
  }
  note_polled(turn, k);
}

}  // namespace weft::pe_kernel
