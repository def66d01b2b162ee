#pragma once

#include "pe/masks.hpp"

/// Small numbers, of which all are counted at once: of each (port, color) as bit planes, plane k
/// having bit k of them, of ramp queues side by side.
namespace weft::pe {

template <int planes, class Ports>
struct Planes {
  Ports plane[planes];

  /// One more where `where` is.
  WEFT_HD void increment(Ports where) {
    for (Ports& p : plane) {
      const Ports carry = p & where;
      p = p ^ where;
      where = carry;
    }
  }
  WEFT_HD void decrement(Ports where) {
    for (Ports& p : plane) {
      const Ports borrow = where & ~p;
      p = p ^ where;
      where = borrow;
    }
  }
  WEFT_HD Ports nonzero() const {
    Ports any = plane[0];
    for (int k = 1; k < planes; ++k) any = any | plane[k];
    return any;
  }
  WEFT_HD Ports equal(unsigned number) const {
    Ports same = (number & 1U) != 0 ? plane[0] : ~plane[0];
    for (int k = 1; k < planes; ++k) same = same & ((number >> k & 1U) != 0 ? plane[k] : ~plane[k]);
    return same;
  }
  /// Where no number is higher, the same in fewer instructions.
  WEFT_HD Ports reaches(unsigned number) const {
    if (planes == 2) return number == 1 ? plane[0] : plane[1];
    Ports same = (number & 1U) != 0 ? plane[0] : ~Ports{};
    for (int k = 1; k < planes; ++k)
      if ((number >> k & 1U) != 0) same = same & plane[k];
    return same;
  }
  /// Of one (port, color).
  WEFT_HD unsigned number(const Ports& one) const {
    unsigned n = 0;
    for (int k = 0; k < planes; ++k) n |= ((plane[k] & one).any() ? 1U : 0U) << k;
    return n;
  }
};

/// Numbers modulo 8 of eight queues: a nibble each, whose highest bit is 0.
struct QueueNumbers {
  static constexpr std::uint32_t kBits = 0x77777777U;

  std::uint32_t word;

  WEFT_HD void increment_at(int queue) { word = (word + (1U << 4 * queue)) & kBits; }
  WEFT_HD unsigned number(int queue) const { return word >> 4 * queue & 7U; }
  /// How many more than in `before`.
  WEFT_HD unsigned since(QueueNumbers before, int queue) const {
    return ((word >> 4 * queue) - (before.word >> 4 * queue)) & 7U;
  }
};

}  // namespace weft::pe
