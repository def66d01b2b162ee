#pragma once

#include "cuda/pe/block.cuh"
#include "cuda/pe/exchange.cuh"
#include "pe/due.hpp"

/// A cycle of a warp's PEs.
namespace weft::pe_kernel {

using pe::Did;

/// When a PE has to be stepped next, and whether it has wavelets at open inputs.
struct Wake {
  std::uint32_t word;  ///< the cycle modulo 2^31, and a bit

  WEFT_DEVICE static Wake at(std::uint64_t cycle, bool polled) {
    return {static_cast<std::uint32_t>(cycle) << 1U | (polled ? 1U : 0U)};
  }
  /// The cycle has come, or has passed; no cycle is 2^30 away.
  WEFT_DEVICE bool reached(std::uint64_t now) const {
    const std::uint32_t last = static_cast<std::uint32_t>(now) << 1U | 1U;
    return static_cast<std::int32_t>(last - word) >= 0;
  }
  WEFT_DEVICE bool polled() const { return (word & 1U) != 0; }
};

/// What a thread finds in a block of cycles. The whole warp must call all functions.
struct ThreadFacts {
  std::uint32_t even = 0, odd = 0;  ///< 16 bits for each of pe::Totals: enough for 64 PEs
  std::uint32_t did = 0;  ///< bits of Did, of the warp in the cycle of this thread's number

  WEFT_DEVICE void add(pe::Counted counted) {
    even += counted.word & 0xff00ffU;
    odd += counted.word >> 8U & 0xff00ffU;
  }
  WEFT_DEVICE std::uint64_t count(int n) const {
    return (n % 2 == 0 ? even : odd) >> n / 2 * 16 & 0xffffU;
  }
  /// `of_warp`: what it did in cycle k of the block.
  WEFT_DEVICE void note(std::uint32_t of_warp, int k) {
    if (cuda::thread() == k) did |= of_warp;
  }
  /// Cycles, a bit each, in which the warp did any of these.
  WEFT_DEVICE std::uint32_t cycles_with(unsigned what) const {
    return cuda::ballot((did & what) != 0);
  }
  WEFT_DEVICE engine::Activity activity() const {
    engine::Activity a{};
    a.moved = cycles_with(bits(Did::moved) | bits(Did::will));
    a.timed = cycles_with(bits(Did::timed));
    a.polled = cycles_with(bits(Did::polled));
    return a;
  }
  WEFT_DEVICE static constexpr unsigned bits(Did what) { return static_cast<unsigned>(what); }
};
static_assert(engine::kMostCycles <= cuda::kWarp);

/// The first one counts: in the earliest cycle, there of the lowest kind.
WEFT_HD_RARE void record_fault(PeFault& first, const pe::FaultNote& note, std::uint64_t cycle) {
  if (first.cycle < cycle || (first.cycle == cycle && first.note.kind <= note.kind)) return;
  first = {cycle, note};
}

/// The first fault of a PE that was stepped.
template <class S>
WEFT_DEVICE void note_fault(BlockState<S>& b, pe::Pe<S> pe, std::uint64_t cycle) {
  if (pe.core().has(Did::fault)) record_fault(b.own.faults[pe.n], pe.far_core().fault, cycle);
}

/// A core waits for others at most so many cycles, which are stepped. Chosen, not measured:
/// neighbours begin a pencil some ten cycles apart.
inline constexpr std::uint32_t kMostWait = 64;

/// Cores execute what is due, each its own. Those that may wait do so for the others of their warp
/// that are in a task, and due soon or waiting for a microthread, until all are there, or one that
/// has waited must go on. `mine`: this thread's has something. The
/// whole warp must call.
template <class S>
WEFT_DEVICE void run_stretches(BlockState<S>& b, pe::Pe<S> pe, bool mine, std::uint64_t now) {
  const std::uint32_t ready = cuda::ballot(mine);
  const pe::CoreView core = pe::core_of(pe, now);
  const std::uint32_t late = static_cast<std::uint32_t>(now) - core.near().due;  // negative: early
  const bool comes =
      core.near().running && (core.near().waiting || late + kMostWait < 2 * kMostWait);
  const std::uint32_t all = cuda::ballot(mine || comes);
  const bool must = mine && !pe::may_wait(core, b.clock.limit);
  const bool calls = mine && (must ? late != 0 : late >= kMostWait);
  const bool together = cuda::ballot(calls) != 0 || ready == all;
  if (!must && !(mine && together)) return;
  const std::uint64_t end = b.own.run_ahead ? b.clock.limit : now + 1;
  note_fault(b, pe, pe::run_stretch(core, end));
}

/// A PE is looked at again after so many cycles at most.
inline constexpr std::uint64_t kMostAsleep = std::uint64_t{1} << 29U;

/// Of a PE that was stepped.
template <class S>
WEFT_DEVICE Wake wake_after(pe::Pe<S> pe, std::uint64_t now) {
  const std::uint64_t due = pe::next_alone(pe, now);
  return Wake::at(due - now < kMostAsleep ? due : now + kMostAsleep, pe.core().has(Did::polled));
}

/// Cycle k of one PE for each thread. The whole warp must call.
template <class S>
WEFT_DEVICE void step_set(BlockState<S>& b, std::uint32_t n, int k, ThreadFacts& facts) {
  constexpr std::uint32_t kPolled = ThreadFacts::bits(Did::polled), kDue = 256;
  const pe::Now now = b.now(k);
  pe::Pe<S> pe{&b.own.arrays, n, kEmpty};
  const bool edge = n < b.edge_pes;  // the same in all of the warp
  if (edge) pe.beside = b.own.beside[n];
  const bool exchanges = pe.beside != kEmpty;
  if (exchanges && k > 0) take_in(b.own, pe, cuda::block(), b.at(k - 1));
  const Wake wake{b.own.wake[n]};
  bool due = wake.reached(now.cycle) | pe::has_news(pe, {now.cycle, now.parity ^ 1U, false});
  std::uint32_t did = wake.polled() ? kPolled : 0U;
  const std::uint32_t of_warp = cuda::warp_or(did | (due ? kDue : 0U));
  if (due) {
    pe.beside = b.own.beside[n];
    due = pe.beside != kEmpty;
    if (due) {
      facts.add(pe::step(pe, now));
      note_fault(b, pe, now.cycle);
      did = pe.core().did;
    } else {
      b.own.wake[n] = Wake::at(now.cycle + kMostAsleep, false).word;
    }
  }
  if (exchanges) put_out(b.own, pe, cuda::block(), b.at(k));
  if ((of_warp & kDue) == 0) return facts.note(of_warp, k);
  const std::uint32_t all_did = cuda::warp_or(did);
  facts.note(all_did, k);
  if ((all_did & ThreadFacts::bits(Did::stretch)) != 0)
    run_stretches(b, pe, (did & ThreadFacts::bits(Did::stretch)) != 0, now.cycle);
  if (due) b.own.wake[n] = wake_after(pe, now.cycle).word;
}

}  // namespace weft::pe_kernel
