#pragma once

#include <array>

#include "fft/wsfft/transpose.hpp"

/// The levels of an exchange by halves (halves.cpp), of p PEs, a power of two.
namespace weft::wsfft {

/// Chosen: 24 colors are two for each of six levels of both axes.
inline constexpr int kLongestByHalves = 64;

/// Whether an exchange by halves can be among so many PEs.
bool has_halves(int p);

/// On level 0 the two halves of the line exchange their messages, on level 1 the halves of each
/// half, and so on, down to neighbours.
struct Level {
  int number;
  int half;      ///< PEs of a half
  bool filters;  ///< else messages go to one receiver at a time
  int in_queue, out_queue;
  std::array<int, 2> colors;  ///< to higher places, to lower ones
};

int levels_of(int p);
int filters_of_halves(int p);  ///< of a PE, along one axis
Level level_of(Axis axis, int p, int number);

}  // namespace weft::wsfft
