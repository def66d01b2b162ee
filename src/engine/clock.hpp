#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "model/state.hpp"

/// The clock of an engine, which steps blocks of cycles: what is known after a block decides where
/// the next one starts (step 4 of the cycle: skip), or that the run is over. All of a run's threads
/// compute the same.
namespace weft::engine {

inline constexpr int kMostCycles = 32;  ///< of a block; a bit each in Activity

/// Cycles of a block, bit 0 the first, in which some strip ...
struct Activity {
  std::uint32_t moved = 0;   ///< did anything
  std::uint32_t timed = 0;   ///< had work that came by itself
  std::uint32_t polled = 0;  ///< had wavelets at open inputs, perhaps stuck
};

/// The facts of a block of cycles, or of a part of the fabric in it; `model::kNever`: nothing of
/// the kind.
struct BlockFacts {
  Activity activity;
  std::uint64_t next_timed = model::kNever;   ///< next work that comes by itself
  std::uint64_t next_polled = model::kNever;  ///< wavelets at open inputs, perhaps stuck
  std::uint64_t fault = model::kNever;        ///< cycle of the first fault
  std::uint64_t hops = 0;  ///< since the fabric was made, where links rest in a crowd

  // How a fact of two parts becomes one.
  struct Any {};       ///< bits: those of either
  struct Earliest {};  ///< a cycle: the first
  struct Sum {};

  /// f(how, a's, b's) for each fact.
  template <class A, class B, class F>
  WEFT_HD static void each(A& a, B& b, const F& f) {
    f(Any{}, a.activity.moved, b.activity.moved);
    f(Any{}, a.activity.timed, b.activity.timed);
    f(Any{}, a.activity.polled, b.activity.polled);
    f(Earliest{}, a.next_timed, b.next_timed);
    f(Earliest{}, a.next_polled, b.next_polled);
    f(Earliest{}, a.fault, b.fault);
    f(Sum{}, a.hops, b.hops);
  }

  struct Add {
    WEFT_HD void operator()(Any, std::uint32_t& all, std::uint32_t one) const { all |= one; }
    WEFT_HD void operator()(Earliest, std::uint64_t& all, std::uint64_t one) const {
      model::earlier(all, one);
    }
    WEFT_HD void operator()(Sum, std::uint64_t& all, std::uint64_t one) const { all += one; }
  };
  WEFT_HD void add(const BlockFacts& other) { each(*this, other, Add{}); }

  /// Of a strip, after a block.
  WEFT_HD void add_strip(const model::View& v, int strip) {
    model::earlier(next_timed, v.deliver_wake[strip]);
    model::earlier(next_timed, v.core_wake[strip]);
    model::earlier(next_polled, v.route_wake[strip]);
    if (v.faults[strip].kind != FaultKind::none) model::earlier(fault, v.faults[strip].cycle);
    if (v.timing.crowd != 0) hops += v.strip[strip].hops;
  }

  /// Of a row of strips.
  WEFT_HD void add_row(const model::View& v, int row) {
    if (v.timing.crowd != 0)
      for (int i = row * v.strips; i < (row + 1) * v.strips; ++i) hops += v.strip[i].hops;
    model::earlier(next_timed, v.deliver_row[row]);
    model::earlier(next_timed, v.core_row[row]);
    model::earlier(next_polled, v.route_row[row]);
    model::earlier(fault, v.fault_row[row]);
  }
};

/// Where a run is, between two blocks.
struct Clock {
  std::uint64_t limit = 0;              ///< no cycle at or after it is stepped
  std::uint64_t from = 0;               ///< first cycle of the next block
  std::uint64_t cycle = 0;              ///< the next cycle that was not stepped
  std::uint64_t skipped = 0;            ///< cycles jumped over
  std::uint64_t fault = model::kNever;  ///< cycle of the first fault that is known
  bool moved = true;                    ///< something did in the cycle before (or it is the first)
  std::uint64_t link_period = 0;        ///< where links rest in a crowd; 0: no block needs to end
  std::uint64_t most_hops = 0;          ///< of a period, after which links do not rest
  model::Crowd crowd{};                 ///< in the period of `from`

  /// Before start(), where links rest in a crowd.
  WEFT_HD void watch_crowd(const model::Timing& timing, const model::Crowd& so_far) {
    crowd = so_far;
    if (timing.crowd == 0) return;
    link_period = timing.link_period();
    most_hops = timing.crowd;
  }

  /// The block begins at `from`, perhaps in another period of links than the one before.
  WEFT_HD void enter_period() {
    if (link_period == 0 || from / link_period == crowd.period) return;
    const bool next = from / link_period == crowd.period + 1;
    crowd.rests = next && crowd.hops - crowd.began > most_hops;
    crowd.began = crowd.hops;
    crowd.period = from / link_period;
  }

  /// Before a block: whether links rest in its period.
  WEFT_HD void tell(model::View& v) const {
    if (link_period != 0) v.links_rest = crowd.rests;
  }

  /// Before the first block: `before` is of the strips as they are. False: there is nothing to
  /// step.
  WEFT_HD bool start(const BlockFacts& before, std::uint64_t now, std::uint64_t end, Stop& stop) {
    limit = end;
    cycle = now;
    from = before.next_timed < before.next_polled ? before.next_timed : before.next_polled;
    if (from < now || now == 0) from = now;
    if (from < limit) {
      enter_period();
      return true;
    }
    stop = from == model::kNever && now < limit ? Stop::quiet : Stop::limit;
    if (stop == Stop::limit && now < limit) {
      skipped = limit - now;
      cycle = limit;
    }
    return false;
  }

  /// Cycles of the next block, at most `block`. It ends after the cycle of a known fault, and with
  /// the period of links, where that matters.
  WEFT_HD int cycles(int block) const {
    std::uint64_t end = fault < limit ? fault + 1 : limit;
    if (link_period != 0) model::earlier(end, (crowd.period + 1) * link_period);
    const std::uint64_t most = static_cast<std::uint64_t>(block);
    return static_cast<int>(end - from < most ? end - from : most);
  }

  /// The block's cycles, a bit each, that had to be stepped: others could be jumped over, because
  /// what is stuck stays stuck until something else happens. Cycle 0 is always stepped.
  WEFT_HD std::uint32_t needed(const Activity& activity, int n) const {
    std::uint32_t needed = from == 0 ? 1 : 0;
    bool before = moved;
    for (int k = 0; k < n; ++k) {
      const std::uint32_t bit = 1U << k;
      if ((activity.timed & bit) != 0 || (before && (activity.polled & bit) != 0)) needed |= bit;
      before = (activity.moved & bit) != 0;
    }
    return needed;
  }

  /// Counts the needed cycles of the block, up to `last`.
  WEFT_HD void count(std::uint32_t needed, int n, std::uint64_t last) {
    for (int k = 0; k < n; ++k) {
      const std::uint64_t one = from + static_cast<std::uint64_t>(k);
      if ((needed >> k & 1U) != 0 && one <= last) stepped(one);
    }
  }

  WEFT_HD void stepped(std::uint64_t one) {
    skipped += one - cycle;
    cycle = one + 1;
  }

  /// After a block of n cycles: goes on to the next (true), or tells why there is none.
  WEFT_HD bool advance(const BlockFacts& all, int n, Stop& stop) {
    const std::uint32_t needed_cycles = needed(all.activity, n);
    const std::uint64_t after = from + static_cast<std::uint64_t>(n);
    moved = (all.activity.moved >> (n - 1) & 1U) != 0;
    std::uint64_t next = all.next_timed;
    if (moved) model::earlier(next, all.next_polled);
    fault = all.fault;
    crowd.hops = all.hops;
    count(needed_cycles, n, fault);
    if (fault < after || (fault != model::kNever && next > fault)) {
      if (cycle <= fault) stepped(fault);  // found ahead of its cycle
      stop = Stop::fault;
      return false;
    }
    if (next == model::kNever) {
      stop = Stop::quiet;
      return false;
    }
    if (next >= limit) {
      stop = Stop::limit;
      skipped += limit - cycle;
      cycle = limit;
      return false;
    }
    from = next;
    enter_period();
    return true;
  }
};

}  // namespace weft::engine
