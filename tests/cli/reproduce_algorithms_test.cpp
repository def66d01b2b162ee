// The tables of transforms by other exchanges and pencils, from results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "evaluation/item.hpp"
#include "evaluation/ways.hpp"
#include "fft/s3dft/cubes/counts.hpp"

namespace weft::test::reproduce_algorithms_test {
namespace {

using namespace weft::evaluation;

const Paper& algorithms() { return *std::ranges::find(papers(), "algorithms", &Paper::name); }

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

Way wsfft(FftTranspose form, FftPencil pencil = FftPencil::radix2) {
  return {FftAlgorithm::wsfft, form, pencil};
}
Way s3dft(S3dftForm form) {
  return {FftAlgorithm::s3dft, FftTranspose::automatic, FftPencil::radix2, form};
}
constexpr auto kFp16 = FftPrecision::fp16, kFp32 = FftPrecision::fp32;

TEST(ReproduceAlgorithms, PredictionsAreTheFormulas) {
  const auto exchange = [](FftTranspose form, FftPrecision precision, int n, int m) {
    return predicted_exchange({wsfft(form), precision, n, m});
  };
  EXPECT_EQ(exchange(FftTranspose::ring, kFp32, 64, 1), 2 * (1024 + 160) + 1418);
  EXPECT_EQ(exchange(FftTranspose::ring, kFp16, 64, 2), 8 * (256 + 80) + 874);
  EXPECT_EQ(exchange(FftTranspose::halves, kFp32, 64, 1), 2730 + 64 + 300);
  EXPECT_EQ(exchange(FftTranspose::published, kFp32, 64, 1), 4032 + 4608);
  EXPECT_EQ(exchange(FftTranspose::butterflies, kFp32, 64, 1), 2 * 64 * 63 + (320 + 60) * 6);
  EXPECT_EQ(exchange(FftTranspose::butterflies, kFp16, 32, 1), 32 * 31 + (80 + 60) * 5);
  // Three passes of radix 4, or the authors' count.
  const Way radix4 = wsfft({}, FftPencil::radix4);
  EXPECT_NEAR(predicted_pencil({radix4, kFp32, 64, 1}), 1209.6, 0.1);
  EXPECT_NEAR(predicted_pencil({radix4, kFp16, 32, 1}), 257.6, 0.1);
  EXPECT_EQ(predicted_pencil({wsfft({}), kFp32, 64, 1}), 4952);
  // Along three axes, or along the one that butterflies leave.
  const auto pencils = [](const Way& way) {
    const Transformed t{way, kFp32, 64, 1};
    return (predicted_cycles(t) - predicted_communication(t)) / predicted_pencil(t);
  };
  EXPECT_NEAR(pencils(wsfft(FftTranspose::ring)), 3, 1e-9);
  EXPECT_NEAR(pencils(wsfft(FftTranspose::butterflies)), 1, 1e-9);
  // 12 n^2 + 102 n; 6 n^2 + 102 n; two alignments by n / 2 places and two streams more in a step.
  EXPECT_EQ(predicted_cycles({s3dft(S3dftForm::held), kFp32, 64, 1}), 12 * 4096 + 102 * 64);
  EXPECT_EQ(predicted_cycles({s3dft(S3dftForm::held), kFp16, 64, 1}), 6 * 4096 + 102 * 64);
  EXPECT_EQ(predicted_cycles({s3dft(S3dftForm::cannon), kFp16, 64, 1}),
            6 * 4096 + (102 + 60) * 64 + 64 * (64 + 25));
}

/// Where no control wavelets go beside the streams, formulas are exact.
TEST(ReproduceAlgorithms, PredictedTrafficIsThatOfRuns) {
  for (const Way& way : {wsfft(FftTranspose::ring), s3dft(S3dftForm::held),
                         s3dft(S3dftForm::cannon), wsfft(FftTranspose::published)})
    for (const int m : {1, 2}) {
      const Transformed t{way, kFp32, 8 * m, m};
      SCOPED_TRACE(name_of(way));
      const Outcome one = measure(run_of(t), Machine{}, 1, {});
      const auto hops = static_cast<double>(one.hops), link = static_cast<double>(one.busiest_link);
      if (way == published_way()) {
        EXPECT_GT(hops, predicted_hops(t));
        EXPECT_GT(link, predicted_link(t));
      } else {
        EXPECT_EQ(hops, predicted_hops(t));
        EXPECT_EQ(link, predicted_link(t));
      }
      EXPECT_NEAR(static_cast<double>(one.pe_bytes), predicted_bytes(t), 2304);  // of programs
    }
  // By halves: link (p^2 - 1) / 3; hops of levels of 64, 32 and smaller parts.
  EXPECT_EQ(predicted_link({wsfft(FftTranspose::halves), kFp16, 64, 1}), 1365);
  EXPECT_EQ(predicted_hops({wsfft(FftTranspose::halves), kFp16, 64, 1}), 16424960);
  EXPECT_EQ(predicted_hops({wsfft(FftTranspose::butterflies), kFp16, 64, 1}), 33030144);
}

/// Of p^3 nodes, by blocks of the array and of the matrix: each on as many PEs as run, and on more.
TEST(ReproduceAlgorithms, PredictedTrafficOfCubesIsThatOfTheirStreams) {
  namespace cubes = weft::s3dft::cubes;
  for (const auto& [n, m] : {std::pair{8, 1}, {16, 2}, {32, 4}, {64, 1}, {128, 2}})
    for (const FftPrecision precision : {kFp32, kFp16}) {
      const Transformed t{s3dft(S3dftForm::cubes), precision, n, m};
      const int p = nodes_along(t);
      const fft::Traffic counted = cubes::traffic_of({cubes::Tiles(p), n / p, precision, {}, 1});
      EXPECT_EQ(predicted_hops(t), static_cast<double>(counted.hops)) << n << ' ' << m;
      EXPECT_EQ(predicted_link(t), static_cast<double>(counted.busiest_link)) << n << ' ' << m;
    }
}

TEST(ReproduceAlgorithms, PredictionsOfOtherMachines) {
  const Setting ramps{"ramp_cycles", 7}, tasks{"task_start_cycles", 256};
  EXPECT_EQ(predicted_there({wsfft(FftTranspose::ring), kFp32, 64, 1}, ramps), 22400);
  EXPECT_EQ(predicted_there({s3dft(S3dftForm::held), kFp32, 32, 1}, tasks), 40000);
  // By how often the constant counts: once in each of 3 n steps; 4 n times; in no level of halves.
  const auto more = [&](const Way& way) {
    const Transformed t{way, kFp16, 64, 1};
    return *predicted_there(t, tasks) - predicted_cycles(t);
  };
  EXPECT_EQ(more(s3dft(S3dftForm::held)), 3 * 64 * 246);
  EXPECT_EQ(more(wsfft(FftTranspose::published)), 4 * 64 * 246);
  EXPECT_EQ(more(wsfft(FftTranspose::ring)), 2 * 64 * 246);
  EXPECT_EQ(more(wsfft(FftTranspose::halves)), 0);
  EXPECT_EQ(more(wsfft(FftTranspose::butterflies)), 2 * 6 * 246);  // of 6 levels
  EXPECT_EQ(more(s3dft(S3dftForm::cannon)), (3 + 1) * 64 * 246);   // and once a place
  EXPECT_FALSE(predicted_there({wsfft(FftTranspose::ring), kFp16, 64, 1}, {"hop_cycles", 2}));
}

/// By the vectors' elements: products with a number, multiply-adds, and sums.
TEST(ReproduceAlgorithms, PredictionsOfOtherRates) {
  const auto more = [](const Way& way, FftPrecision precision, const Setting& setting) {
    const Transformed t{way, precision, 64, 1};
    return *predicted_there(t, setting) - predicted_cycles(t);
  };
  const Setting eight{"f32_multiply_rate", 8}, wide{"f16_rate", 2}, slow{"two_source_divisor", 4};
  const Way radix2 = wsfft(FftTranspose::halves),
            radix4 = wsfft(FftTranspose::halves, FftPencil::radix4);
  constexpr double kNumbers = 3 * 64;
  // Eight products or four multiply-adds a cycle, where one was.
  EXPECT_NEAR(more(radix2, kFp32, eight), -kNumbers * 6 * (7. / 8 + 3. / 4), 1e-6);
  EXPECT_NEAR(more(radix4, kFp32, eight), -kNumbers * 3 * 2.25 * 3 / 4, 1e-6);
  // Two products where four were, one of each pair where two were.
  EXPECT_NEAR(more(radix2, kFp16, wide), kNumbers * 6 * (1. / 4 + 1. / 2 + 1), 1e-6);
  EXPECT_NEAR(more(radix4, kFp16, wide), kNumbers * 3 * 6.25 / 2, 1e-6);
  EXPECT_NEAR(more(radix2, kFp16, slow), kNumbers * 6 * (1. / 2 + 1), 1e-6);
  EXPECT_NEAR(more(radix4, kFp16, slow), more(radix4, kFp16, wide), 1e-6);
  EXPECT_EQ(more(radix2, kFp32, slow), 0);
  // Four multiply-adds a number, in each of 3 n steps of n numbers.
  EXPECT_EQ(more(s3dft(S3dftForm::held), kFp16, wide), 3 * 64 * 64 * 2);
  EXPECT_EQ(more(s3dft(S3dftForm::cannon), kFp16, slow), 3 * 64 * 64 * 2);
  // Then rolls take longer than products: 2 n + 25 in each step.
  EXPECT_EQ(more(s3dft(S3dftForm::cannon), kFp32, eight), -3 * 64 * (4 * 64 + 34 - 2 * 64 - 25));
  EXPECT_LT(more(s3dft(S3dftForm::cubes), kFp32, eight), 0);
  EXPECT_GT(more(s3dft(S3dftForm::cubes), kFp16, slow), 0);
}

TEST(ReproduceAlgorithms, ButterfliesHaveAPencilInEachPe) {
  const Way way = wsfft(FftTranspose::butterflies, FftPencil::radix4);
  EXPECT_TRUE(can_be({way, kFp32, 64, 1}));
  EXPECT_FALSE(can_be({way, kFp32, 64, 2}));
  EXPECT_FALSE(can_be({way, kFp32, 128, 1}));
}

TEST(ReproduceAlgorithms, SaysWhereOneOvertakesAnother) {
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
