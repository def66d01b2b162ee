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

/// The number of a lane.
WEFT_INLINE std::uint32_t number_in(const Tally& t, int lane) {
  std::uint32_t n = 0;
  for (int k = 0; k < kDigits; ++k) n += static_cast<std::uint32_t>(t.digit[k] >> lane & 1U) << k;
  return n;
}

/// The numbers are added to others.
WEFT_INLINE void add_numbers(const Tally& t, std::uint32_t* to) {
  for (int k = 0; k < kDigits; ++k) {
    const Mask one = t.digit[k];
    if (one == 0) continue;
    for (int i = 0; i < kLanes; ++i) to[i] += static_cast<std::uint32_t>(one >> i & 1U) << k;
  }
}

/// Takes the numbers out. Returns whether there are any.
WEFT_INLINE bool take(Tally& t, Vector& numbers) {
  Mask any = 0;
  for (const Mask digit : t.digit) any |= digit;
  if (any == 0) return false;
  for (std::uint32_t& number : numbers.at) number = 0;
  add_numbers(t, numbers.at);
  t = {};
  return true;
}

WEFT_INLINE Tally& of(StripCounts& s, Count count) { return s.tally[static_cast<int>(count)]; }

}  // namespace weft::counting
