// Figures 3 to 5: what a PE does with a block, and how long a block is under way.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/blocks.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/s3dft.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

bool is_fp16(FftPrecision precision) { return precision == FftPrecision::fp16; }

/// Sides of blocks: of FP16 those that fit in a PE beside the next one and the sums.
std::vector<int> blocks_of(FftPrecision precision) {
  std::vector<int> all;
  for (int b = 1; b <= (is_fp16(precision) ? 13 : 10); ++b) all.push_back(b);
  return all;
}

Run block_run(BlockWork work, int b, FftPrecision precision) {
  Run run{.kind = Run::Kind::block, .shape = {1, 1, 1}, .mesh = {1, 1}, .precision = precision};
  run.block = {work, b, precision};
  return run;
}

/// Elements of all parts, those of a product once for each of its b terms and both of their parts.
double elements_of(BlockWork work, double b) {
  return (work == BlockWork::product ? 4 * b : 2) * b * b * b;
}

/// That the machine can do in a cycle.
double peak_rate(BlockWork work, FftPrecision precision, const Machine& machine) {
  if (is_fp16(precision)) return machine.f16_rate;
  const bool copies = work == BlockWork::copy || work == BlockWork::transposed_copy;
  return copies ? machine.move32_rate : machine.f32_multiply_rate;
}

/// Elements at the rate of the default machine, a multiply-add at half the rate in FP16 as it reads
/// its destination, and three cycles to start each instruction.
double predicted_block(BlockWork work, double b, FftPrecision precision) {
  constexpr double kStart = 3;
  const bool copies = work == BlockWork::copy || work == BlockWork::transposed_copy;
  const double rate = !is_fp16(precision) ? 1 : copies ? 4 : 2;
  const double instructions = work == BlockWork::product           ? 4 * b
                              : work == BlockWork::transposed_copy ? 2 * b * b
                                                                   : 2;
  return elements_of(work, b) / rate + kStart * instructions;
}

std::vector<Run> runs_of_works(const std::vector<BlockWork>& works) {
  std::vector<Run> runs;
  for (const BlockWork work : works)
    for (const FftPrecision precision : kPrecisions)
      for (const int b : blocks_of(precision)) runs.push_back(block_run(work, b, precision));
  return runs;
}

/// The paper's rings: along a row of tiles, a roll goes so many places.
struct RollRing {
  int p, pes, places;
};
constexpr std::array<RollRing, 4> kRings{{{2, 4, 2}, {4, 8, 2}, {16, 64, 4}, {64, 512, 8}}};

Run ring_run(BlockWork work, const RollRing& ring, int b, FftPrecision precision) {
  Run run = block_run(work, b, precision);
  run.mesh = {ring.pes, 1};
  run.block.ring = ring.pes;
  run.block.places = ring.places;
  return run;
}

double predicted_roll(const RollRing& ring, int b, FftPrecision precision) {
  constexpr double kStart = 25;
  return ring.places * (block_words(b, precision) + kStart);
}

Run roll_run(const RollRing& ring, int b, FftPrecision precision) {
  return ring_run(BlockWork::roll, ring, b, precision);
}

/// Of the largest block, whose product hides its roll.
Run step_run(const RollRing& ring, FftPrecision precision) {
  return ring_run(BlockWork::step, ring, blocks_of(precision).back(), precision);
}

/// Predicted of a step, beside its products.
constexpr double kRestOfStep = 60;

/// The least b whose product is predicted to hide the roll, "none" among those that are run.
std::string predicted_meeting(const RollRing& ring, FftPrecision precision) {
  for (const int b : blocks_of(precision))
    if (predicted_block(BlockWork::product, b, precision) + kRestOfStep >=
        predicted_roll(ring, b, precision))
      return std::to_string(b);
  return "none";
}

/// "p = 2: 1 (FP16: 1), ..."
std::string predicted_meetings() {
  std::string text;
  for (const RollRing& ring : kRings)
    text += fmt::format("{}p = {}: {} (FP16: {})", text.empty() ? "" : ", ", ring.p,
                        predicted_meeting(ring, FftPrecision::fp32),
                        predicted_meeting(ring, FftPrecision::fp16));
  return text;
}

double block_cycles(const Outcomes& outcomes, const Run& run) {
  const Outcome* one = outcomes.find(run);
  return one == nullptr ? 0 : static_cast<double>(one->cycles);
}

/// Of a step, beside its products, by its run.
double rest_of_step(const Outcomes& outcomes, const RollRing& ring, FftPrecision precision) {
  const int b = blocks_of(precision).back();
  const double step = block_cycles(outcomes, step_run(ring, precision)),
               product = block_cycles(outcomes, block_run(BlockWork::product, b, precision));
  return step > 0 && product > 0 ? step - product : 0;
}

/// Figure 3 or 4: what each of these works takes, and its share of the peak.
struct WorkFigure {
  std::string name, title;
  std::vector<BlockWork> works;
  bool bandwidth;       ///< the table compares bandwidths with that of y += a x
  BlockWork published;  ///< the authors give a ratio of this one: of bandwidths, or of the peak
  double ratio;
  std::string note;
};

const WorkFigure& copy_figure() {
  static const WorkFigure kFigure{
      "figure-3",
      "copy, transposed copy and y += a x of a block of b^3 numbers",
      {BlockWork::copy, BlockWork::transposed_copy, BlockWork::add_multiple},
      true,
      BlockWork::transposed_copy,
      s3dft_paper::kTransposition,
      "Share: elements in a cycle over the machine's rate of copies or multiply-adds. Published: a "
      "transposition's bandwidth over that of y += a x on one NUMA domain, 63 % on two."};
  return kFigure;
}

const WorkFigure& product_figure() {
  static const WorkFigure kFigure{
      "figure-4",
      "product of a block of b^3 numbers with b x b coefficients",
      {BlockWork::product},
      false,
      BlockWork::product,
      s3dft_paper::kProduct,
      "FP16 reaches half of its peak: a multiply-add reads its destination too. Published: blocks "
      "of 1100^3 in FP64 on a node of JUWELS."};
  return kFigure;
}

/// Of a work's bandwidth over that of y += a x, which moves three words for an element where a copy
/// moves two; 0: there is none.
double bandwidth_of(const Outcomes& outcomes, BlockWork work, int b, FftPrecision precision) {
  const double cycles = block_cycles(outcomes, block_run(work, b, precision)),
               base = block_cycles(outcomes, block_run(BlockWork::add_multiple, b, precision));
  if (cycles == 0) return 0;
  return (work == BlockWork::add_multiple ? 1 : 2.0 / 3) * base / cycles;
}

Result make_works(const WorkFigure& of, const Outcomes& outcomes, const Machine& machine) {
  Result result{of.name, of.title, {}};
  result.table.columns = {"precision",       "work", "b", "predicted", "cycles", "off",
                          "share of peak, %"};
  if (of.bandwidth) result.table.columns.emplace_back("bandwidth over y += a x, %");
  add_published_columns(result.table.columns);
  Figure figure{"b", "share of peak, %", false, {}};
  for (const FftPrecision precision : kPrecisions)
    for (const BlockWork work : of.works) {
      Series series{title_of(precision, to_string(work)),
                    Mark::ours,
                    static_cast<int>(work),
                    {},
                    precision == FftPrecision::fp32};
      for (const int b : blocks_of(precision)) {
        const double cycles = block_cycles(outcomes, block_run(work, b, precision)),
                     bandwidth = bandwidth_of(outcomes, work, b, precision);
        if (cycles == 0 || (of.bandwidth && bandwidth == 0)) continue;
        const double share =
            100 * elements_of(work, b) / (peak_rate(work, precision, machine) * cycles);
        series.points.emplace_back(b, share);
        Row row{cell(text_of(precision)), cell(std::string(to_string(work))), whole(b)};
        add_predicted(row, predicted_block(work, b, precision), cycles);
        row.push_back(decimal(share, 1));
        if (of.bandwidth) row.push_back(decimal(100 * bandwidth, 1));
        std::optional<Published> published;
        if (work == of.published && b == blocks_of(precision).back())
          published = {100 * of.ratio, Mark::measured};
        add_published(row, of.bandwidth ? 100 * bandwidth : share, published, 0);
        result.table.rows.push_back(std::move(row));
      }
      figure.series.push_back(std::move(series));
    }
  result.figure = std::move(figure);
  result.notes = {of.note};
  return result;
}

}  // namespace

std::vector<Run> runs_of_copies(const Scope&) { return runs_of_works(copy_figure().works); }
std::vector<Run> runs_of_products(const Scope&) { return runs_of_works(product_figure().works); }

Result make_copies(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  return make_works(copy_figure(), outcomes, machine);
}

Result make_products(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  return make_works(product_figure(), outcomes, machine);
}

std::vector<Run> runs_of_rolls(const Scope& scope) {
  std::vector<Run> runs = runs_of_products(scope);
  for (const FftPrecision precision : kPrecisions)
    for (const RollRing& ring : kRings)
      for (const int b : blocks_of(precision)) runs.push_back(roll_run(ring, b, precision));
  for (const FftPrecision precision : kPrecisions)
    for (const RollRing& ring : kRings) runs.push_back(step_run(ring, precision));
  return runs;
}

Result make_rolls(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-5", "roll and product of a block over b, and where they meet", {}};
  result.table.columns = {"precision",      "p",     "places", "b",
                          "predicted roll", "roll",  "off",    "product",
                          "rest of a step", "hidden"};
  Figure figure{"b", "cycles", true, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series products{
        title_of(precision, "product"), Mark::ours, 6, {}, precision == FftPrecision::fp32};
    for (const RollRing& ring : kRings) {
      Series rolls{title_of(precision, fmt::format("roll, p = {}", ring.p)),
                   Mark::ours,
                   static_cast<int>(&ring - kRings.data()),
                   {},
                   precision == FftPrecision::fp32};
      const double rest = rest_of_step(outcomes, ring, precision);
      if (rest == 0) continue;
      for (const int b : blocks_of(precision)) {
        const double roll = block_cycles(outcomes, roll_run(ring, b, precision)),
                     product = block_cycles(outcomes, block_run(BlockWork::product, b, precision));
        if (roll == 0 || product == 0) continue;
        Row row{cell(text_of(precision)), whole(ring.p), whole(ring.places), whole(b)};
        add_predicted(row, predicted_roll(ring, b, precision), roll);
        row.push_back(whole(product));
        row.push_back(whole(rest));
        row.push_back(cell(product + rest >= roll ? "yes" : "no"));
        result.table.rows.push_back(std::move(row));
        rolls.points.emplace_back(b, roll);
        if (ring.p == kRings.front().p) products.points.emplace_back(b, product + rest);
      }
      figure.series.push_back(std::move(rolls));
    }
    figure.series.push_back(std::move(products));
  }
  result.figure = std::move(figure);
  result.notes = {fmt::format(
      "p^3 nodes in tiles: a roll goes `places` places of a folded ring. Rest of a step: of one "
      "with the largest block, beside its product, by its run; {} cycles were predicted. They meet "
      "where product and rest begin to hide the roll, predicted from these b on: {}. The authors: "
      "b of about {} to {}, by the count of nodes.",
      kRestOfStep, predicted_meetings(), s3dft_paper::kMeetFirst, s3dft_paper::kMeetLast)};
  return result;
}

}  // namespace weft::evaluation
