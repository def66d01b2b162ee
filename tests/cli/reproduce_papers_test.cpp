// The tables and figures of all papers, from results that are made up.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "evaluation/item.hpp"

namespace weft::test::reproduce_papers_test {
namespace {

using namespace weft::evaluation;

/// Of all runs of a paper's items, each with other cycles.
Outcomes made_up(const Paper& paper, const Scope& scope) {
  Outcomes all;
  std::uint64_t cycles = 1000;
  for (const Item& item : paper.items)
    for (const evaluation::Run& run : item.runs(scope)) {
      cycles += 10;
      const bool held = run.algorithm == FftAlgorithm::s3dft && run.s3dft_form == S3dftForm::held;
      all.add(run, {.cycles = cycles,
                    .compute = cycles / 4,
                    .communication = cycles - cycles / 4,
                    .phases = std::vector<std::uint64_t>(held ? 3 : 5, cycles / 5),
                    .wavelets = 100 * cycles,
                    .hops = 1000 * cycles,
                    .least = cycles,
                    .most = cycles + 1});
    }
  return all;
}

TEST(ReproducePapers, EachTableIsWhole) {
  for (const Paper& paper : papers())
    for (const Scope& scope : {kQuick, kWhole}) {
      const Outcomes outcomes = made_up(paper, scope);
      for (const Item& item : paper.items) {
        SCOPED_TRACE(std::string(paper.name) + " " + std::string(item.name));
        const Result result = item.make(scope, outcomes, Machine{});
        EXPECT_EQ(result.name, item.name);
        EXPECT_FALSE(result.table.rows.empty());
        for (const Row& row : result.table.rows)
          EXPECT_EQ(row.size(), result.table.columns.size()) << row.front().text;
        const std::set<std::string> columns(result.table.columns.begin(),
                                            result.table.columns.end());
        EXPECT_EQ(columns.size(), result.table.columns.size()) << "two columns have one name";
        if (!result.figure) continue;
        EXPECT_FALSE(result.figure->series.empty());
        std::set<std::string> titles;
        for (const Series& one : result.figure->series) titles.insert(one.title);
        EXPECT_EQ(titles.size(), result.figure->series.size()) << "two series have one name";
        EXPECT_TRUE(std::ranges::any_of(result.figure->series,
                                        [](const Series& one) { return !one.points.empty(); }));
      }
    }
}

TEST(ReproducePapers, WithoutRunsThereAreOthersNumbersOnly) {
  for (const Paper& paper : papers())
    for (const Item& item : paper.items) {
      const Result result = item.make(kWhole, Outcomes{}, Machine{});
      EXPECT_EQ(result.table.rows.empty(), item.name != "table-2") << item.name;
    }
}

TEST(ReproducePapers, RunsThatDifferHaveOtherKeys) {
  std::map<std::string, std::string> kept;  // each run's settings, as text
  for (const Paper& paper : papers())
    for (const Item& item : paper.items)
      for (const evaluation::Run& run : item.runs(kWhole)) {
        std::string settings(run.raised);
        for (const Setting& one : run.settings)
          settings += std::string(one.constant) + std::to_string(one.value);
        settings += to_string(run.s3dft_form);
        settings += std::to_string(run.block.b) + " " + std::to_string(run.block.ring);
        const auto [known, is_new] = kept.try_emplace(key_of(run), settings);
        EXPECT_EQ(known->second, settings) << key_of(run);
        EXPECT_GT(work_of(run), 0) << key_of(run);
      }
}

}  // namespace
}  // namespace weft::test::reproduce_papers_test
