#pragma once

#include "pe/masks.hpp"

/// Small numbers as bit planes: plane k has bit k of a number for each (port, color), or for each
/// ramp queue. So all are counted at once.
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

/// Three planes of eight queues in a word.
struct QueuePlanes {
  static constexpr std::uint32_t kQueues = 0xffU, kOfOne = 0x010101U;

  std::uint32_t word;

  WEFT_HD void increment(std::uint32_t queues) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t carry = word & queues;
      word ^= queues;
      queues = carry << 8U;
    }
  }
  /// One more, or one less, of one queue: carries run through the bits of the others.
  WEFT_HD void increment_at(int queue) {
    const std::uint32_t own = kOfOne << queue;
    word = (word & ~own) | (((word | ~own) + (1U << queue)) & own);
  }
  WEFT_HD void decrement_at(int queue) {
    const std::uint32_t own = kOfOne << queue;
    word = (word & ~own) | (((word & own) - (1U << queue)) & own);
  }
  WEFT_HD std::uint32_t nonzero() const { return (word | word >> 8U | word >> 16U) & kQueues; }
  /// Queues whose number is that of `other`.
  WEFT_HD std::uint32_t equal(QueuePlanes other) const {
    const std::uint32_t same = ~(word ^ other.word);
    return same & same >> 8U & same >> 16U & kQueues;
  }
  WEFT_HD unsigned number(int queue) const { return sum(bits_of(queue)) & 7U; }
  /// The sum of two numbers of a queue.
  WEFT_HD unsigned sum_with(QueuePlanes other, int queue) const {
    return sum(bits_of(queue) + other.bits_of(queue)) & 15U;
  }
  /// A queue's bits, each the lowest of a byte; and their sum by weight, in the lowest bits.
  WEFT_HD std::uint32_t bits_of(int queue) const { return word >> queue & kOfOne; }
  WEFT_HD static unsigned sum(std::uint32_t bits) { return bits * 0x010204U >> 16U; }
  WEFT_HD static QueuePlanes of(int queue, unsigned number) {
    return {((number & 1U) | (number & 2U) << 7U | (number & 4U) << 14U) << queue};
  }
};

}  // namespace weft::pe
