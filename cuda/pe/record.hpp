#pragma once

#include "pe/masks.hpp"

/// What a PE tells a neighbour in another tile after each cycle, in one word: so it is there at
/// once, and its turn tells that it is new. A changed route, which is rare, stands in a word of its
/// own (Edges::notes).
namespace weft::pe_kernel {

struct Record {
  std::uint64_t word;

  static constexpr unsigned kLeft = 32, kCame = 56, kControl = 61, kNote = 62, kTurn = 63;
  static constexpr std::uint64_t kNothing = ~(std::uint64_t{1} << kTurn);  ///< bits but the turn

  /// A wavelet that came: `color` there.
  WEFT_HD static Record wavelet(std::uint32_t payload, int color, bool control) {
    return {payload | static_cast<std::uint64_t>(color + 1) << kCame |
            static_cast<std::uint64_t>(control) << kControl};
  }
  /// `left`: colors of which a wavelet left the queue that the neighbour leads to.
  WEFT_HD void add_left(pe::Colors left) { word |= static_cast<std::uint64_t>(left) << kLeft; }
  WEFT_HD void add_note() { word |= std::uint64_t{1} << kNote; }
  WEFT_HD void set_turn(unsigned turn) { word |= static_cast<std::uint64_t>(turn) << kTurn; }

  WEFT_HD bool nothing() const { return (word & kNothing) == 0; }
  WEFT_HD unsigned turn() const { return static_cast<unsigned>(word >> kTurn); }
  WEFT_HD std::uint32_t payload() const { return static_cast<std::uint32_t>(word); }
  WEFT_HD pe::Colors left() const { return static_cast<pe::Colors>(word >> kLeft) & 0xffffffU; }
  /// -1: none came.
  WEFT_HD int color() const { return static_cast<int>(word >> kCame & 31U) - 1; }
  WEFT_HD bool control() const { return (word >> kControl & 1U) != 0; }
  WEFT_HD bool note() const { return (word >> kNote & 1U) != 0; }
};

/// Records and notes go by the number of stepped cycles, which has no gaps: two of each, in turn.
struct Stepped {
  std::uint64_t count;

  WEFT_HD unsigned parity() const { return static_cast<unsigned>(count % 2); }
  WEFT_HD unsigned turn() const { return static_cast<unsigned>(count / 2 % 2); }
};
/// Of the first cycle. Records are 0 before it, of turn 0; the first ones have turn 1.
inline constexpr std::uint64_t kFirstStepped = 2;

}  // namespace weft::pe_kernel
