// Results read from the output of programs, also of those that fail, crash or are killed.
#include <gtest/gtest.h>

#include "gpu_check/steps.hpp"

namespace weft::test::readers_test {
namespace {

using namespace gpu_check;

Finished with_output(const std::string& out, int exit_code = 0) {
  Finished finished;
  finished.exit_code = exit_code;
  finished.seconds = 3;
  finished.out = out;
  return finished;
}

Report read(Reader* reader, const Finished& finished) {
  Report report;
  Step step;
  step.name = "a step";
  reader(step, finished, report);
  return report;
}

const char* const kTests =
    "[----------] 3 tests from A\n"
    "[ RUN      ] A.Fits\n"
    "[       OK ] A.Fits (1234 ms)\n"
    "[ RUN      ] A.Differs/4\n"
    "a_test.cpp:12: Failure\n"
    "Expected equality of these values:\n"
    "[  FAILED  ] A.Differs/4, where GetParam() = (4, 8-byte object <01-00>) (20 ms)\n"
    "[ RUN      ] A.CannotRun\n"
    "a_test.cpp:20: Skipped\n"
    "no CUDA device\n"
    "\n"
    "[  SKIPPED ] A.CannotRun (0 ms)\n";

TEST(GpuCheckReaders, TestsEndInThreeWays) {
  const std::string summary = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.Differs/4\n";
  const Report report = read(read_tests, with_output(kTests + summary, 1));
  ASSERT_EQ(report.checks.size(), 3U);
  EXPECT_EQ(report.checks[0].verdict, Verdict::passed);
  EXPECT_EQ(report.checks[0].name, "A.Fits");
  EXPECT_DOUBLE_EQ(report.checks[0].seconds, 1.234);
  EXPECT_EQ(report.checks[0].reason, "");
  EXPECT_EQ(report.checks[1].verdict, Verdict::failed);
  EXPECT_EQ(report.checks[1].reason, "a_test.cpp:12: Failure\nExpected equality of these values:");
  EXPECT_EQ(report.checks[2].verdict, Verdict::skipped);
  EXPECT_EQ(report.checks[2].reason, "no CUDA device");
}

TEST(GpuCheckReaders, ATestThatDoesNotEndFailsUnlessItsStepWasKilled) {
  Finished finished = with_output(std::string(kTests) + "[ RUN      ] A.Crashes\n", 139);
  const Check crashed = read(read_tests, finished).checks.back();
  EXPECT_EQ(crashed.name, "A.Crashes");
  EXPECT_EQ(crashed.verdict, Verdict::failed);
  EXPECT_EQ(crashed.reason, "it did not end");
  finished.killed = true;
  EXPECT_EQ(read(read_tests, finished).checks.back().verdict, Verdict::skipped);
}

TEST(GpuCheckReaders, ASanitizerFindsErrorsNoneOrNoDevice) {
  const std::string tests = "[ RUN      ] A.Fits\n[       OK ] A.Fits (1 ms)\n";
  const auto last = [&](const std::string& said, int exit_code) {
    return read(read_sanitizer, with_output(tests + said, exit_code)).checks.back();
  };
  EXPECT_EQ(last("========= ERROR SUMMARY: 0 errors\n", 0).verdict, Verdict::passed);
  EXPECT_EQ(
      last("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n", 0).verdict,
      Verdict::passed);
  const Check failed = last("========= ERROR SUMMARY: 2 errors\n", 99);
  EXPECT_EQ(failed.verdict, Verdict::failed);
  EXPECT_EQ(failed.reason, "exit code 99; ERROR SUMMARY: 2 errors");
  EXPECT_EQ(last("", 0).verdict, Verdict::failed);
  const Report refused = read(
      read_sanitizer, with_output("========= Error: Device not supported. Please refer to\n", 1));
  ASSERT_EQ(refused.checks.size(), 1U);
  EXPECT_EQ(refused.checks[0].verdict, Verdict::skipped);
}

TEST(GpuCheckReaders, ComparisonsThatWereSkippedForOneReasonAreOne) {
  const std::string row =
      R"({"shape": [8, 8, 8], "precision": "fp32", "direction": "forward", "engine": "cuda",
          "bound": 1e-6, "wall_seconds": 2, "reference_wall_seconds": 0.5, )";
  const Report report = read(
      read_compare,
      with_output("{\"rows\": [" + row +
                  R"("reference": "fftw", "verdict": "ok", "rel_l2": 1e-7, "reason": null},)" +
                  row +
                  R"("reference": "fftw", "verdict": "failed", "rel_l2": 2, "reason": null},)" +
                  row + R"("reference": "cufft", "verdict": "skipped", "reason": "none"},)" + row +
                  R"("reference": "cufft", "verdict": "skipped", "reason": "none"}]})"));
  ASSERT_EQ(report.checks.size(), 3U);
  EXPECT_EQ(report.checks[0].verdict, Verdict::passed);
  EXPECT_EQ(report.checks[1].verdict, Verdict::failed);
  EXPECT_EQ(report.checks[1].reason, "relative L2 error 2, bound 1e-06");
  EXPECT_EQ(report.checks[2].name, "2 comparisons");
  EXPECT_EQ(report.checks[2].reason, "cufft: none");
  ASSERT_EQ(report.timings.size(), 2U);
  EXPECT_EQ(report.timings[0].what, "8^3 fp32 forward with copies, cuda engine");
  EXPECT_DOUBLE_EQ(report.timings[0].measured, 2);
}

TEST(GpuCheckReaders, NvidiaSmiHasALineForEachDevice) {
  const Report report =
      read(read_smi, with_output("name, clocks.current.sm [MHz]\nA GPU, 1980 MHz\nB, 345 MHz\n"));
  ASSERT_EQ(report.readings.size(), 2U);
  EXPECT_EQ(report.readings[0].values.at("name"), "A GPU");
  EXPECT_EQ(report.readings[1].values.at("clocks.current.sm [MHz]"), "345 MHz");
}

}  // namespace
}  // namespace weft::test::readers_test
