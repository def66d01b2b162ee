#pragma once

#include "model/lanes/loops.hpp"
#include "model/state/counts_state.hpp"

/// Arithmetic of tallies.
namespace weft::counting {

using namespace model;

/// One more in these lanes.
WEFT_INLINE void add(Tally& t, Mask lanes) {
  for (int k = 0; lanes != 0; ++k) {
    const Mask carry = t.digit[k] & lanes;
    t.digit[k] ^= lanes;
    lanes = carry;
  }
}

/// So many more.
WEFT_INLINE void add(Tally& t, Mask lanes, std::uint32_t n) {
  for (int k = 0; n >> k != 0; ++k) {
    Mask rest = (n >> k & 1U) != 0 ? lanes : 0;
    for (int digit = k; rest != 0; ++digit) {
      const Mask carry = t.digit[digit] & rest;
      t.digit[digit] ^= rest;
      rest = carry;
    }
  }
}

/// Takes the numbers out. Returns whether there are any.
WEFT_INLINE bool take(Tally& t, Vector& numbers) {
  Mask any = 0;
  for (const Mask digit : t.digit) any |= digit;
  if (any == 0) return false;
  for (std::uint32_t& number : numbers.at) number = 0;
  for (int k = 0; k < kDigits; ++k) {
    const Mask one = t.digit[k];
    if (one == 0) continue;
    t.digit[k] = 0;
    for (int i = 0; i < kLanes; ++i)
      numbers.at[i] += static_cast<std::uint32_t>(one >> i & 1U) << k;
  }
  return true;
}

WEFT_INLINE Tally& of(StripCounts& s, Count count) { return s.tally[static_cast<int>(count)]; }

}  // namespace weft::counting
