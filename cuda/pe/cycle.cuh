#pragma once

#include "cuda/pe/block.cuh"
#include "cuda/pe/exchange.cuh"
#include "pe/due.hpp"
#include "pe/host.hpp"
#include "pe/rest.hpp"

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

/// What a thread finds in a block of cycles.
struct ThreadFacts {
  std::uint32_t even = 0, odd = 0;  ///< 16 bits for each of pe::Totals: enough for 64 PEs
  std::uint32_t did = 0;            ///< of its warp, in the cycle that has the thread's number

  WEFT_DEVICE std::uint64_t count(int n) const {
    return (n % 2 == 0 ? even : odd) >> n / 2 * 16 & 0xffffU;
  }
  /// Of all its PEs, in cycle k of the block. `of_warp`: `did` is that of the warp already. The
  /// whole warp must call.
  template <bool of_warp>
  WEFT_DEVICE void add(pe::Counted counted, int k) {
    even += counted.word & 0xff00ffU;
    odd += counted.word >> 8U & 0xff00ffU;
    if constexpr (!of_warp) counted.did = cuda::warp_or(counted.did);
    if (cuda::thread() == k) did = counted.did;
  }
  /// Of the warp, which must call as a whole.
  WEFT_DEVICE engine::Activity activity() const {
    const auto cycles_with = [this](std::uint32_t of) { return cuda::ballot((did & of) != 0); };
    engine::Activity activity;
    activity.moved = cycles_with(bits(Did::moved) | bits(Did::will));
    activity.timed = cycles_with(bits(Did::timed));
    activity.polled = cycles_with(bits(Did::polled));
    return activity;
  }
};
static_assert(engine::kMostCycles <= cuda::kWarp);

/// The first one counts: in the earliest cycle, there of the lowest kind.
WEFT_HD_RARE void record_fault(PeFault& first, const pe::FaultNote& note, std::uint64_t cycle) {
  if (first.cycle < cycle || (first.cycle == cycle && first.note.kind <= note.kind)) return;
  first = {cycle, note};
}

/// Stretches wait that may wait so many cycles. Chosen, because a wait costs two steps more.
inline constexpr std::uint32_t kLeastWait = 16;

/// The core executes the stretch that it has. `most`: as pe::run_stretch has it. A fault of the
/// stretch has halted the core; another is the router's, and of another cycle.
template <class S>
WEFT_DEVICE void run_stretch(BlockState<S>& b, pe::Pe<S> pe, std::uint64_t now,
                             std::uint32_t most) {
  const std::uint32_t last = pe::run_stretch<pe::WatchOf<S>>(pe::core_of(pe, now), most);
  if (!pe.core().placed)
    record_fault(b.own.faults[pe.n], pe.far_core().fault, pe::in_full(last, now));
}

/// Cores execute their stretches, each its own. One that has microthreads executes an instruction
/// in its cycle: each access to memory would stop it, so a warp's cores would run ahead one by one,
/// but in a cycle they do simple instructions together. Those that may wait long do so. Once one of
/// them must go on, those of the warp that wait at the same instruction go with it: so pencils,
/// which PEs begin hundreds of cycles apart, are executed in one loop. (Of several that must at
/// different instructions, the lowest takes others along.) Returns whether this thread's core did
/// anything. The whole warp must call.
template <class S>
WEFT_DEVICE bool run_stretches(BlockState<S>& b, pe::Pe<S> pe, std::uint64_t now, int k) {
  const pe::CoreView core = pe::core_of(pe, now);
  const bool mine = pe::has_stretch(core);
  const std::uint32_t pc = core.near().pc;
  const bool alone = core.near().live == 0;
  bool waits = false, goes = mine;
  if (mine && alone) {
    const std::uint32_t latest = pe::latest(core);
    waits = latest - core.near().due >= kLeastWait;
    goes = !waits || pe::reached(latest, now);
  }
  const std::uint32_t call = cuda::ballot(goes && waits);
  if (call != 0) goes |= (cuda::shuffle(pc, pe::lowest(call)) == pc) & waits;
  const bool ahead = b.own.run_ahead && alone;
  if (goes) run_stretch(b, pe, now, ahead ? b.ahead - static_cast<std::uint32_t>(k) : 1U);
  return goes;
}

/// A PE is looked at again after so many cycles at most.
inline constexpr std::uint32_t kMostAsleep = 1U << 29U;

/// Of a PE that was stepped.
template <class S>
WEFT_DEVICE Wake wake_after(pe::Pe<S> pe, std::uint64_t now) {
  const std::uint32_t cycles = pe::cycles_alone(pe, static_cast<std::uint32_t>(now));
  return Wake::at(now + (cycles < kMostAsleep ? cycles : kMostAsleep), pe.core().has(Did::polled));
}

/// A PE is stepped in this cycle, whatever it knows itself.
template <class S>
WEFT_DEVICE void wake(BlockState<S>& b, std::uint32_t n, std::uint64_t cycle) {
  std::uint32_t& word = b.own.wake[n];
  word = Wake::at(cycle, Wake{word}.polled()).word;
}

/// The host takes what has left the PE. Where a link is free again, the PE may go on.
template <class S>
WEFT_DEVICE void take_to_host(BlockState<S>& b, pe::Pe<S> pe, int k, pe::Counted& facts) {
  const pe::Now now = b.now(k);
  const pe::Counted counted = pe::take_to_host(pe, now);
  facts.add(counted);
  if (counted.did != 0) wake(b, pe.n, now.cycle + 1);
}

/// What a PE at the edge does before it is stepped, or found to have nothing to do.
template <class S>
WEFT_DEVICE void before_step(const pe::Rules& rules, BlockState<S>& b, std::uint32_t n, int k,
                             pe::Counted& facts) {
  const pe::Pe<S> pe = pe_of(rules, b, n);
  if (pe.is_empty()) return;
  if (k > 0) take_in(b.own, pe, cuda::block(), b.at(k - 1));
  if constexpr (S::kHosted)
    if (b.hosted) facts.add(pe::send_from_host(pe, b.now(k)));
}

/// The same after it.
template <class S>
WEFT_DEVICE void after_step(const pe::Rules& rules, BlockState<S>& b, std::uint32_t n, int k,
                            pe::Counted& facts) {
  const pe::Pe<S> pe = pe_of(rules, b, n);
  if (pe.is_empty()) return;
  put_out(b.own, pe, cuda::block(), b.at(k));
  if constexpr (S::kHosted)
    if (b.hosted) take_to_host(b, pe, k, facts);
}

/// Steps a PE that is due. `news`: as pe::step has it. Returns bits of Did.
template <class S>
WEFT_DEVICE std::uint32_t step_due(BlockState<S>& b, pe::Pe<S> pe, const pe::Now& now, bool news,
                                   pe::Counted& facts) {
  const pe::Counted counted = pe::step(pe, now, news);
  facts.word += counted.word;
  if ((counted.did & bits(Did::fault)) != 0)
    record_fault(b.own.faults[pe.n], pe.far_core().fault, now.cycle);
  return counted.did;
}

/// Cycle k of one PE for each thread. The whole warp must call.
template <class S>
WEFT_DEVICE void step_set(const pe::Rules& rules, BlockState<S>& b, std::uint32_t n, int k,
                          pe::Counted& facts) {
  const bool edge = n < b.edge_pes;  // the same in all of the warp
  if (edge) before_step(rules, b, n, k, facts);
  const std::uint64_t cycle = b.clock.from + static_cast<std::uint64_t>(k);
  const Wake wake{b.own.wake[n]};
  const bool news = pe::has_news(pe::Cell<S>{&b.own.arrays, n}, b.at(k).parity() ^ 1U);
  bool due = wake.reached(cycle) | news;
  std::uint32_t did = wake.polled() ? bits(Did::polled) : 0;
  if (due) did = step_due(b, pe_of(rules, b, n), b.now(k), news, facts);
  did = cuda::warp_or(did);
  facts.did |= did;
  if ((did & bits(Did::stretch)) != 0) due |= run_stretches(b, pe_of(rules, b, n), cycle, k);
  if (due) b.own.wake[n] = wake_after(pe_of(rules, b, n), cycle).word;
  if (edge) after_step(rules, b, n, k, facts);
}

}  // namespace weft::pe_kernel
