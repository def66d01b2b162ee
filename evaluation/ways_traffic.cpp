// Wavelets and bytes by formula: streams of all messages, without control wavelets; numbers and
// coefficients of a PE, and a program of about that size.
#include <cmath>

#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

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

}  // namespace

std::optional<double> predicted_link(const Transformed& t) {
  const double p = pes_along(t);
  if (!t.way.is_s3dft()) return message_between(t) * crossings_of(t.way.form, p).link;
  if (!t.way.is_s3dft_on_pencils()) return {};
  const Rolls rolls = rolls_of(t);  // a row's, which has stages 1 and 3, and blocks of stage 2
  return rolls.array + rolls.matrix + rolls.blocks + rolls.align_farthest;
}

std::optional<double> predicted_hops(const Transformed& t) {
  const double p = pes_along(t);
  if (!t.way.is_s3dft())  // p rows and p columns
    return 2 * p * message_between(t) * crossings_of(t.way.form, p).hops;
  if (!t.way.is_s3dft_on_pencils()) return {};
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
