#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// S3DFT on pencils (Malapally et al.; docs/algorithms.md): how an array lies on the mesh, and
/// which blocks go round which ring.
namespace weft::s3dft {

using wsfft::Axis;
using wsfft::Division;

/// A transform of an array of n0 x n1 x n2 numbers. Axis 2 is divided among the px PEs of a row and
/// axis 1 among the py PEs of a column, both in the order of folded rings; axis 0 is whole in each
/// PE, which has n2 / px times n1 / py pencils along it.
struct Transform {
  Division division;
  FftPrecision precision;
  FftDirection direction;
  std::array<float, 4> scale;  ///< after the sums along each axis
  S3dftForm form = S3dftForm::held;
  /// PEs of the rings, and so the blocks that meet in a stage: px and py, or fewer where a few
  /// blocks tell the cycles of all.
  std::array<int, 2> ring{};

  bool halves() const { return precision == FftPrecision::fp16; }
  int part_bytes() const { return halves() ? 2 : 4; }  ///< of a real or imaginary part
};

/// With rings of all PEs.
Transform transform_of(const Division& division, FftPrecision precision, FftDirection direction,
                       FftNorm norm, S3dftForm form);

/// A stage sums over one axis of the array, while blocks go round the rings of one axis of the
/// mesh: of the array, or, in the last stage, of the matrix.
struct Stage {
  int summed;
  Axis ring;
  bool rolls_array() const { return summed != 0; }
};

/// In order. The last one goes round the longer rings, in which a PE has fewer rows of the matrix.
std::array<Stage, 3> stages_of(const Division& division);

/// Of each PE.
inline int numbers_along_x(const Division& d) { return d.sides[2] / d.px; }
inline int numbers_along_y(const Division& d) { return d.sides[1] / d.py; }
inline int pencils_of(const Division& d) { return numbers_along_x(d) * numbers_along_y(d); }
inline std::int64_t numbers_of(const Division& d) {
  return std::int64_t{d.sides[0]} * pencils_of(d);
}

/// The rows of the matrix along axis 0 that start in the PE at a place of the ring, if p PEs share
/// them: the first of them have one more where p does not divide n0.
struct MatrixRows {
  int first, count;
};
MatrixRows rows_of(int n0, int place, int p);
/// The most that a PE has.
inline int most_rows(int n0, int p) { return (n0 + p - 1) / p; }

/// The words that a PE sends in one step of a stage.
int words_of_step(const Transform& t, const Stage& stage);

}  // namespace weft::s3dft
