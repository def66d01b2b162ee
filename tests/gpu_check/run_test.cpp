// The folder as it travels, tried on the imitation of a device, and with programs that fail.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu_check/command.hpp"
#include "paths.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::run_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kBuilt = WEFT_BINARY_DIR "/gpu-check";

struct Outcome {
  int exit_code;
  std::string out, text;
  json report;

  /// The results of a step's checks, and their reasons.
  std::string results(const std::string& step) const {
    std::string all;
    for (const json& check : report["checks"])
      if (check["step"] == step)
        all += check["result"].get<std::string>() + " " + check["reason"].get<std::string>() + "\n";
    return all;
  }
};

/// A folder of its own, in which programs can be others.
class GpuCheckFolder : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kBuilt / "imitation/weft")) GTEST_SKIP() << "no imitation on this processor";
    for (const char* part : {"bin", "imitation"}) fs::create_directory(folder_.file(part));
    fs::copy_file(kBuilt / "run", folder_.file("run"));
    fs::copy_file(kBuilt / "bin/gpu-check", folder_.file("bin/gpu-check"));
    fs::create_symlink(WEFT_CLI_PATH, folder_.file("bin/weft"));
    for (const char* program : {"weft-test-gpu", "bench-device"})
      fs::create_symlink("/bin/true", folder_.file(std::string("bin/") + program));
    for (const char* program : {"weft", "weft-test-gpu", "bench-device"}) {
      const fs::path built = kBuilt / "imitation" / program;
      fs::create_symlink(fs::exists(built) ? built : "/bin/true",
                         folder_.file(std::string("imitation/") + program));
    }
  }

  /// Puts a shell script into the place of a program.
  void replace(const std::string& program, const std::string& script) {
    const std::string path = folder_.write(program, "#!/bin/sh\n" + script);
    ::chmod(path.c_str(), 0755);
  }

  Outcome run(std::vector<std::string> arguments,
              std::map<std::string, std::string> environment = {}) {
    std::vector<std::string> words = {folder_.file("run"), "--out", folder_.file("report")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const gpu_check::Finished finished = gpu_check::run({words, environment}, 500);
    return {finished.exit_code, finished.out, read_bytes(folder_.file("report/report.txt")),
            json::parse(read_bytes(folder_.file("report/report.json")), nullptr, false)};
  }

  TemporaryFolder folder_;
};

TEST_F(GpuCheckFolder, TellsAllThatItShould) {
  const Outcome outcome = run({"--imitation", "--seconds", "3000", "--step-seconds", "1000"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with(outcome.text));
  for (const char* title : {"\nDevice\n", "\nHost\n", "\nPassed\n", "\nSteps\n", "\nTimings\n",
                            "\nSkipped\n", "  name                        CUDA on the host\n"})
    EXPECT_NE(outcome.text.find(title), std::string::npos) << title << "\n" << outcome.text;
  EXPECT_EQ(outcome.text.find("\nFailed\n"), std::string::npos);

  const json& report = outcome.report;
  EXPECT_EQ(report["state"], "finished");
  EXPECT_EQ(report["imitation"], true);
  EXPECT_EQ(report["devices"][0]["compute_capability"], "9.0");
  EXPECT_EQ(report["counts"]["failed"], 0);
  for (const char* step : {"transforms of side 4", "random fabrics", "compared with references"})
    EXPECT_NE(outcome.results(step).find("passed"), std::string::npos) << step;
  for (const char* tool : {"memcheck", "racecheck", "synccheck"})
    EXPECT_EQ(outcome.results(std::string("compute-sanitizer ") + tool).rfind("skipped ", 0), 0U);

  int reckoned = 0;
  for (const json& timing : report["timings"]) {
    EXPECT_GT(timing["measured"], 0);
    EXPECT_TRUE(timing["unit"] == "s" || timing["unit"] == "us");
    if (timing["reckoned"].is_null()) continue;
    ++reckoned;
    EXPECT_DOUBLE_EQ(timing["ratio"].get<double>(),
                     timing["measured"].get<double>() / timing["reckoned"].get<double>());
  }
  EXPECT_EQ(reckoned, fs::exists(kBuilt / "imitation/bench-device") ? 4 : 0);
  EXPECT_FALSE(read_bytes(folder_.file("report/log.txt")).empty());
}

TEST_F(GpuCheckFolder, FindsAWrongBit) {
  const Outcome outcome =
      run({"--imitation", "--only", "side 4"}, {{"WEFT_FAULTY_IMITATION", "1"}});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_GT(outcome.report["counts"]["failed"], 0);
  EXPECT_NE(outcome.results("transforms of side 4").find("failed "), std::string::npos);
  const std::size_t failed = outcome.text.find("\nFailed\n");
  ASSERT_NE(failed, std::string::npos);
  EXPECT_NE(outcome.text.find("Which is: \"memory word", failed), std::string::npos);
}

TEST_F(GpuCheckFolder, GoesOnAfterAStepThatDoesNotEnd) {
  replace("imitation/weft", "echo '{\"absent\": {}}'\n");
  replace("imitation/weft-test-gpu", "echo '[ RUN      ] A.Hangs'; sleep 1000\n");
  replace("imitation/bench-device", "echo '{\"benchmarks\": []}'\n");
  const Outcome outcome = run({"--imitation", "--step-seconds", "5", "--only", "side 4"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.results("transforms of side 4"),
            "skipped under way when killed\nfailed killed at its limit of 5 s\n");
  EXPECT_EQ(outcome.results("steps timed, side 4"), "failed it gave no result\n");
}

TEST_F(GpuCheckFolder, GoesOnAfterAStepThatCrashes) {
  replace("imitation/weft-test-gpu", "echo '[ RUN      ] A.Crashes'; kill -SEGV $$\n");
  replace("imitation/bench-device", "echo out of memory >&2; exit 1\n");
  const Outcome outcome = run({"--imitation", "--only", "side 4"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.results("transforms of side 4"), "failed it did not end\n");
  EXPECT_EQ(outcome.results("steps timed, side 4"), "failed exit code 1\nout of memory\n");
}

TEST_F(GpuCheckFolder, LeavesOutWhatTheRunHasNoTimeFor) {
  replace("imitation/weft", "echo '{\"absent\": {}}'\n");
  replace("imitation/weft-test-gpu", "sleep 1000\n");
  const Outcome outcome = run({"--imitation", "--seconds", "6", "--only", "side 4"});
  EXPECT_EQ(outcome.exit_code, 124);
  EXPECT_EQ(outcome.report["state"], "out of time");
  EXPECT_EQ(outcome.results("transforms of side 4").rfind("skipped the run's 6 s were over", 0), 0U)
      << outcome.text;
  EXPECT_EQ(outcome.results("steps timed, side 4"),
            "skipped no time was left of the 6 s of the run\n");
}

TEST_F(GpuCheckFolder, LeavesAReportWhenItIsInterrupted) {
  replace("imitation/weft-test-gpu", "kill -TERM $PPID; sleep 1000\n");
  const Outcome outcome = run({"--imitation", "--only", "side 4"});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.report["state"], "interrupted");
  EXPECT_EQ(outcome.report["devices"][0]["name"], "CUDA on the host");
  EXPECT_EQ(outcome.report["steps"].back()["name"], "transforms of side 4");
  EXPECT_TRUE(outcome.text.ends_with("; interrupted\n")) << outcome.text;
}

TEST_F(GpuCheckFolder, GoesOnWhereNobodyReads) {
  replace("imitation/weft", "echo '{\"absent\": {}}'\n");
  replace("imitation/weft-test-gpu",
          "echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; sleep 1\n");
  replace("started", folder_.file("run") + " --imitation --only 'side 4' --out " +
                         folder_.file("report") + " | true\n");
  gpu_check::run({{folder_.file("started")}}, 100);
  const json report = json::parse(read_bytes(folder_.file("report/report.json")), nullptr, false);
  EXPECT_EQ(report["state"], "finished");
}

TEST_F(GpuCheckFolder, TakesNothingAmissOfTheMachinesOwnPrograms) {
  replace("nvidia-smi", "echo 'Failed to initialize NVML'; exit 9\n");
  const Outcome outcome =
      run({"--only", "nvidia-smi"},
          {{"PATH", folder_.file("") + ":/usr/bin:/bin"}, {"CUDA_VISIBLE_DEVICES", ""}});
  EXPECT_EQ(outcome.exit_code, 77) << outcome.text;
  EXPECT_EQ(outcome.results("nvidia-smi before"), "skipped exit code 9\n");
}

TEST_F(GpuCheckFolder, SaysThatWithoutADeviceNothingIsChecked) {
  const Outcome outcome = run({}, {{"CUDA_VISIBLE_DEVICES", ""}});
  EXPECT_EQ(outcome.exit_code, 77) << outcome.text;
  EXPECT_EQ(outcome.report["counts"]["passed"], 0);
  EXPECT_EQ(outcome.report["counts"]["failed"], 0);
  EXPECT_GT(outcome.report["counts"]["skipped"], 10);
  for (const json& check : outcome.report["checks"]) EXPECT_NE(check["reason"], "");
  EXPECT_NE(outcome.text.find("skipped; there is no CUDA device to check ("), std::string::npos);
}

TEST_F(GpuCheckFolder, RunsTestsUnderTheSanitizerThatIsNamed) {
  replace("imitation/weft-test-gpu",
          "echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; echo \"$1\"\n");
  replace("sanitizer",
          "tool=$2; shift 6\n"
          "\"$@\"\n"
          "[ $tool = racecheck ] && echo 'ERROR SUMMARY: 1 error' && exit 99\n"
          "echo '========= ERROR SUMMARY: 0 errors'\n");
  const Outcome outcome = run({"--imitation", "--only", "sanitizer"},
                              {{"COMPUTE_SANITIZER", folder_.file("sanitizer")}});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.results("compute-sanitizer memcheck"), "passed \npassed \n");
  EXPECT_EQ(outcome.results("compute-sanitizer racecheck"),
            "passed \nfailed exit code 99; ERROR SUMMARY: 1 error\n");
}

TEST_F(GpuCheckFolder, StartsWhereACopyHasLostItsPermissions) {
  ::chmod(folder_.file("bin/gpu-check").c_str(), 0644);
  const gpu_check::Finished finished =
      gpu_check::run({{"/bin/sh", folder_.file("run"), "--help"}}, 100);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
}

TEST_F(GpuCheckFolder, RefusesAFolderThatIsNotWhole) {
  fs::remove(folder_.file("bin/bench-device"));
  const gpu_check::Finished finished = gpu_check::run({{folder_.file("run")}}, 100);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_NE(finished.err.find("bench-device is missing); copy the whole folder"), std::string::npos)
      << finished.err;
}

}  // namespace
}  // namespace weft::test::run_test
