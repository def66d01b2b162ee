#pragma once

#include "model/lanes/digits.hpp"
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

/// Whether any lane has one of these eight digits.
WEFT_INLINE bool any_digit(const Mask* digit) {
  Mask any = 0;
  for (int k = 0; k < 8; ++k) any |= digit[k];
  return any != 0;
}

/// The digits from 8 on are added to numbers.
static_assert(kDigits == 16);
WEFT_INLINE void add_high(const Tally& t, std::uint32_t* to) {
  if (!any_digit(t.digit + 8)) return;
  const LaneBytes high = bytes_of(t.digit + 8);
  for (int i = 0; i < kLanes; ++i) to[i] += static_cast<std::uint32_t>(high.at[i]) << 8U;
}

/// The numbers are added to others.
WEFT_INLINE void add_numbers(const Tally& t, std::uint32_t* to) {
  const LaneBytes low = bytes_of(t.digit);
  for (int i = 0; i < kLanes; ++i) to[i] += low.at[i];
  add_high(t, to);
}

/// Takes the numbers out. Returns whether there are any.
WEFT_INLINE bool take(Tally& t, Vector& numbers) {
  if (!any_digit(t.digit) && !any_digit(t.digit + 8)) return false;
  const LaneBytes low = bytes_of(t.digit);
  for (int i = 0; i < kLanes; ++i) numbers.at[i] = low.at[i];
  add_high(t, numbers.at);
  t = {};
  return true;
}

WEFT_INLINE Tally& of(StripCounts& s, Count count) { return s.tally[static_cast<int>(count)]; }

}  // namespace weft::counting
