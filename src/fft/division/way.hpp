#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// A way to divide an array among PEs.
struct Way {
  bool (*takes)(const Shape3& shape, const FftOptions& options, const PeBytes& bytes);
  /// On the mesh that is asked for, or else on the largest. Given the mesh that it chose, it
  /// chooses the same. Throws Error(usage) for an invalid mesh.
  wsfft::Division (*choose)(const Shape3& shape, const FftOptions& options);
  /// A division of its own in words: how the array lies on the PEs, and the pencils of a PE.
  std::string (*describe)(const wsfft::Division& division, FftDirection direction);
  /// Numbers of PEs along x that may be taken in place of those of the largest mesh, where they are
  /// others than its half, a quarter and so on.
  std::vector<int> (*widths)(const wsfft::Division& largest) = nullptr;
};

/// Half a spectrum, padded.
extern const Way kReal;
/// Two axes on a mesh, folded over it.
extern const Way kFolded;
/// One long axis as two or three digits.
extern const Way kDigits;
/// Three or four axes on a mesh, two on a line, or one in a PE.
extern const Way kVolume;

/// The first of these that takes the arrays.
const Way& way_of(const Shape3& shape, const FftOptions& options, const PeBytes& bytes);

/// Why no array can have a shape, and what to do.
struct WrongShape {
  std::string why, remedy;
};

/// Of real arrays, for a shape that complex ones can have.
std::optional<WrongShape> wrong_for_real(const Shape3& shape);

}  // namespace weft::fft
