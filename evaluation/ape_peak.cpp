// The share of the peak of 2-D transforms (section 5.1), and skews (appendices A and B).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "evaluation/ape.hpp"
#include "evaluation/ape_networks.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

struct Square {
  Network network;
  int n;
};
constexpr std::array<Square, 6> kSquares{{{{32, 1}, 32},
                                          {{32, 1}, 128},
                                          {{32, 1}, 512},
                                          {{8, 4}, 128},
                                          {{16, 16}, 256},
                                          {{16, 16}, 1024}}};

double peak_of(const Square& square, FftPrecision precision, const Machine& machine) {
  const int rate = precision == FftPrecision::fp16 ? machine.f16_rate : machine.f32_multiply_rate;
  return 2.0 * rate * square.network.pes();
}

/// Pencils along two axes, and a transposition or two.
double predicted_square(const Square& square, FftPrecision precision, int transpositions) {
  const Way radix4{FftAlgorithm::wsfft, FftTranspose::ring, FftPencil::radix4};
  const double pencils = 2.0 * square.n / square.network.pes();
  return pencils * predicted_pencil({radix4, precision, square.n, 1}) +
         transpositions * predicted_transposition(square.n, square.network, precision);
}

// Rings of one number of each PE for each other.
constexpr std::array kSkewed{8, 16, 32, 64, 128, 256};

/// Cycles of all skews of a 2-D transform with its transposition back, of p numbers in a PE. A copy
/// takes a cycle a word, an instruction three to start; a product with phases is four of these,
/// from one buffer to the other.
struct Skews {
  double addressing, by_steps, by_phases;
};
Skews skews_of(int p, FftPrecision precision) {
  constexpr double kCopies = 2.5, kStart = 3;
  const double words = wavelets_of(precision) * p, levels = std::log2(p);
  const double product = (precision == FftPrecision::fp16 ? 2 : 4) * p + 4 * kStart;
  return {2 * kCopies * words, 4 * levels * (words + 2 * kStart), 3 * product + words + kStart};
}

}  // namespace

std::vector<Run> runs_of_peak(const Scope&) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions)
    for (const auto& [network, n] : kSquares)
      for (const FftDirection direction : kDirections)
        runs.push_back(matrix_run(n, network, precision, direction));
  return runs;
}

Result make_peak(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  Result result{"peak", "share of the peak of a 2-D transform, with and without the way back", {}};
  result.table.columns = {"precision", "network", "n",   "transposed back",
                          "predicted", "cycles",  "off", "share of peak, %"};
  add_published_columns(result.table.columns);
  for (const FftPrecision precision : kPrecisions)
    for (const Square& square : kSquares) {
      const auto& [network, n] = square;
      const Outcome* one = outcomes.find(matrix_run(n, network, precision));
      const auto back = transposition_of(outcomes, n, network, precision, FftDirection::inverse);
      if (one == nullptr || !back) continue;
      for (const bool with_back : {false, true}) {
        const double cycles = static_cast<double>(one->cycles) + (with_back ? *back : 0);
        const double share =
            100 * 2 * n * flops_of_pencil(n) / (peak_of(square, precision, machine) * cycles);
        Row row{cell(text_of(precision)), cell(name_of(network)), whole(n),
                cell(with_back ? "yes" : "no")};
        add_predicted(row, predicted_square(square, precision, with_back ? 2 : 1), cycles);
        row.push_back(decimal(share, 1));
        add_published(row, share,
                      Published{100 * (with_back ? ape_paper::kWithBack : ape_paper::kWithout),
                                Mark::measured},
                      0);
        result.table.rows.push_back(std::move(row));
      }
    }
  result.notes = {fmt::format(
      "The way back is the transposition of the inverse transform's run, which leads from the "
      "forward one's last layout to its first. Published: APE100 with 512 processors; {:.0f} % "
      "were "
      "expected of APEmille. The peak counts a multiply-add as two operations; FP16 reaches half "
      "of "
      "it at best.",
      100 * ape_paper::kExpected)};
  return result;
}

std::vector<Run> runs_of_skews(const Scope&) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions)
    for (const int p : kSkewed) runs.push_back(matrix_run(p, {p, 1}, precision));
  return runs;
}

Result make_skews(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"skews", "skews of a 2-D transform of p x p numbers, both transpositions", {}};
  result.table.columns = {"precision",          "p",         "predicted",
                          "two transpositions", "off",       "by addressing",
                          "in log2 p steps",    "by phases", "whole, log2 p steps",
                          "whole, phases"};
  for (const FftPrecision precision : kPrecisions)
    for (const int p : kSkewed) {
      const auto once = transposition_of(outcomes, p, {p, 1}, precision);
      if (!once) continue;
      const Skews skews = skews_of(p, precision);
      Row row{cell(text_of(precision)), whole(p)};
      add_predicted(row, 2 * predicted_transposition(p, {p, 1}, precision), 2 * *once);
      const double rest = 2 * *once - skews.addressing;
      row.insert(row.end(), {whole(skews.addressing), whole(skews.by_steps), whole(skews.by_phases),
                             percent((rest + skews.by_steps) / (2 * *once)),
                             percent((rest + skews.by_phases) / (2 * *once))});
      result.table.rows.push_back(std::move(row));
    }
  result.notes = {
      "The transpositions ran with skews by addressing. Skews are by formula: addressing takes 2.5 "
      "copies of all words of a transposition; a skew in steps log2 p masked copies; by "
      "translation "
      "invariance three products with phases and one skew. Whole: the transpositions with those "
      "skews in the place of the addressed ones, over what they took."};
  return result;
}

}  // namespace weft::evaluation
