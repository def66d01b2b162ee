// `weft compare` with engines that are wrong, missing or short of memory.
#include "cli/compare/compare_grid.hpp"

#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/common/interrupt.hpp"
#include "cli/compare/compare.hpp"
#include "cli/compare/compare_report.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::cli::compare_grid_test {
namespace {

std::string nothing() { return ""; }

FftRun run_wrongly(const FftPlan& plan, const Volume& input, FftDirection direction,
                   const OnFftProgress&) {
  FftRun run = plan.run(input, direction);
  if (direction == FftDirection::inverse) run.output.data[3] += 1000.0F;
  return run;
}

FftRun run_without_memory(const FftPlan& plan, const Volume& input, FftDirection direction,
                          const OnFftProgress&) {
  if (plan.precision() == FftPrecision::fp16)
    throw Error(ErrorCategory::environment, "no memory", "it is full", "take less");
  return plan.run(input, direction);
}

FftRun run_out_of_memory(const FftPlan& plan, const Volume& input, FftDirection direction,
                         const OnFftProgress&) {
  if (direction == FftDirection::inverse) throw std::bad_alloc();
  return plan.run(input, direction);
}

FftRun run_into_fault(const FftPlan&, const Volume&, FftDirection, const OnFftProgress&) {
  throw Error(ErrorCategory::program, "a fault", "why", "do");
}

FftRun never(const FftPlan&, const Volume&, FftDirection, const OnFftProgress&) {
  ADD_FAILURE() << "an engine that is not there was run";
  return {};
}

const EngineRow kWrong = {"wrong", nothing, run_wrongly, true};
const EngineRow kShort = {"short", nothing, run_without_memory, true};
const EngineRow kFull = {"full", nothing, run_out_of_memory, true};
const EngineRow kFaulty = {"faulty", nothing, run_into_fault, true};
const EngineRow kAbsent = {"absent", [] { return std::string("no such device"); }, never, true};
const reference::Reference kAbsentReference = {
    "mkl", "MKL", {}, [] { return std::string("not here"); }, nullptr};

CompareArguments quietly_into(const std::string& json) {
  CompareArguments arguments;
  arguments.json = json;
  arguments.quiet = true;
  return arguments;
}

CompareGrid grid_of(std::vector<const EngineRow*> engines) {
  return {.shapes = {{4, 4, 4}},
          .precisions = {FftPrecision::fp16, FftPrecision::fp32},
          .kinds = {FftKind::complex},
          .directions = {FftDirection::forward, FftDirection::inverse},
          .engines = std::move(engines),
          .references = {&reference::references()[0]},
          .machine = {}};
}

std::vector<CompareRow> rows_of(const CompareGrid& grid) {
  return compare_all(grid, [](const CompareProgress&) {});
}

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in\n" << text;
  }
}

TEST(CompareGrid, AWrongResultFails) {
  const CompareGrid grid = grid_of({&engines()[0], &kWrong});
  const std::vector<CompareRow> rows = rows_of(grid);
  ASSERT_EQ(rows.size(), 8u);
  for (const CompareRow& row : rows) {
    EXPECT_EQ(row.failed(), row.engine == &kWrong && row.arrays.direction == FftDirection::inverse);
  }
  const CompareCounts counts = count(rows);
  EXPECT_EQ(counts.ok, 6u);
  EXPECT_EQ(counts.failed, 2u);
  expect_in(compare_text(grid, rows), {"wrong", "  FAILED\n", "6 ok, 2 FAILED"});
  expect_in(failure_line(rows), {"weft: comparison error: 2 of 8 comparisons failed (",
                                 "4,4,4 fp32 inverse on wrong against fftw", "); "});
  EXPECT_EQ(compare_json(grid, rows)["rows"][3]["verdict"], "failed");
}

TEST(CompareGrid, AFailureIsFourAndStillWritten) {
  const test::TemporaryFolder folder;
  const CompareGrid grid = grid_of({&kWrong});
  const CompareArguments arguments = quietly_into(folder.file("out.json"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(report_compare(arguments, grid, rows_of(grid)), 4);
  expect_in(testing::internal::GetCapturedStderr(), {"weft: comparison error: "});
  const auto json = nlohmann::json::parse(test::read_bytes(folder.file("out.json")));
  EXPECT_EQ(json["counts"]["failed"], 2);
}

TEST(CompareGrid, AnEngineThatIsNotThereIsSkippedAndNotRun) {
  const CompareGrid grid = grid_of({&engines()[0], &kAbsent});
  const std::vector<CompareRow> rows = rows_of(grid);
  const CompareCounts counts = count(rows);
  EXPECT_EQ(counts.ok, 4u);
  EXPECT_EQ(counts.skipped, 4u);
  expect_in(compare_text(grid, rows), {"all 4 ", "skipped: no such device", "4 ok, 4 skipped"});
}

TEST(CompareGrid, NothingIsEmulatedForReferencesThatAreNotThere) {
  CompareGrid grid = grid_of({&kFaulty});
  grid.references = {&kAbsentReference};
  const std::vector<CompareRow> rows = rows_of(grid);
  EXPECT_EQ(count(rows).skipped, 4u);
  test::expect_error(
      ErrorCategory::environment, [&] { report_compare({}, grid, rows); },
      "nothing could be compared", "mkl: not here");
}

TEST(CompareGrid, MissingMemorySkipsTheRow) {
  const CompareGrid grid = grid_of({&kShort});
  const std::vector<CompareRow> rows = rows_of(grid);
  EXPECT_EQ(count(rows).ok, 2u);
  EXPECT_EQ(count(rows).skipped, 2u);
  EXPECT_EQ(rows[0].skipped, "no memory (it is full); take less");
  const std::string text = compare_text(grid, rows);
  expect_in(text, {"skipped: no memory", "2 ok, 2 skipped"});
  EXPECT_EQ(text.find("all "), std::string::npos) << "not every row was skipped:\n" << text;
}

TEST(CompareGrid, AFailedAllocationSkipsTheRow) {
  const std::vector<CompareRow> rows = rows_of(grid_of({&kFull}));
  EXPECT_EQ(count(rows).ok, 2u);
  EXPECT_EQ(count(rows).skipped, 2u);
  EXPECT_EQ(rows[1].skipped, "out of memory");
}

TEST(CompareGrid, AFaultEndsTheWhole) {
  const CompareGrid grid = grid_of({&kFaulty});
  test::expect_error(
      ErrorCategory::program, [&] { rows_of(grid); }, "a fault");
}

/// The rows that are left when the user ends the whole in its `transform`-th transform.
std::vector<CompareRow> rows_until(const CompareGrid& grid, std::size_t transform) {
  return compare_all(grid, [&](const CompareProgress& now) {
    if (now.transform == transform) throw Interrupted("at cycle 7");
  });
}

TEST(CompareGrid, AnInterruptionKeepsWhatWasFound) {
  const CompareGrid grid = grid_of({&engines()[0], &kAbsent});
  const std::vector<CompareRow> rows = rows_until(grid, 3);
  ASSERT_EQ(rows.size(), 8u);
  const CompareCounts counts = count(rows);
  EXPECT_EQ(counts.ok, 2u);
  EXPECT_EQ(counts.interrupted, 2u);
  EXPECT_EQ(counts.skipped, 4u) << "they would not have been run anyway";
  EXPECT_TRUE(rows[4].interrupted && rows[6].interrupted);
  expect_in(compare_text(grid, rows), {"  interrupted\n", "2 ok, 2 interrupted, 4 skipped"});
  expect_in(interruption_line(rows),
            {"weft: interrupted at cycle 7, in 4,4,4 fp32 forward on host against fftw",
             "; 2 of 4 comparisons were made"});
  const auto json = compare_json(grid, rows);
  EXPECT_EQ(json["counts"]["interrupted"], 2);
  EXPECT_EQ(json["rows"][4]["verdict"], "interrupted");
  EXPECT_EQ(json["rows"][4]["reason"], "at cycle 7");
  EXPECT_TRUE(json["rows"][6]["reason"].is_null());
}

TEST(CompareGrid, AnInterruptionIsReportedEvenIfNothingWasFound) {
  const test::TemporaryFolder folder;
  const CompareGrid grid = grid_of({&kWrong});
  const CompareArguments arguments = quietly_into(folder.file("out.json"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(report_compare(arguments, grid, rows_until(grid, 1)), 130);
  EXPECT_EQ(report_compare(arguments, grid, rows_until(grid, 3)), 130) << "more than a failure";
  expect_in(testing::internal::GetCapturedStderr(),
            {"0 of 4 comparisons were made", "1 of 2 comparisons failed",
             "2 of 4 comparisons were made"});
  const auto json = nlohmann::json::parse(test::read_bytes(folder.file("out.json")));
  EXPECT_EQ(json["counts"]["failed"], 1);
}

TEST(CompareGrid, ProgressGrowsToTheEnd) {
  double last = 0;
  std::uint64_t pe_cycles = 0;
  CompareGrid grid = grid_of({&engines()[0]});
  grid.shapes = {{8, 8, 8}, {32, 32, 32}};
  compare_all(grid, [&](const CompareProgress& now) {
    EXPECT_GE(fraction(now), last);
    EXPECT_GE(now.pe_cycles, pe_cycles);
    EXPECT_LE(fraction(now), 1);
    last = fraction(now);
    pe_cycles = now.pe_cycles;
    EXPECT_GE(now.transform, 1u);
    EXPECT_LE(now.transform, now.transforms);
  });
  EXPECT_GT(last, 0);
}

TEST(CompareProgress, CountsATransformAtItsEndIfNobodyKnowsHowFarItIs) {
  CompareProgress progress{.done = 0.5, .share = 0.25, .run = FftProgress{.cycle = 7}};
  EXPECT_EQ(fraction(progress), 0.5);
  progress.run->expectation = [] { return FftExpectation{14, 0.5, "transpose rows"}; };
  EXPECT_EQ(fraction(progress), 0.625);
}

}  // namespace
}  // namespace weft::cli::compare_grid_test
