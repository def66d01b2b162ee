#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// Lines of PEs along the axes of the mesh, as several ways to divide an array take them.
namespace weft::fft {

/// Chosen: the longest line of PEs that a plan takes without being asked.
inline constexpr int kLongestLine = 1024;

/// Orders meshes: those with more PEs first (sign -1), or with fewer (1); of several the squarest.
inline std::pair<std::int64_t, int> by_pes(int sign, const FftMesh& mesh) {
  return {sign * std::int64_t{mesh.x} * mesh.y, std::max(mesh.x, mesh.y)};
}

/// PEs along an axis of the mesh, for one array and for all side by side.
struct Line {
  int one, all;
};

/// From n down to 1.
std::vector<int> divisors_of(int n);

/// Whether so many PEs, or 0 for any, can be an axis of the mesh of which one array takes up to
/// `most`.
bool takes_pes(int asked, int most, int batch);

/// The PEs that are asked for. `most`: that one array can take. Of a batch an array has the largest
/// number of them that divides the line. Throws Error(usage).
Line line_of(int asked, int most, int batch, const char* axis);

/// Throws Error(usage) where arrays side by side would each have half of the PEs of a line that one
/// can take, or fewer, because the line is no multiple of more, and places for others stay empty.
void check_shares(const Line& x, const Line& y, const std::array<int, 2>& most, int batch);

/// So many lines of arrays, the whole a power of two.
int side_by_side(int batch, int one);

/// Lines of arrays along y for a batch, with so many arrays along x.
int lines_down(int batch, int across, int most_y);

/// An array in one PE.
wsfft::Division in_a_pe(const Shape3& shape);

/// The most PEs along x and y that one array of a division can take.
std::array<int, 2> most_pes(const wsfft::Division& division);

wsfft::Division on_lines(wsfft::Division division, const Line& x, const Line& y);

/// On the mesh that is asked for, or on as many PEs as the arrays can take.
wsfft::Division on_lines(const wsfft::Division& division, const FftOptions& options);

/// The pencils that a PE transforms: "1 pencil of 64 numbers in a PE, then 1 of 64, then 1 of 64".
std::string pencils_text(const wsfft::Division& division, FftDirection direction);

}  // namespace weft::fft
