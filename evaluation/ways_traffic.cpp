// Wavelets and bytes by formula: streams of all messages, without control wavelets; numbers and
// coefficients of a PE, and a program of about that size.
#include <algorithm>
#include <cmath>

#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"
#include "fft/s3dft/cubes/tiles.hpp"

namespace weft::evaluation {
namespace {

double pes_along(const Transformed& t) { return static_cast<double>(t.n) / t.m; }

/// Wavelets from a PE to another in an exchange.
double message_between(const Transformed& t) { return wavelets_of(t.precision) * t.m * t.m * t.m; }

/// Of an exchange along a line, in messages: on the busiest link, and links crossed by all.
struct Crossings {
  double link, hops;
};

/// Each PE's stream goes to both ends, with a message for each PE on the way.
Crossings to_the_ends(double p) { return {p * (p - 1) / 2, p * (p - 1) * (2 * p - 1) / 3}; }

/// All links carry as much, both ways.
Crossings around_a_ring(double p) {
  const double link = p * p / 4;
  return {link, 2 * (p - 1) * link};
}

/// On the first two levels a PE's stream goes to the end of the other half; on others each message
/// goes to its PE, as far as a half is long in the mean.
Crossings by_halves(double p) {
  double hops = 0;
  int level = 0;
  for (double part = p; part > 1; part /= 2, ++level)
    hops += p / part * std::pow(part, 3) * (level < 2 ? 3.0 / 8 : 1.0 / 4);
  return {(p * p - 1) / 3, hops};
}

/// Mirror images exchange all numbers of an axis; links add up as those of halves.
Crossings by_butterflies(double p) { return {2 * (p * p - 1) / 3, p * p * (p - 1)}; }

Crossings crossings_of(FftTranspose form, double p) {
  switch (form) {
    case FftTranspose::ring:
      return around_a_ring(p);
    case FftTranspose::halves:
      return by_halves(p);
    case FftTranspose::butterflies:
      return by_butterflies(p);
    default:
      return to_the_ends(p);
  }
}

/// Of S3DFT on pencils, wavelets that a PE sends.
struct Rolls {
  double array;           ///< in stage 1, and in stage 2
  double matrix;          ///< in stage 3
  double blocks;          ///< of the matrix, in stages 1 and 2 of cannon
  double align_farthest;  ///< in an alignment, on the line that goes farthest
  double align_all;       ///< a PE of each line, all together
};
Rolls rolls_of(const Transformed& t) {
  const double p = pes_along(t), r = wavelets_of(t.precision), m = t.m, pencils = r * m * m * t.n;
  Rolls all{(p - 1) * pencils, (p - 1) * r * m * t.n, 0, 0, 0};
  if (t.way.s3dft == S3dftForm::held) return all;
  all.blocks = (p - 1) * r * m * m;
  all.align_farthest = p / 2 * pencils;
  all.align_all = p * p / 4 * pencils;  // the sum of min(place, p - place)
  return all;
}

/// Of S3DFT's p^3 nodes in tiles of across x down PEs: wavelets of a block of the array, and of the
/// matrix. An axis takes p - 1 rolls, and up to p / 2 steps to align.
struct Cubes {
  double p, across, down, array, matrix;

  double width() const { return p * across; }
  double height() const { return p * down; }
  double rolls() const { return p - 1; }
  double steps() const { return rolls() + p / 2; }  ///< of the line that aligns farthest
};

Cubes in_tiles(const Transformed& t) {
  const double p = nodes_along(t), b = t.n / p;
  const s3dft::cubes::Tiles tiles(nodes_along(t));
  const double r = wavelets_of(t.precision);
  return {p, static_cast<double>(tiles.across()), static_cast<double>(tiles.down()), r * b * b * b,
          r * b * b};
}

/// A row has stage 1 and the matrix of stage 2, a column stage 2 and the matrix of the others, each
/// in as many unit shifts as a tile has PEs there. In stage 3 a step in the tiles crosses a link
/// once. In a column two tiles meet: j backwards, and p - 1 - j onwards, which align by j and j + 1
/// steps the same way. Tiles of two PEs send both ways at once.
double cubes_link(const Cubes& c) {
  const double in_row = c.p == 2 ? 2 * c.steps() : c.steps();
  const double in_column = c.down == 1 ? 0 : c.rolls() + std::max(c.p - 3, c.p / 2);
  const double row = c.across * (c.steps() * c.array + c.rolls() * c.matrix) + in_row * c.array;
  const double column =
      c.down * (c.steps() * c.array + 2 * c.rolls() * c.matrix) + in_column * c.array;
  return std::max(row, column);
}

/// All streams of a unit shift cross 2 (P - 1) links of a folded ring of P PEs, and a step in a
/// tile two. All together align by p^2 / 4 steps for each line of nodes.
double cubes_hops(const Cubes& c) {
  const double of_row = c.across * 2 * (c.width() - 1), of_column = c.down * 2 * (c.height() - 1);
  const double k = of_row * c.height(), j = of_column * c.width(), i = 2 * c.p * c.p * c.p;
  const double aligns = c.p * c.p / 4 * (c.down * of_row + c.across * of_column + 2 * c.p * c.p);
  return c.array * (c.rolls() * (k + j + i) + aligns) + c.matrix * c.rolls() * (k + 2 * j);
}

}  // namespace

double predicted_link(const Transformed& t) {
  const double p = pes_along(t);
  if (!t.way.is_s3dft()) return message_between(t) * crossings_of(t.way.form, p).link;
  if (!t.way.is_s3dft_on_pencils()) return cubes_link(in_tiles(t));
  const Rolls rolls = rolls_of(t);  // a row's, which has stages 1 and 3, and blocks of stage 2
  return rolls.array + rolls.matrix + rolls.blocks + rolls.align_farthest;
}

double predicted_hops(const Transformed& t) {
  const double p = pes_along(t);
  if (!t.way.is_s3dft())  // p rows and p columns
    return 2 * p * message_between(t) * crossings_of(t.way.form, p).hops;
  if (!t.way.is_s3dft_on_pencils()) return cubes_hops(in_tiles(t));
  const Rolls rolls = rolls_of(t);
  const double links = 2 * (p - 1);  // that all streams of a folded ring cross
  return links * (p * (2 * rolls.array + rolls.matrix + 2 * rolls.blocks) + 2 * rolls.align_all);
}

double predicted_bytes(const Transformed& t) {
  constexpr double kKb = 1024, kProgram = 3 * kKb, kOfS3dft = 2.25 * kKb, kOfCubes = 6 * kKb;
  const double number = 4 * wavelets_of(t.precision), n = t.n, m = t.m;
  if (!t.way.is_s3dft()) {
    const double roots = t.way.pencil == FftPencil::radix4 ? 0.75 : 0.5;
    return number * n * (2 * m * m + roots) + kProgram;
  }
  if (t.way.is_s3dft_on_pencils())
    return number * n * (3 * m * m + m + (t.way.s3dft == S3dftForm::held ? 2 : 0)) + kOfS3dft;
  const double b = n / nodes_along(t);
  return number * (4 * b * b * b + 5.5 * b * b) + kOfCubes;
}

}  // namespace weft::evaluation
