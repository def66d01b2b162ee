// The tables, figures and claims of the wafer-scale FFT paper, from results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "evaluation/item.hpp"
#include "evaluation/word.hpp"
#include "evaluation/wsfft_paper.hpp"

namespace weft::test::reproduce_wsfft_test {
namespace {

using namespace weft::evaluation;

const Paper& wsfft() { return papers().front(); }

/// Of all runs of the items, each with other cycles.
Outcomes made_up(const Scope& scope) {
  Outcomes all;
  std::uint64_t cycles = 1000;
  for (const Item& item : wsfft().items)
    for (const evaluation::Run& run : item.runs(scope)) {
      cycles += 10;
      all.add(run, {.cycles = cycles,
                    .compute = cycles / 4,
                    .communication = cycles - cycles / 4,
                    .hops = 1000 * cycles,
                    .least = cycles,
                    .most = cycles + 1});
    }
  return all;
}

TEST(ReproduceWsfft, ATransposeThatDoesNotEndSaysSo) {
  const Item& transposes = *std::ranges::find(wsfft().items, "transposes", &Item::name);
  Outcomes outcomes;
  for (const evaluation::Run& run : transposes.runs(kQuick)) outcomes.add(run, {.cycles = 0});
  const Result result = transposes.make(kQuick, outcomes, Machine{});
  EXPECT_FALSE(result.table.rows.empty());
  for (const Row& row : result.table.rows) {
    EXPECT_EQ(row.size(), result.table.columns.size());
    EXPECT_EQ(row[4].text, "does not end");
  }
}

/// The cells beside a number of ours.
std::string beside(double ours, const std::optional<Published>& published) {
  Row row;
  add_published(row, ours, published, 1);
  std::string text;
  for (const Cell& cell : row) text += cell.text + "|";
  return text;
}

TEST(ReproduceWsfft, ANumberStandsBesideThatOfTheAuthors) {
  EXPECT_EQ(beside(3, std::nullopt), "-|ours alone|-|-|");
  EXPECT_EQ(beside(3, Published{2.9, Mark::measured}),
            "2.9|measured by the authors|+3.4 %|agrees|");
  EXPECT_EQ(beside(3, Published{4, Mark::measured}),
            "4.0|measured by the authors|-25.0 %|differs|");
  EXPECT_EQ(beside(3, Published{3, Mark::estimated}), "3.0|estimated by the authors|+0.0 %|holds|");
  EXPECT_EQ(beside(3, Published{2, Mark::estimated}),
            "2.0|estimated by the authors|+50.0 %|too low|");
  EXPECT_EQ(beside(3, Published{4, Mark::formula}),
            "4.0|by the authors' formula|-25.0 %|too high|");
}

TEST(ReproduceWsfft, RatesOfTheAuthors) {
  using wsfft_paper::published_rate;
  EXPECT_NEAR(published_rate(512, 512, FftPrecision::fp32)->value, 18.9, 0.05);
  EXPECT_EQ(published_rate(512, 512, FftPrecision::fp32)->mark, Mark::measured);
  EXPECT_EQ(published_rate(1024, 512, FftPrecision::fp16)->value, 36);
  // From their measured 7.24 Tflops/s, 2.54 and 2.85 times as much as on smaller meshes.
  EXPECT_NEAR(published_rate(256, 128, FftPrecision::fp32)->value, 2.85, 0.005);
  EXPECT_NEAR(published_rate(256, 64, FftPrecision::fp32)->value, 1.00, 0.005);
  EXPECT_EQ(published_rate(256, 64, FftPrecision::fp32)->mark, Mark::estimated);
  EXPECT_FALSE(published_rate(256, 64, FftPrecision::fp16));
  EXPECT_FALSE(published_rate(1024, 256, FftPrecision::fp32));
}

const Row& claim(const Result& claims, const std::string& text) {
  static const Row kNone;
  const auto found = std::ranges::find_if(claims.table.rows, [&](const Row& row) {
    return row.front().text.find(text) != std::string::npos;
  });
  EXPECT_NE(found, claims.table.rows.end()) << text;
  return found == claims.table.rows.end() ? kNone : *found;
}

Result claims_of(const Outcomes& outcomes) {
  return std::ranges::find(wsfft().items, "claims", &Item::name)->make(kWhole, outcomes, Machine{});
}

/// Cycles as the authors count them tend to what they say.
TEST(ReproduceWsfft, AsymptotesComeFromTheLongestPencils) {
  const Item& figure = *std::ranges::find(wsfft().items, "figure-3", &Item::name);
  Outcomes outcomes;
  for (const evaluation::Run& run : figure.runs(kWhole))
    outcomes.add(run, {.cycles = static_cast<std::uint64_t>(wsfft_paper::pencil_cycles(
                           static_cast<double>(run.shape.n2), run.precision))});
  const Result claims = claims_of(outcomes);
  EXPECT_EQ(claim(claims, "tend to, from our three longest, fp16")[2].text, "1.67");
  EXPECT_EQ(claim(claims, "tend to, from our three longest, fp32")[2].text, "0.77");
  EXPECT_EQ(claim(claims, "from one, fp32")[4].text, "estimated by the authors");
}

/// Where the paper names no precision, FP32 is held against it and FP16 stands alone.
TEST(ReproduceWsfft, BytesOfRoutersAreThoseOfFp32) {
  const Result claims = claims_of(made_up(kWhole));
  for (const char* text :
       {"PB/s that routers pass on at n = 512, ", "the same in the authors' time of Table 1, "}) {
    EXPECT_EQ(claim(claims, text + std::string("fp16"))[4].text, "ours alone");
    EXPECT_EQ(claim(claims, text + std::string("fp32"))[3].text, "0.80");
  }
}

TEST(ReproduceWsfft, ClaimsOfTheMachineFollowFromItsNumbers) {
  const Result claims = claims_of(made_up(kWhole));
  EXPECT_EQ(claim(claims, "% of 850,000 PEs")[2].text, "30.8");
  EXPECT_EQ(claim(claims, "in and out at 1.2 Tb/s")[2].text, "14.3");
  EXPECT_EQ(claim(claims, "TB/s over the middle")[2].text, "3.48");
  for (const char* text : {"% of 850,000", "1.2 Tb/s", "TB/s over"})
    EXPECT_NE(claim(claims, text).back().text, "differs") << text;
}

TEST(ReproduceWsfft, AWordTakesSixCyclesToTheNextCore) {
  EXPECT_EQ(cycles_of_word({}), 6U);
  Machine slow;
  slow.hop_cycles = 2;
  EXPECT_EQ(cycles_of_word(slow), 7U);
  slow.ramp_cycles = 7;
  EXPECT_EQ(cycles_of_word(slow), 17U);
}

}  // namespace
}  // namespace weft::test::reproduce_wsfft_test
