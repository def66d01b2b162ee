// `weft fft --profile` and `weft explain`: where the cycles of a run went.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "support/generated_text.hpp"
#include "support/temporary_folder.hpp"
#include "weft/weft.hpp"

namespace weft::test::explain_test {
namespace {

class Explained : public testing::Test {
 protected:
  CommandResult transform(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"fft",       "--shape",   "8,8,8", "--engine",
                                   "reference", "--profile", run_};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.file("run.weft");
};

TEST_F(Explained, ATransformWritesItsProfile) {
  const CommandResult result = transform({"--windows", "16", "--json", folder_.file("run.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Profile p = Profile::load(run_);
  EXPECT_EQ(p.width, 8);
  EXPECT_GT(p.windows, 7);
  const auto report = nlohmann::json::parse(text_of(folder_.file("run.json")));
  const auto& phases = report.at("cycles").at("phases");
  ASSERT_EQ(p.phases.size(), phases.size());
  for (std::size_t n = 0; n < p.phases.size(); ++n)
    EXPECT_EQ(p.phases[n].name, phases[n].at("name"));
}

TEST_F(Explained, AsTextAndAsJson) {
  ASSERT_EQ(transform().exit_code, 0);
  const CommandResult text = run_weft({"explain", run_});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.out, explanation_text(Profile::load(run_)));
  const CommandResult result = run_weft({"explain", run_, "--json", "-"});
  const auto json = nlohmann::json::parse(result.out);
  const Explanation e = explain(Profile::load(run_));
  EXPECT_EQ(json.at("cycles"), e.cycles);
  ASSERT_EQ(json.at("findings").size(), e.findings.size());
  ASSERT_FALSE(e.findings.empty());
  EXPECT_EQ(json.at("findings")[0].at("kind"), to_string(e.findings.front().kind));
  EXPECT_EQ(json.at("phases").size(), e.phases.size());
}

TEST_F(Explained, ByTheCriticalPathOfEachEngine) {
  ASSERT_EQ(transform({"--path"}).exit_code, 0);
  const Profile p = Profile::load(run_);
  ASSERT_FALSE(p.path.empty());
  const CommandResult host = run_weft({"fft", "--shape", "8,8,8", "--path", "--profile", run_});
  ASSERT_EQ(host.exit_code, 0) << host.err;
  EXPECT_EQ(Profile::load(run_), p);
  const std::string text = run_weft({"explain", run_}).out;
  EXPECT_NE(text.find("the critical path, exactly"), std::string::npos) << text;
  EXPECT_NE(host.out.find(text), std::string::npos) << host.out;
  const auto path =
      nlohmann::json::parse(run_weft({"explain", run_, "--json", "-"}).out).at("path");
  for (const char* parts : {"kinds", "phases", "places"}) {
    std::uint64_t cycles = 0;
    for (const auto& each : path.at(parts)) cycles += each.at("cycles").get<std::uint64_t>();
    EXPECT_EQ(cycles, p.cycles) << parts;
  }
}

TEST_F(Explained, APathThatNobodyWouldSeeIsRefused) {
  for (const char* rest : {"--quiet", "--json=-"}) {
    const CommandResult result = run_weft({"fft", "--shape", "8,8,8", "--path", rest});
    EXPECT_EQ(result.exit_code, 2) << rest;
    EXPECT_NE(result.err.find("--path has nowhere to show the critical path"), std::string::npos)
        << result.err;
  }
}

TEST_F(Explained, ADeadlockLeavesItsProfile) {
  folder_.write("late.json", R"({"name": "late", "hop_cycles": 2, "ramp_cycles": 5,
      "output_queue_2_3_depth": 3, "scalar_f32_cycles": 48, "branch_taken_cycles": 12,
      "vector_start_cycles": 55, "move32_rate": 6, "two_source_divisor": 3,
      "task_start_cycles": 235})");
  const CommandResult result =
      run_weft({"fft", "--shape", "8,8,8", "--precision", "fp16", "--transpose", "published",
                "--machine", folder_.file("late.json"), "--profile", run_});
  ASSERT_EQ(result.exit_code, 3) << result.out;
  const Profile p = Profile::load(run_);
  ASSERT_TRUE(p.stuck);
  EXPECT_FALSE(p.stuck->waits.empty());
  const std::string text = run_weft({"explain", run_}).out;
  EXPECT_NE(text.find("Who waits for whom"), std::string::npos) << text;
}

TEST_F(Explained, WhatIsNoRunIsRefused) {
  folder_.write("run.weft", "no archive");
  EXPECT_EQ(run_weft({"explain", run_}).exit_code, 2);
  EXPECT_EQ(run_weft({"explain", folder_.file("none.weft")}).exit_code, 2);
  EXPECT_EQ(transform({"--windows", "100"}).exit_code, 2);
  EXPECT_EQ(text_of(run_), "no archive");
}

}  // namespace
}  // namespace weft::test::explain_test
