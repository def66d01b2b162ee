#pragma once

#include <type_traits>

#include "model/state/timing.hpp"
#include "pe/code.hpp"
#include "pe/core_state.hpp"
#include "pe/host_port.hpp"
#include "pe/planes.hpp"
#include "weft/fault.hpp"

/// The state of one PE: its router and its ramp, and where they and its core are. Its parts are
/// apart because they are meant for different memories of a GPU: what each cycle reads (Router,
/// Ramp), what neighbours write (Inbox, rings), what is rare or constant (Far).
namespace weft::pe {

inline constexpr int kMaxPositions = 4;
inline constexpr int kPatch = 32;              ///< PEs whose memory is interleaved by words
inline constexpr std::uint8_t kNone = 255;     ///< no queue, no color
inline constexpr std::uint32_t kNoCell = ~0U;  ///< Link::cell: no PE is here

/// What all PEs of a mesh have in common.
struct Rules {
  model::Timing timing;
  ProgramView programs;
  RampSizes to_core, to_router;
  std::uint8_t number[kColors];   ///< dense numbers of colors; kNone: no PE routes it
  std::uint8_t color[kColors];    ///< by dense number
  Colors has_bit[5];              ///< the dense numbers of colors that have the bit
  std::uint32_t first_color[32];  ///< by turn: of each set of the colors 0 to 3, two bits each
  std::uint32_t first_queues[8];  ///< by turn mod 8: a byte for each bit of a ramp queue's number,
                                  ///< of the queues that it puts first
  bool swaps;                     ///< some route swaps: such colors stand in pairs, 2 k and 2 k + 1
  bool tally;                     ///< as FabricOptions::tally
  bool data;                      ///< as FabricOptions::data: else only control wavelets carry some
  std::uint32_t pes;              ///< of a tile
};

/// A cycle.
struct Now {
  std::uint64_t cycle;
  unsigned parity;  ///< of the stepped cycles, which have no gaps
  bool links_rest;  ///< those that may

  WEFT_HD unsigned turn() const { return static_cast<unsigned>(cycle % 32); }
};

/// What a router knows of a color, a bit for each.
enum class Mark : std::uint8_t {
  torn_down,  ///< held, until the core lets the color go
  merging,    ///< several inputs are open
  filtered,   ///< there is a filter
  shut,       ///< its filter refuses a data wavelet now, if it is not `ranged`
  ranged,     ///< it has a range filter
};
inline constexpr int kMarks = 5;

/// Decided by (port, color) at once; a step works on a copy. Planes that end in the links' state
/// have nothing at the ramp. Aligned, so that a copy is few loads.
template <class S>
struct alignas(16) Router {
  using Ports = typename S::Ports;
  using Counts = Planes<S::kCountPlanes, Ports>;
  using Slots = Planes<S::kSlotPlanes, Ports>;
  static constexpr int kMarksOfWord = 32 / S::kMost;
  static constexpr int kPlanes = 3 + 2 * (S::kCountPlanes + S::kSlotPlanes);
  static constexpr int kUsed =
      kPlanes * static_cast<int>(sizeof(Ports) / 4) + (kMarks + kMarksOfWord - 1) / kMarksOfWord;
  static constexpr int kMarkWords =  // up to a multiple of 16 bytes, so that a copy is in words
      (kMarks + kMarksOfWord - 1) / kMarksOfWord + (4 - kUsed % 4) % 4;

  Ports rx, tx;           ///< open now
  Counts held;            ///< wavelets in the own queues
  Slots head;             ///< slot of the first
  Counts downstream;      ///< wavelets in the queues that links lead to, by the color there
  Slots downstream_tail;  ///< slot of the next one there
  Ports no_queue;         ///< no queue: at a link, in the router beyond; at the ramp, in this one
  std::uint32_t marks[kMarkWords];

  WEFT_HD Colors marked(Mark what) const {
    return marks[index(what)] >> shift(what) & ~Colors{0} >> (32 - S::kMost);
  }
  WEFT_HD void mark(Mark what, int color, bool yes) {
    std::uint32_t& word = marks[index(what)];
    const std::uint32_t bit = color_bit(color) << shift(what);
    word = yes ? word | bit : word & ~bit;
  }

 private:
  WEFT_HD static constexpr int index(Mark what) { return static_cast<int>(what) / kMarksOfWord; }
  WEFT_HD static constexpr int shift(Mark what) {
    return static_cast<int>(what) % kMarksOfWord * S::kMost;
  }
};

/// What neighbours did in a cycle. Each byte or word of a side is written by one neighbour only.
/// Notes are rare: what came is a control wavelet, or a route has changed.
template <class S>
struct alignas(4) Inbox {
  using ColorBits = typename S::StoredColors;

  ColorBits came[kLinks], left[kLinks];  ///< left: the queue beyond the side
  std::uint8_t note[kLinks];
};

/// A note: bit 0 a control wavelet came, bit 1 a route has changed: bit 2 the queue beyond is
/// there, bits 3 to 7 the color.
struct Note {
  static constexpr unsigned kControl = 1, kRoute = 2, kOpen = 4;

  WEFT_HD static unsigned route(int color, bool open) {
    return kRoute | (open ? kOpen : 0U) | static_cast<unsigned>(color) << 3U;
  }
  WEFT_HD static int color(unsigned note) { return static_cast<int>(note >> 3U); }
};

enum class Pop : std::uint8_t { no_pop, always_pop, on_advance, on_advance_nop };

/// Switch of one color: ports open at each position, a bit each.
struct Switch {
  std::uint8_t rx[kMaxPositions], tx[kMaxPositions];
  std::uint8_t code[kMaxPositions];  ///< as named: direction, and 8 for an input
  std::uint8_t position, last, initial;
  Pop pop;
  std::uint8_t swaps;  ///< inputs at which a wavelet changes its color, a bit each
  bool ring;
  bool routed;
};

/// What a filter counts. Aligned, so that a GPU loads it at once.
struct alignas(16) FilterCounts {
  std::uint32_t let_in, refused;
  std::uint16_t loaded, left;  ///< the counter is base + loaded - left
  bool count_data, count_control, filter_control, has_limit2;
};

/// Filter of one color. The counter is not stored: `left` counts down to the next wavelet at which
/// the filter may change.
struct Filter : FilterCounts {
  enum class Kind : std::uint8_t { counter, sparse, range };

  std::uint32_t base, limit1, max_counter, limit2;  ///< range: ends in limit1 and max_counter
  std::uint32_t control_let_in;
  Kind kind;
};

/// A link, and the queues that it leads to: payloads of a queue are a ring of slots.
struct alignas(16) Link {
  std::uint32_t cell;   ///< the neighbour, or what stands for it; the PE itself: nothing is there
  std::uint32_t rings;  ///< the first word of its rings for what comes by this link
  Colors queues;        ///< that have a ring there, one after the other
  std::uint32_t none;
};

/// Rare, or constant.
template <class S>
struct Far {
  using Ports = typename S::Ports;

  Link link[kLinks];
  std::uint32_t rings;       ///< the first word of the own rings
  Ports ringed;              ///< that have one, in this order
  Ports control[S::kSlots];  ///< by slot: a control wavelet waits there
  Switch switches[S::kMost];
  Filter filter[S::kMost];
  std::uint8_t queue[S::kMost];  ///< of the ramp to the core
  Ports swapped;         ///< a wavelet changes its color: where the link leads to, or from the core
  Colors shared;         ///< colors that lead to a queue that another leads to as well
  std::uint8_t resting;  ///< links that may rest
};

/// State that nobody but its PE looks at, by PE. A thread of a GPU may have that of its own PEs
/// alone, one after the other.
template <class T>
struct OwnArray {
  T* first;
  std::uint32_t by_thread;  ///< 2^32 / threads, rounded up: of its thread, PE n is n / threads
  std::uint32_t by_pe;      ///< all bits, or none

  WEFT_HD static OwnArray of_all(T* first) { return {first, 0, ~0U}; }
  /// `threads`: of a block, in whole warps.
  WEFT_HD static OwnArray of_thread(T* first, std::uint32_t threads) {
    return {first, ~0U / threads + 1U, 0};
  }
  WEFT_HD T& operator[](std::uint32_t n) const {
    const auto of_thread = static_cast<std::uint32_t>(std::uint64_t{n} * by_thread >> 32U);
    return first[of_thread + (n & by_pe)];
  }
};

/// The arrays of a mesh's PEs, or of some of them: what cores reach. Words of which a PE has many
/// are interleaved, [patch][word][kPatch]: PEs of a patch that use the same one use neighbouring
/// ones, which are one cache line of a GPU.
struct CoreArrays {
  const Rules* rules;
  OwnArray<Core> core;
  OwnArray<FarCore> far_core;
  std::uint32_t* payload[2];          ///< on the ramp, by direction: [slot][PE]
  std::uint32_t *registers, *memory;  ///< interleaved

  /// A PE's first word of `count`; each next one is kPatch further.
  template <class N>
  WEFT_HD static std::uint32_t* interleaved(std::uint32_t* all, N n,
                                            std::type_identity_t<N> count) {
    return all + n / kPatch * count * kPatch + n % kPatch;
  }
  WEFT_HD std::uint32_t* memory_of(std::uint32_t n, const Rules& common) const {
    return interleaved<std::size_t>(memory, n, common.timing.memory_bytes / 4);
  }
  /// A PE's register 0 in `registers`. Numbers of 32 bits take fewer instructions than addresses.
  WEFT_HD static std::uint32_t first_register(std::uint32_t n) {
    return n / kPatch * (kRegisters * kPatch) + n % kPatch;
  }
  WEFT_HD std::uint32_t& reg(std::uint32_t n, int number) const {
    return registers[first_register(n) + static_cast<std::uint32_t>(number) * kPatch];
  }
};

/// Words of a PE's counts: rows of counts.hpp, then the cycles of instructions, phases, and windows
/// by series.
struct CountSizes {
  std::uint32_t instructions, phases, windows;     ///< the first of each
  std::uint32_t words;                             ///< of a PE
  std::uint32_t phase_count, windows_of_a_series;  ///< 0: there are none
};

/// The counts of a mesh's PEs, or of some of them.
struct CountArrays {
  std::uint32_t* words;        ///< interleaved
  const std::uint32_t* marks;  ///< phases of instructions, as model::Phases::mark
  std::uint32_t* first_mark;   ///< by PE: in `marks`, its program's, less its first instruction
  CountSizes sizes;
};

/// Arrays of PEs that count (counts.hpp).
struct CountingArrays : CoreArrays {
  CountArrays counts;
};

template <class S>
struct Arrays : std::conditional_t<S::kCounting, CountingArrays, CoreArrays> {
  OwnArray<Router<S>> router;
  Inbox<S>* inbox[2];  ///< by parity
  OwnArray<Far<S>> far;
  std::uint32_t* rings;  ///< by PE: [ring][slot], interleaved: each PE of a patch has its own bank
  HostPorts<S> host;
};

/// A PE, or what stands for a neighbour's, as neighbours see it: they may write its inbox and
/// rings.
template <class S>
struct Cell {
  const Arrays<S>* arrays;
  std::uint32_t n;

  WEFT_HD Inbox<S>& inbox(unsigned parity) const { return arrays->inbox[parity][n]; }
};

/// One PE: a number. What a step uses often is found once, as each time takes a GPU several
/// instructions; all else is looked up, so that a step needs few registers.
template <class S>
struct Pe : Cell<S> {
  const Rules* common;  ///< a GPU has them as constants
  Core* own_core;
  Far<S>* own_far;

  WEFT_HD const Rules& rules() const { return *common; }
  WEFT_HD Router<S>& router() const { return this->arrays->router[this->n]; }
  WEFT_HD Far<S>& far() const { return *own_far; }
  WEFT_HD Core& core() const { return *own_core; }
  WEFT_HD FarCore& far_core() const { return this->arrays->far_core[this->n]; }
  WEFT_HD Ramp& to_core() const { return core().ramp[0]; }
  WEFT_HD Ramp& to_router() const { return core().ramp[1]; }
  WEFT_HD RampMarks& marks_in() const { return core().marks[0]; }
  WEFT_HD RampMarks& marks_out() const { return core().marks[1]; }
  WEFT_HD const Link& link(int number) const { return far().link[number]; }
  WEFT_HD bool is_empty() const { return link(0).cell == kNoCell; }
  WEFT_HD bool has_beyond(int number) const { return link(number).cell != this->n; }
  WEFT_HD Cell<S> beyond(int number) const { return {this->arrays, link(number).cell}; }
};

/// What a step works on: a copy of the router in registers, or the router itself where these do not
/// hold a copy.
template <class S>
using RouterInStep = std::conditional_t<S::kCopiesRouter, Router<S>, Router<S>&>;

/// Around a call of a function that works on the stored router.
template <class S>
WEFT_HD void store_router(Pe<S> pe, const Router<S>& r) {
  if constexpr (S::kCopiesRouter) pe.router() = r;
}
template <class S>
WEFT_HD void reload_router(Pe<S> pe, Router<S>& r) {
  if constexpr (S::kCopiesRouter) r = pe.router();
}

template <class S>
WEFT_HD Pe<S> pe_of(const Rules& rules, const Arrays<S>& arrays, std::uint32_t n) {
  return {{&arrays, n}, &rules, &arrays.core[n], &arrays.far[n]};
}

/// In functions that are called.
template <class S>
WEFT_HD Pe<S> pe_of(Cell<S> cell) {
  return pe_of(*cell.arrays->rules, *cell.arrays, cell.n);
}

static_assert(std::is_trivially_copyable_v<Arrays<Shape<4, 2>>> &&
              std::is_trivially_copyable_v<Router<Shape<4, 2>>> &&
              std::is_trivially_copyable_v<Far<Shape<4, 2>>> &&
              std::is_trivially_copyable_v<FarCore>);

/// Wavelets counted in some PEs.
struct Totals {
  std::uint64_t wavelets, hops, delivered, filtered;
};

/// Of one PE and cycle, or of 63: a byte for each of Totals, and bits of Did.
struct Counted {
  std::uint32_t word, did;

  WEFT_HD void add(Counted more) {
    word += more.word;
    did |= more.did;
  }

  WEFT_HD void note(Did what) { did |= bits(what); }
  WEFT_HD void add_to(Totals& totals) const {
    totals.wavelets += word & 255U;
    totals.hops += word >> 8U & 255U;
    totals.delivered += word >> 16U & 255U;
    totals.filtered += word >> 24U;
  }
};
inline constexpr std::uint32_t kWavelet = 1, kHop = 1U << 8U, kDelivered = 1U << 16U,
                               kFiltered = 1U << 24U;

/// The first in turn: lowest (number xor turn). `has_bit`: the ones whose number has bit n.
template <std::size_t bits>
WEFT_HD int first_in_turn(const std::uint32_t (&has_bit)[bits], std::uint32_t among,
                          unsigned turn) {
  if ((among & (among - 1U)) == 0) return lowest(among);
  for (std::size_t n = bits; n-- > 0;) {
    const std::uint32_t better = among & ((turn >> n & 1U) != 0 ? has_bit[n] : ~has_bit[n]);
    if (better != 0) among = better;
  }
  return lowest(among);
}

/// The first color in turn.
template <class S>
WEFT_HD int first_color(const Rules& rules, Colors among, unsigned turn) {
  if constexpr (S::kMost == 4)
    return static_cast<int>(rules.first_color[turn] >> 2U * among & 3U);
  else
    return first_in_turn(rules.has_bit, among, turn);
}

/// The first ramp queue in turn: lowest (number xor turn mod 8).
WEFT_HD int first_queue(const Rules& rules, std::uint32_t among, unsigned turn) {
  const std::uint32_t first = rules.first_queues[turn % 8];
  for (unsigned bit = 3; bit-- > 0;) {
    const std::uint32_t better = among & first >> 8U * bit;
    if (better != 0) among = better;
  }
  return lowest(among);
}

/// The payload in a slot of an own queue, that of `one`.
template <class S>
WEFT_HD std::uint32_t& slot_of(Pe<S> pe, const typename S::Ports& one, unsigned slot) {
  const Far<S>& far = pe.far();
  return pe.arrays->rings[far.rings + (far.ringed.before(one) * S::kSlots + slot) * kPatch];
}

/// The same of a queue that a link leads to; `color` is a bit.
template <class S>
WEFT_HD std::uint32_t& slot_beyond(Pe<S> pe, const Link& link, Colors color, unsigned slot) {
  const auto ring = static_cast<unsigned>(count(link.queues & (color - 1U)));
  return pe.arrays->rings[link.rings + (ring * S::kSlots + slot) * kPatch];
}

}  // namespace weft::pe
