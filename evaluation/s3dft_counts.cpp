// Messages and events of S3DFT, and a global transposition in place of the transposed mesh.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "evaluation/runs.hpp"
#include "evaluation/s3dft.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

constexpr std::array kCountedSides{8, 16, 32, 64};

Transformed transformed(const Way& way, FftPrecision precision, int n) {
  return {way, precision, n, 1};
}

/// All rows of S3DFT on pencils in the table of ways, one pencil in a PE.
template <class F>
void for_counted(F f) {
  for (const Way& way : ways())
    if (way.is_s3dft_on_pencils())
      for (const int n : kCountedSides) f(transformed(way, FftPrecision::fp32, n));
}

/// Messages of a transform on p x p PEs: rolls of three stages; of cannon also the matrix's of two
/// stages, and two alignments, which go place by place, the shorter way round.
struct Messages {
  double rolls, of_matrix = 0, alignment = 0;
};
Messages counted_messages(const Way& way, int p) {
  Messages all{3.0 * p * p * (p - 1)};
  if (way.s3dft == S3dftForm::held) return all;
  all.of_matrix = 2.0 * p * p * (p - 1);
  for (int t = 1; t < p; ++t) all.alignment += 2.0 * p * std::min(t, p - t);
  return all;
}

const Way& ring_way() {
  return *std::ranges::find_if(ways(),
                               [](const Way& way) { return way.form == FftTranspose::ring; });
}
const Way& held_way() { return *std::ranges::find_if(ways(), &Way::is_s3dft); }

}  // namespace

std::vector<Run> runs_of_messages(const Scope&) {
  std::vector<Run> runs;
  for_counted([&](const Transformed& t) { runs.push_back(run_of(t)); });
  return runs;
}

Result make_messages(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"messages", "messages and events of a transform of n^3 numbers, p = n, FP32", {}};
  result.table.columns = {"form",
                          "p",
                          "rolls",
                          "of the matrix",
                          "alignments",
                          "predicted",
                          "wavelets",
                          "off",
                          "events of a stage",
                          "the authors' events",
                          "the authors' messages"};
  for_counted([&](const Transformed& t) {
    const Outcome* one = ended(outcomes, run_of(t));
    if (one == nullptr) return;
    const Messages all = counted_messages(t.way, t.n);
    const double r = wavelets_of(t.precision);
    const bool held = t.way.s3dft == S3dftForm::held;
    Row row{cell(std::string(to_string(t.way.s3dft))), whole(t.n), whole(all.rolls),
            whole(all.of_matrix), whole(all.alignment)};
    add_predicted(row, r * (t.n * (all.rolls + all.alignment) + all.of_matrix),
                  static_cast<double>(one->wavelets));
    // Held: p - 1 rolls; cannon: an alignment before them, of up to p / 2 steps.
    row.push_back(whole(t.n - 1 + (held ? 0 : t.n / 2)));
    row.push_back(whole(t.n));
    row.push_back(whole(
        3 * (s3dft_paper::align_messages(t.n) + (t.n - 1) * s3dft_paper::roll_messages(t.n))));
    result.table.rows.push_back(std::move(row));
  });
  result.notes = {
      "Messages by count; their wavelets beside those that the fabric counts: 2 n for a pencil or "
      "a "
      "row of the matrix, 2 for a coefficient. An event is what all PEs do at once. The authors: "
      "p events a stage, 2 p^2 (p - 1) messages of an alignment and 2 p^3 of a roll, of p^3 "
      "nodes."};
  return result;
}

std::vector<Run> runs_of_global_transposition(const Scope&) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions)
    for (const int n : kCountedSides) {
      runs.push_back(run_of(transformed(held_way(), precision, n)));
      runs.push_back(run_of(transformed(ring_way(), precision, n)));
    }
  return runs;
}

Result make_global_transposition(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{
      "transposition", "stage 3 as it is, and with global transpositions around stage 1", {}};
  result.table.columns = {"precision",
                          "n",
                          "wavelets of a link",
                          "with transpositions",
                          "stage 3",
                          "predicted",
                          "with transpositions, cycles",
                          "off",
                          "over stage 3",
                          "the whole",
                          "with transpositions, the whole",
                          "over the whole"};
  for (const FftPrecision precision : kPrecisions)
    for (const int n : kCountedSides) {
      const Transformed held = transformed(held_way(), precision, n),
                        ring = transformed(ring_way(), precision, n);
      const Outcome *stages = ended(outcomes, run_of(held)),
                    *exchanges = ended(outcomes, run_of(ring));
      if (stages == nullptr || exchanges == nullptr || stages->phases.size() != 3) continue;
      const double r = wavelets_of(precision), rolls = r * n * (n - 1.0);
      const auto third = static_cast<double>(stages->phases[2]);
      const double instead =
          static_cast<double>(stages->phases[0]) + static_cast<double>(exchanges->communication);
      Row row{cell(text_of(precision)), whole(n), whole(rolls), whole(rolls + r * n * n / 2.0),
              whole(third)};
      add_predicted(row, predicted_cycles(held) / 3 + predicted_communication(ring), instead);
      row.push_back(decimal(instead / third, 2));
      const auto all = static_cast<double>(stages->cycles);
      row.push_back(whole(all));
      row.push_back(whole(all - third + instead));
      row.push_back(decimal((all - third + instead) / all, 2));
      result.table.rows.push_back(std::move(row));
    }
  result.notes = {
      "With transpositions: the array around the rings of rows, stage 1 again, and back. The two "
      "transpositions are those of wsFFT around rings (`in exchanges`), run in a program of its "
      "own. The whole: the cycles of S3DFT with these in place of its stage 3; stage 2 stays as it "
      "is. "
      "The authors found stages 2 and 3 more efficient so, and the whole as fast as before."};
  return result;
}

}  // namespace weft::evaluation
