#include "fft/s3dft/blocks.hpp"

#include <algorithm>

#include "fft/emulation.hpp"

namespace weft::s3dft {

Transform transform_of(const Division& division, FftPrecision precision, FftDirection direction,
                       FftNorm norm, S3dftForm form) {
  return {division,  precision,
          direction, fft::superstep_scales(division, norm, direction),
          form,      {division.px, division.py}};
}

std::array<Stage, 3> stages_of(const Division& division) {
  return {{{2, Axis::row},
           {1, Axis::column},
           {0, division.px >= division.py ? Axis::row : Axis::column}}};
}

MatrixRows rows_of(int n0, int place, int p) {
  const int each = n0 / p, more = n0 % p;
  return {(place * each + std::min(place, more)) % n0, each + (place < more ? 1 : 0)};
}

int words_of_step(const Transform& t, const Stage& stage) {
  const Division& d = t.division;
  const std::int64_t numbers =
      stage.rolls_array() ? numbers_of(d)
                          : std::int64_t{most_rows(d.sides[0], d.along(stage.ring))} * d.sides[0];
  return static_cast<int>(numbers * 2 * t.part_bytes() / 4);
}

}  // namespace weft::s3dft
