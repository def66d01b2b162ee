// The tables of transforms by other exchanges and pencils, from results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "evaluation/algorithms.hpp"
#include "evaluation/item.hpp"

namespace weft::test::reproduce_algorithms_test {
namespace {

using namespace weft::evaluation;

const Paper& algorithms() { return papers()[1]; }

/// `cycles(run)` of each run.
template <class F>
Outcomes made_up(const Scope& scope, F cycles) {
  Outcomes all;
  for (const Item& item : algorithms().items)
    for (const evaluation::Run& run : item.runs(scope))
      all.add(
          run,
          {.cycles = static_cast<std::uint64_t>(cycles(run)), .communication = 10, .hops = 1000});
  return all;
}

TEST(ReproduceAlgorithms, EachTableIsWhole) {
  ASSERT_EQ(algorithms().name, "algorithms");
  for (const Scope& scope : {kQuick, kWhole}) {
    const Outcomes outcomes = made_up(scope, [](const evaluation::Run&) { return 1000; });
    for (const Item& item : algorithms().items) {
      SCOPED_TRACE(item.name);
      const Result result = item.make(scope, outcomes, Machine{});
      EXPECT_EQ(result.name, item.name);
      EXPECT_FALSE(result.table.rows.empty());
      for (const Row& row : result.table.rows) EXPECT_EQ(row.size(), result.table.columns.size());
      EXPECT_TRUE(item.make(scope, Outcomes{}, Machine{}).table.rows.empty());
    }
  }
}

TEST(ReproduceAlgorithms, EachRunIsKeptByItself) {
  std::set<std::string> keys;
  std::size_t count = 0;
  for (const Item& item : algorithms().items) {
    if (item.name == "fastest") continue;  // the runs of the first two
    for (const evaluation::Run& run : item.runs(kWhole)) {
      keys.insert(key_of(run));
      ++count;
      EXPECT_LE(run.form == FftTranspose::halves ? run.mesh.x : 0, 64);
    }
  }
  EXPECT_EQ(keys.size(), count);
}

TEST(ReproduceAlgorithms, PredictionsAreTheFormulas) {
  const auto exchange = [](FftTranspose form, FftPrecision precision, int n, int m) {
    return predicted_exchange({form, FftPencil::radix2, precision, n, m});
  };
  EXPECT_EQ(exchange(FftTranspose::ring, FftPrecision::fp32, 64, 1), 2 * (1024 + 160) + 1418);
  EXPECT_EQ(exchange(FftTranspose::ring, FftPrecision::fp16, 64, 2), 8 * (256 + 80) + 874);
  EXPECT_EQ(exchange(FftTranspose::halves, FftPrecision::fp32, 64, 1), 2730 + 64 + 300);
  EXPECT_EQ(exchange(FftTranspose::published, FftPrecision::fp32, 64, 1), 4032 + 4608);
  // Three passes of radix 4, or the authors' count.
  EXPECT_NEAR(predicted_pencil({{}, FftPencil::radix4, FftPrecision::fp32, 64, 1}), 1209.6, 0.1);
  EXPECT_NEAR(predicted_pencil({{}, FftPencil::radix4, FftPrecision::fp16, 32, 1}), 257.6, 0.1);
  EXPECT_EQ(predicted_pencil({{}, FftPencil::radix2, FftPrecision::fp32, 64, 1}), 4952);
  EXPECT_EQ(predicted_there({FftTranspose::ring, FftPencil::radix2, FftPrecision::fp32, 64, 1},
                            {"ramp_cycles", 7}),
            22400);
  EXPECT_FALSE(predicted_there({FftTranspose::ring, FftPencil::radix4, FftPrecision::fp32, 64, 1},
                               {"ramp_cycles", 7}));
}

TEST(ReproduceAlgorithms, TellsWhereOneOvertakesAnother) {
  const Item& fastest = *std::ranges::find(algorithms().items, "fastest", &Item::name);
  const Outcomes outcomes = made_up(kQuick, [](const evaluation::Run& run) {
    const bool long_line = run.mesh.x > 32;
    return run.form == FftTranspose::ring ? (long_line ? 900 : 1100) : 1000;
  });
  std::size_t overtakes = 0;
  for (const Row& row : fastest.make(kQuick, outcomes, Machine{}).table.rows) {
    const bool here = row.back().text == "ring overtakes published";
    EXPECT_EQ(here, row[3].text == "64" && row[2].text == "1") << row[3].text;
    overtakes += here ? 1 : 0;
  }
  EXPECT_EQ(overtakes, 4U);
}

}  // namespace
}  // namespace weft::test::reproduce_algorithms_test
