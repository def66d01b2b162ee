#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "model/neighbours.hpp"

namespace weft::model {

/// Lane primitives on a CPU: loops that the compiler turns into vector instructions, or these by
/// hand. All work in place on lane vectors in memory, and change only the lanes of their mask.
struct HostLanes {
  /// A word per lane, for the time of a function.
  struct Words : Vector {
    WEFT_HD std::uint32_t& operator[](int lane) { return at[lane]; }
    WEFT_HD std::uint32_t operator[](int lane) const { return at[lane]; }
  };

  using Shape = Block;

  /// Whether lanes are on lines of their own (View::bundle).
  static constexpr bool kByLine = false;

  /// Whether each instruction's executor is compiled for its function alone (fast where loops
  /// become vector instructions), or for all together (small).
  static constexpr bool kExecutorPerInstruction = true;

  /// Whether strips of a row are stepped one after the other, by one thread that keeps row wakes.
  static constexpr bool kRowWakes = true;

  /// Whether some of the state may be elsewhere (View::near_words, near_strips, near_colors).
  static constexpr bool kFarMemory = false;

  /// f(), once for the strip; the result goes to all lanes.
  template <class F>
  WEFT_HD static auto once(F f) {
    return f();
  }

  /// f(lane) for each lane of the mask, one after the other, lowest first.
  template <class F>
  WEFT_HD static void for_each(Mask mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(lowest(mask));
  }

  /// As for_each. Returns the lanes in which f(lane) is true.
  template <class F>
  WEFT_HD static Mask sift(Mask mask, F f) {
    Mask found = 0;
    for (; mask != 0; mask &= mask - 1) found |= static_cast<Mask>(f(lowest(mask))) << lowest(mask);
    return found;
  }

  /// f(lane) for each lane of the mask, in any order or at the same time.
  template <class F>
  WEFT_HD static void at_once(Mask mask, F f) {
    for_each(mask, f);
  }

  /// The lanes of the mask in which p(lane), asked in any order or at the same time.
  template <class P>
  WEFT_HD static Mask where(Mask mask, P p) {
    return sift(mask, p);
  }

  /// N flags of each lane.
  template <int N>
  struct Flags {
    Mask by_flag[N] = {};
    /// The lanes that have flag k. To be asked by all lanes: not in a function given to a
    /// primitive.
    WEFT_HD Mask of(int k) const { return by_flag[k]; }
  };

  /// As at_once, where f(lane) returns the lane's flags, flag k as bit k.
  template <int N, class F>
  WEFT_HD static Flags<N> flags(Mask mask, F f) {
    Flags<N> flags;
    for (; mask != 0; mask &= mask - 1)
      for (std::uint32_t bits = f(lowest(mask)); bits != 0; bits &= bits - 1)
        flags.by_flag[lowest(bits)] |= lane_bit(lowest(mask));
    return flags;
  }

  /// As flags, but for the lanes of `in_turn`: one after the other, lowest first.
  template <int N, class F>
  WEFT_HD static Flags<N> flags_in_turn(Mask mask, Mask /*in_turn*/, F f) {
    return flags<N>(mask, f);
  }

  /// f(k) for each bit k < N that is set, lowest first. (Where arrays should stay in registers, k
  /// is a constant.)
  template <int N, class F>
  WEFT_HD static void bits(std::uint32_t set, F f) {
    for (; set != 0; set &= set - 1) f(lowest(set));
  }

  /// What lanes have written to their own words is there for the others, until the next meeting.
  WEFT_HD static void meet() {}

  /// One lane's word, for all.
  WEFT_HD static std::uint32_t pick(const std::uint32_t* a, int lane) { return a[lane]; }

  /// d = f(d, a, b).
  template <class F>
  WEFT_HD static void map(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                          const std::uint32_t* b, F f) {
    if (mask == kAllLanes) {
#pragma GCC ivdep
      for (int i = 0; i < kLanes; ++i) d[i] = f(d[i], a[i], b[i]);
    } else if ((mask & (mask - 1)) == 0) {
      const int i = lowest(mask);
      d[i] = f(d[i], a[i], b[i]);
    } else {
      for (int i = 0; i < kLanes; i += kPart) map_part(part(mask, i), d + i, a + i, b + i, f);
    }
  }

  /// n times d = f(d, a, b), each operand a stride (in lane vectors) further on.
  template <class F>
  WEFT_HD static void sweep(Mask mask, std::uint32_t n, std::uint32_t* d, std::int32_t d_stride,
                            const std::uint32_t* a, std::int32_t a_stride, const std::uint32_t* b,
                            std::int32_t b_stride, F f) {
    const std::ptrdiff_t d_step = std::ptrdiff_t{d_stride} * kLanes,
                         a_step = std::ptrdiff_t{a_stride} * kLanes,
                         b_step = std::ptrdiff_t{b_stride} * kLanes;
    if ((mask & (mask - 1)) == 0) {
      const int lane = lowest(mask);
      d += lane, a += lane, b += lane;
      for (; n != 0; --n, d += d_step, a += a_step, b += b_step) *d = f(*d, *a, *b);
      return;
    }
    for (; n != 0; --n, d += d_step, a += a_step, b += b_step) map(mask, d, a, b, f);
  }

  /// d = a. Only words of the mask's lanes are read.
  WEFT_HD static void copy(Mask mask, std::uint32_t* d, const std::uint32_t* a) {
#if defined(__AVX512F__)
    for (int i = 0; i < kLanes; i += kPart)
      if (part(mask, i) != 0) put(d + i, _mm512_maskz_loadu_epi32(part(mask, i), a + i), mask, i);
#elif defined(__AVX2__)
    for (int i = 0; i < kLanes; i += 8) {
      const auto* from = reinterpret_cast<const int*>(a + i);
      put(d + i, _mm256_maskload_epi32(from, chosen(mask, i)), mask, i);
    }
#else
    if ((mask & (mask - 1)) == 0) {
      if (mask != 0) d[lowest(mask)] = a[lowest(mask)];
      return;
    }
    for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? a[i] : d[i];
#endif
  }

  WEFT_HD static void fill(Mask mask, std::uint32_t* d, std::uint32_t value) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
    for (int i = 0; i < kLanes; i += kPart)
      if (part(mask, i) != 0) put(d + i, all, mask, i);
#elif defined(__AVX2__)
    for (int i = 0; i < kLanes; i += 8)
      put(d + i, _mm256_set1_epi32(static_cast<int>(value)), mask, i);
#else
    if ((mask & (mask - 1)) == 0) {
      if (mask != 0) d[lowest(mask)] = value;
      return;
    }
    for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
#endif
  }

  WEFT_HD static void fill(Mask mask, std::uint64_t* d, std::uint64_t value) {
    for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
  }

  /// Each lane takes the word of its neighbour on that side: in `own`, or, on the edge, in that of
  /// the strip beyond.
  template <Port side, class Shape>
  WEFT_HD static void copy_from(Mask mask, std::uint32_t* d, const std::uint32_t* own,
                                const std::uint32_t* beyond) {
    using Side = To<side, Shape>;
    copy(mask & ~Side::kEdge, d, own + Side::kInside);
    const Mask edge = mask & Side::kEdge;
    if (edge != 0) copy(edge, d, beyond + Side::kBeyond);
  }

  /// The word will be needed soon.
  WEFT_HD static void prefetch(const std::uint32_t* word) { __builtin_prefetch(word); }

  /// Stores what another strip's owner will read after the next phase edge; all writers of a phase
  /// store the same value.
  WEFT_HD static void publish(std::uint64_t& at, std::uint64_t value) {
    __atomic_store_n(&at, value, __ATOMIC_RELAXED);
  }

  /// The lanes of the mask in which a[i] = value.
  WEFT_HD static Mask equal(Mask mask, const std::uint32_t* a, std::uint32_t value) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
    Mask found = 0;
    for_parts<16>(mask, [&](int i) {
      const __m512i words = _mm512_loadu_si512(a + i);
      found |= static_cast<Mask>(_mm512_mask_cmpeq_epi32_mask(part(mask, i), words, all)) << i;
    });
    return found;
#elif defined(__AVX2__)
    const __m256i all = _mm256_set1_epi32(static_cast<int>(value));
    Mask found = 0;
    for_parts<8>(mask,
                 [&](int i) { found |= bits_of(_mm256_cmpeq_epi32(eight(a + i), all)) << i; });
    return found & mask;
#else
    return where(mask, [=](int i) { return a[i] == value; });
#endif
  }

  WEFT_HD static Mask equal(Mask mask, const std::uint8_t* a, std::uint8_t value) {
#if defined(__AVX2__)
    const __m256i all = _mm256_set1_epi8(static_cast<char>(value));
    Mask found = 0;
    for (int i = 0; i < kLanes; i += 32) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
      const int equal = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, all));
      found |= static_cast<Mask>(static_cast<std::uint32_t>(equal)) << i;
    }
    return found & mask;
#else
    return where(mask, [=](int i) { return a[i] == value; });
#endif
  }

  /// The lanes of the mask whose cycle has come.
  WEFT_HD static Mask due(Mask mask, const std::uint64_t* cycle, std::uint64_t now) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(now));
    Mask found = 0;
    for_parts<8>(mask, [&](int i) {
      const __m512i eight = _mm512_loadu_si512(cycle + i);
      found |= static_cast<Mask>(_mm512_cmple_epu64_mask(eight, all)) << i;
    });
    return found & mask;
#elif defined(__AVX2__)
    // Compared as signed numbers: both with the top bit turned.
    const __m256i top = _mm256_set1_epi64x(INT64_MIN);
    const __m256i all = _mm256_xor_si256(_mm256_set1_epi64x(static_cast<long long>(now)), top);
    Mask later = 0;
    for_parts<4>(mask, [&](int i) {
      const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cycle + i));
      const __m256i above = _mm256_cmpgt_epi64(_mm256_xor_si256(four, top), all);
      later |= static_cast<Mask>(_mm256_movemask_pd(_mm256_castsi256_pd(above))) << i;
    });
    return mask & ~later;
#else
    return where(mask, [=](int i) { return cycle[i] <= now; });
#endif
  }

  /// The least cycle of the mask's lanes; the largest number if there is none.
  WEFT_HD static std::uint64_t least(Mask mask, const std::uint64_t* cycle) {
#if defined(__AVX512F__)
    __m512i all = _mm512_set1_epi64(-1);
    for_parts<8>(mask, [&](int i) {
      all = _mm512_mask_min_epu64(all, static_cast<__mmask8>(mask >> i), all,
                                  _mm512_loadu_si512(cycle + i));
    });
    alignas(64) std::uint64_t eight[8];
    _mm512_store_si512(eight, all);
    std::uint64_t least = eight[0];
    for (int i = 1; i < 8; ++i) least = eight[i] < least ? eight[i] : least;
    return least;
#else
    std::uint64_t least = ~std::uint64_t{0};
    for_each(mask, [&](int lane) { least = cycle[lane] < least ? cycle[lane] : least; });
    return least;
#endif
  }

  /// So many further in the lanes of the mask, from limit to 0, to which they come once at most.
  /// Returns the lanes, of all, that are at most at `most` then.
  WEFT_HD static Mask count_on(Mask mask, std::uint32_t* counter, const std::uint32_t* limit,
                               const std::uint32_t* most, std::uint32_t by = 1) {
#if defined(__AVX512F__)
    Mask within = 0;
    for (int i = 0; i < kLanes; i += kPart) {
      const __m512i old = _mm512_loadu_si512(counter + i);
      const __m512i left = _mm512_sub_epi32(_mm512_loadu_si512(limit + i), old);
      const __m512i steps = _mm512_set1_epi32(static_cast<int>(by));
      const __m512i over = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(by - 1)), left);
      const __m512i next = _mm512_mask_mov_epi32(_mm512_add_epi32(old, steps),
                                                 _mm512_cmplt_epu32_mask(left, steps), over);
      const __m512i now = _mm512_mask_mov_epi32(old, part(mask, i), next);
      _mm512_storeu_si512(counter + i, now);
      const __mmask16 in = _mm512_cmple_epu32_mask(now, _mm512_loadu_si512(most + i));
      within |= static_cast<Mask>(in) << i;
    }
    return within;
#elif defined(__AVX2__)
    Mask within = 0;
    for (int i = 0; i < kLanes; i += 8) {
      const __m256i old = eight(counter + i);
      const __m256i left = _mm256_sub_epi32(eight(limit + i), old);
      const __m256i most_left = _mm256_set1_epi32(static_cast<int>(by - 1));
      const __m256i wraps = _mm256_cmpeq_epi32(_mm256_min_epu32(left, most_left), left);
      const __m256i up = _mm256_add_epi32(old, _mm256_set1_epi32(static_cast<int>(by)));
      put(counter + i, _mm256_blendv_epi8(up, _mm256_sub_epi32(most_left, left), wraps), mask, i);
      const __m256i now = eight(counter + i);
      within |= bits_of(_mm256_cmpeq_epi32(_mm256_min_epu32(now, eight(most + i)), now)) << i;
    }
    return within;
#else
    map(mask, counter, limit, limit, [=](std::uint32_t d, std::uint32_t l, std::uint32_t) {
      return l - d < by ? by - 1 - (l - d) : d + by;
    });
    return where(kAllLanes, [=](int i) { return counter[i] <= most[i]; });
#endif
  }

 private:
  /// Lanes that a loop does together where masks are not whole: one AVX-512 register.
  static constexpr int kPart = 16;

  WEFT_HD static std::uint16_t part(Mask mask, int first) {
    return static_cast<std::uint16_t>(mask >> first);
  }

  /// f(i) for each i, a multiple of N, of which one of the lanes i to i + N - 1 is in the mask: the
  /// others' words are left alone, as they are mostly in no near cache.
  template <int N, class F>
  WEFT_HD static void for_parts(Mask mask, F f) {
    if (mask == kAllLanes) {
      for (int i = 0; i < kLanes; i += N) f(i);
      return;
    }
    constexpr Mask kOne = (Mask{1} << N) - 1;
    while (mask != 0) {
      const int i = lowest(mask) & ~(N - 1);
      f(i);
      mask &= ~(kOne << i);
    }
  }

  template <class F>
  WEFT_HD static void map_part(std::uint16_t mask, std::uint32_t* d, const std::uint32_t* a,
                               const std::uint32_t* b, F f) {
    if (mask == 0xffffU) {
#pragma GCC ivdep
      for (int i = 0; i < kPart; ++i) d[i] = f(d[i], a[i], b[i]);
    } else if (mask != 0) {
#pragma GCC ivdep
      for (int i = 0; i < kPart; ++i) {
        const std::uint32_t value = f(d[i], a[i], b[i]);
        d[i] = (mask >> i & 1U) != 0 ? value : d[i];
      }
    }
  }

#if defined(__AVX512F__)
  /// Sixteen words, of lanes i to i + 15, into those that the mask has.
  WEFT_HD static void put(std::uint32_t* d, __m512i value, Mask mask, int i) {
    _mm512_mask_storeu_epi32(d, part(mask, i), value);
  }
#elif defined(__AVX2__)
  WEFT_HD static __m256i eight(const std::uint32_t* a) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
  }

  /// Eight words, of lanes i to i + 7, whose top bits are those of the mask.
  WEFT_HD static __m256i chosen(Mask mask, int i) {
    const __m256i to_top = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24);
    return _mm256_sllv_epi32(_mm256_set1_epi32(static_cast<int>(mask >> i)), to_top);
  }

  /// Eight words, of lanes i to i + 7, into those that the mask has.
  WEFT_HD static void put(std::uint32_t* d, __m256i value, Mask mask, int i) {
    const __m256 mixed = _mm256_blendv_ps(_mm256_castsi256_ps(eight(d)), _mm256_castsi256_ps(value),
                                          _mm256_castsi256_ps(chosen(mask, i)));
    _mm256_storeu_ps(reinterpret_cast<float*>(d), mixed);
  }

  /// A bit for each of eight words that are all ones (others are 0).
  WEFT_HD static Mask bits_of(__m256i words) {
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(words)));
  }
#endif
};

/// The same for bundles of lines.
struct HostLineLanes : HostLanes {
  using Shape = Abreast;
  static constexpr bool kByLine = true;
};

}  // namespace weft::model
