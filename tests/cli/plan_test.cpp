// `weft fft --plan`: what a run will take.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "fft_json.hpp"

namespace weft::test::plan_test {
namespace {

using nlohmann::json;

TEST(Plan, SaysWhatTheRunThenTakes) {
  const json plan = run_json({"--shape", "64,64,64", "--plan"});
  const json run = run_json({"--shape", "64,64,64", "--no-data"});
  EXPECT_EQ(plan["mesh"], run["mesh"]);
  EXPECT_EQ(plan["colors"], 4);
  EXPECT_EQ(plan["filters"], 4);
  EXPECT_EQ(plan["root_bytes"], 32 * 8);  // radix 2: exp(-2 pi I k / 64) for k < 32
  EXPECT_EQ(plan["shapes"], 0);
  EXPECT_GT(run_json({"--shape", "64,64,64", "--pencil", "radix4", "--plan"})["shapes"], 0);
  EXPECT_EQ(plan["expected_cycles"]["phases"].size(), run["cycles"]["phases"].size());
  const auto cycles = run["cycles"]["total"].get<double>();
  EXPECT_NEAR(plan["expected_cycles"]["total"].get<double>(), cycles, 0.05 * cycles);
  EXPECT_NEAR(plan["expected_cycles"]["published"].get<double>(), cycles, 0.1 * cycles);

  const CommandResult text = run_weft({"fft", "--shape", "16777216", "--plan"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"256 x 256 PEs, 256 numbers each", "of 49,152 bytes", "4 colors"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << '\n' << text.out;
}

TEST(Plan, SaysHowTheArrayIsDivided) {
  const auto division = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--plan");
    return run_json(arguments)["division"].get<std::string>();
  };
  EXPECT_EQ(division({"--shape", "64,32,16"}),
            "4 pencils of 16 numbers in a PE, then 1 of 64, then 2 of 32");
  EXPECT_EQ(division({"--shape", "64,64", "--mesh", "8,8"}),
            "a line of 64 PEs, folded: 1 pencil of 64 numbers in a PE, then 1 of 64");
  EXPECT_EQ(division({"--shape", "16777216"}),
            "digits of the index, 256 x 256 x 256: 1 pencil of 256 numbers in a PE, then 1 of 256, "
            "then 1 of 256");
  EXPECT_EQ(
      division({"--shape", "16,16,16", "--kind", "r2c", "--mesh", "4,16"}),
      "half a spectrum of 9 numbers, padded to 12: 2 pencils of 16 numbers in a PE, then 3 of "
      "16, then 3 of 16; 25.0 % of its room is padding");
  EXPECT_EQ(
      division({"--shape", "16,16,16", "--batch", "4", "--mesh", "32,16"}),
      "2 x 1 arrays side by side, 16 x 16 PEs each: 1 pencil of 16 numbers in a PE, then 1 of "
      "16, then 1 of 16");
}

}  // namespace
}  // namespace weft::test::plan_test
