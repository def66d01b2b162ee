// The transform that takes the fewest cycles by estimate.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"

namespace weft::test::fft_fastest_test {
namespace {

TEST(FftFastest, IsReportedAndTaken) {
  const std::vector<std::string> cube = {"fft", "--shape", "16,16,16"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), cube.begin(), cube.end());
    const CommandResult result = run_weft(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string best = "expected, by --transpose halves --pencil radix4";
  EXPECT_NE(with({"--plan"}).find(best), std::string::npos);
  EXPECT_NE(with({"--no-data"}).find(best), std::string::npos);
  const std::string fastest = with({"--transpose", "fastest", "--pencil", "fastest"});
  for (const char* part : {"by halves", "radix4", "ok: relative L2 error"})
    EXPECT_NE(fastest.find(part), std::string::npos) << part << '\n' << fastest;
  EXPECT_EQ(fastest.find("expected, by"), std::string::npos) << fastest;
  const auto ring = nlohmann::json::parse(with({"--transpose", "ring", "--plan", "--json", "-"}));
  EXPECT_EQ(ring["colors"], 12);
  EXPECT_EQ(ring["filters"], 0);
  EXPECT_EQ(ring["transpose"], "ring");
  EXPECT_EQ(ring["expected_cycles"]["fastest"]["transpose"], "halves");
}

/// Of these sides the published form leaves PEs out, for less padding; a ring does not.
TEST(FftFastest, HasAMeshOfItsOwn) {
  const auto plan = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"fft", "--plan", "--shape", "60,48,80"});
    const CommandResult result = run_weft(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string published = plan({}), fastest = plan({"--transpose", "fastest"});
  EXPECT_NE(published.find("40 x 48 PEs"), std::string::npos) << published;
  const std::string line = "by --transpose ring --pencil radix4";
  EXPECT_NE(published.find(line + " on 60 x 48 PEs"), std::string::npos) << published;
  EXPECT_NE(fastest.find("60 x 48 PEs, 80 numbers each"), std::string::npos) << fastest;
  const std::string asked = plan({"--mesh", "40,48"});
  EXPECT_NE(asked.find(line + "\n"), std::string::npos) << asked;
  const auto json = nlohmann::json::parse(plan({"--json", "-"}));
  EXPECT_EQ(json["expected_cycles"]["fastest"]["mesh"], (std::vector{60, 48}));
}

TEST(FftHalves, TellOfTheLargerMeshOfOthers) {
  const auto plan = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"fft", "--transpose", "halves", "--plan", "--shape", "128,128,128"});
    return run_weft(more).out;
  };
  const std::string line = "halves take no longer lines, other transposes 128 x 128";
  EXPECT_NE(plan({}).find("64 x 64 PEs, 512 numbers each; " + line), std::string::npos);
  EXPECT_EQ(plan({"--mesh", "64,64"}).find(line), std::string::npos);
}

}  // namespace
}  // namespace weft::test::fft_fastest_test
