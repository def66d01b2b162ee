#pragma once

#include <cstdint>

#include "model/inline.hpp"

/// Lanes: the PEs of a strip, which step together. Control is bits, a Mask with one bit per PE;
/// data is lane vectors, with one word per PE (lane_vectors.hpp, loops.hpp).
namespace weft::model {

/// A strip is some rows of some PEs. Its lanes are numbered column by column, from the north-west:
/// in a row transpose the PEs of a column do the same in the same cycle, and so share cache lines.
inline constexpr int kStripWidth = 16, kStripHeight = 4;
inline constexpr int kLanes = kStripWidth * kStripHeight;

/// Strips of a mesh: those at its east and south edges may have lanes without PEs.
WEFT_INLINE constexpr int strips_across(int width) {
  return (width + kStripWidth - 1) / kStripWidth;
}
WEFT_INLINE constexpr int strips_down(int height) {
  return (height + kStripHeight - 1) / kStripHeight;
}

/// One bit per PE of a strip, lane 0 lowest.
using Mask = std::uint64_t;
inline constexpr Mask kAllLanes = ~Mask{0};

WEFT_INLINE Mask lane_bit(int lane) { return Mask{1} << lane; }
WEFT_INLINE bool has(Mask mask, int lane) { return (mask >> lane & 1U) != 0; }
WEFT_INLINE int lowest(Mask mask) { return __builtin_ctzll(mask); }
WEFT_INLINE int lowest(std::uint32_t bits) { return __builtin_ctz(bits); }
WEFT_INLINE int highest(Mask mask) { return 63 - __builtin_clzll(mask); }
WEFT_INLINE int count(Mask mask) { return __builtin_popcountll(mask); }

/// So few lanes are done one by one where a vector instruction would do all of them. Chosen:
/// streams of PEs that begin apart were fastest with 4 to 8.
WEFT_INLINE bool few(Mask mask) { return count(mask) < 6; }
/// Lanes that do the same are looked for until so many sets of them are few; these and the others
/// go one by one. Chosen: after two, most lanes of streams to four sides did.
constexpr int kMostFew = 4;

/// The lanes that a write to some lanes may change: all, where that is quicker and no other lane
/// keeps a word there. AVX-512 writes some as quickly.
WEFT_INLINE Mask widened(Mask lanes, [[maybe_unused]] Mask kept) {
#if !defined(__AVX512F__)
  if ((kept & ~lanes) == 0) return kAllLanes;
#endif
  return lanes;
}

/// Whether one bit is set.
WEFT_INLINE bool single(std::uint32_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

/// Bit p of the result is bit (p xor turn) of `bits`, turn from 0 to 31. The bits in this order are
/// a priority that changes every cycle and treats any two of them alike.
WEFT_INLINE std::uint32_t in_turn(std::uint32_t bits, unsigned turn) {
  const auto swap = [&](unsigned distance, std::uint32_t low) {
    if ((turn & distance) != 0) bits = (bits >> distance & low) | (bits & low) << distance;
  };
  swap(1, 0x55555555U);
  swap(2, 0x33333333U);
  swap(4, 0x0f0f0f0fU);
  swap(8, 0x00ff00ffU);
  swap(16, 0x0000ffffU);
  return bits;
}

/// A lane vector in memory: one word per PE of a strip.
struct alignas(64) Vector {
  std::uint32_t at[kLanes];
};

}  // namespace weft::model
