#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/transpose.hpp"

/// Butterflies between the PEs of a line (butterflies.cpp), which stand in for a transpose and the
/// pencils after it: an axis of p numbers lies on p PEs, and stays there.
namespace weft::wsfft {

/// Chosen: 24 colors are two for each of six levels of both axes.
inline constexpr int kLongestByButterflies = 64;

/// Whether each PE has one pencil of complex numbers, and lines are short enough.
bool has_butterflies(const Division& division);

/// The factor of a level, of `levels` that together multiply by `scale`.
float level_scale(float scale, int levels);

/// The table of roots of unity of a PE: p / 2 numbers, encoded, times the factor of a level.
std::vector<std::uint32_t> butterfly_roots(Numbers numbers, int p, FftDirection direction,
                                           float scale);

}  // namespace weft::wsfft
