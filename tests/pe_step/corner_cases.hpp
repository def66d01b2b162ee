#pragma once

#include <array>

#include "differential/case.hpp"

/// Cases of few PEs, for what random ones hardly reach, and the means to write them.
namespace weft::test {

inline constexpr int kAlong = 3, kDown = 12;          ///< colors
inline constexpr std::int32_t kMostElements = 65535;  ///< of a vector

void put(Program& p, Op op, int d = 0, int a = 0, int b = 0, std::int32_t imm = 0);

/// Sends register 1.
void send_one(Program& p, int color, bool control);

/// The middle of 3 x 3 PEs hears one color from the west and the east, the other from the north and
/// the south, all in a cycle that `delay` moves. `busy`: its core computes meanwhile.
Case crossing(int delay, bool busy = false);

/// A PE sends to its neighbour, which opens and closes the route from there in turn, a write a
/// cycle (by the bits of `writes`), and sends control wavelets the other way.
Case shutter(unsigned writes, int delay);

/// A stream through a row. Links would rest, every other cycle, if there were more wavelets.
Case long_row(int width, int words);

/// In a row of 12 PEs, wavelets are stuck at the second. Later the last one's filter refuses a
/// wavelet, after which nothing is to do.
Case stuck_before_the_end();

/// An addition of a word, whose operands are at these byte addresses: destination, first source,
/// second source. `received`: the source that comes by the fabric instead; 0: none.
Case addition(const std::array<std::int32_t, 3>& at, std::size_t received);

/// Two PEs, the first of which computes for long and then sends; links rest in a crowd.
Case long_vector();

}  // namespace weft::test
