// S3DFT by the command: reports, plans, comparisons and refusals.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "command.hpp"
#include "fft_json.hpp"

namespace weft::test::s3dft_test {
namespace {

std::vector<std::string> s3dft(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"--algorithm", "s3dft"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

TEST(S3dftCommand, ReportsStagesAndForm) {
  for (const auto& [form, phases] : {std::pair{"held", 3}, std::pair{"cannon", 5}}) {
    const auto json = run_json(s3dft({"--shape", "12,6,6", "--s3dft-form", form}));
    EXPECT_EQ(json["algorithm"], "s3dft");
    EXPECT_EQ(json["s3dft_form"], form);
    EXPECT_TRUE(json["transpose"].is_null());
    EXPECT_TRUE(json["pencil"].is_null());
    EXPECT_TRUE(json["fastest"].is_null());
    EXPECT_EQ(json["mesh"], (std::vector{6, 6}));
    EXPECT_EQ(json["cycles"]["phases"].size(), phases);
    EXPECT_EQ(json["cycles"]["communication"].get<int>() > 0, std::string(form) == "cannon");
    EXPECT_TRUE(json["error"]["ok"]);
    EXPECT_FALSE(json["busiest_link"].is_null());
  }
  const auto wsfft = run_json({"--shape", "8,8,8"});
  EXPECT_EQ(wsfft["algorithm"], "wsfft");
  EXPECT_EQ(wsfft["transpose"], "published");
  EXPECT_TRUE(wsfft["s3dft_form"].is_null());
}

TEST(S3dftCommand, TellsWhatARunWillTake) {
  const auto plan = run_json(s3dft({"--shape", "32,32,32", "--mesh", "16,16", "--plan"}));
  const auto run = run_json(s3dft({"--shape", "32,32,32", "--mesh", "16,16", "--no-data"}));
  EXPECT_EQ(plan["expected_cycles"]["total"], run["cycles"]["total"]);
  EXPECT_EQ(plan["colors"], 6);
  const CommandResult text = run_weft({"fft", "--algorithm", "s3dft", "--plan"});
  EXPECT_NE(text.out.find("s3dft, held"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("sums along k"), std::string::npos);
}

TEST(S3dftCommand, ComparesWithFftw) {
  const CommandResult result = run_weft({"compare", "--algorithm", "s3dft", "--shapes", "6,8",
                                         "--shape", "5,4,6", "--references", "fftw"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("12 ok"), std::string::npos) << result.out;
}

TEST(S3dftCommand, RefusesWhatItLacks) {
  struct Case {
    std::vector<std::string> arguments, parts;
  };
  for (const auto& [arguments, parts] :
       {Case{{"--transpose", "ring"}, {"--transpose with --algorithm s3dft", "of wsfft"}},
        Case{{"--pencil", "radix4"}, {"--pencil with --algorithm s3dft"}},
        Case{{"--shape", "12,12,12", "--mesh", "5,12"},
             {"5 PEs along x", "5 does not divide 12", "the nearest that do: 4 and 6"}},
        Case{{"--shape", "12,12,12", "--mesh", "12,24"},
             {"24 PEs along y", "the nearest that does: 12"}},
        Case{{"--shape", "64,64"}, {"three axes only", "--shape 20,12,30"}},
        Case{{"--shape", "64"}, {"three axes only"}},
        Case{{"--shape", "8,8,8", "--kind", "r2c"}, {"complex arrays only"}},
        Case{{"--shape", "8,8,8", "--mesh", "8,4", "--s3dft-form", "cannon"},
             {"no cannon among 8 x 4 PEs", "take 8 x 8 PEs, or the form held"}},
        Case{{"--s3dft-form", "canon"}, {"known: held, cannon", "the nearest is cannon"}}}) {
    std::vector<std::string> all{"fft"};
    for (const std::string& word : s3dft(arguments)) all.push_back(word);
    expect_error_line(run_weft(all), 2, "usage", parts);
  }
  expect_error_line(run_weft({"fft", "--algorithm", "s3df"}), 2, "usage",
                    {"known: wsfft, s3dft", "the nearest is s3dft"});
  expect_error_line(run_weft({"fft", "--s3dft-form", "held"}), 2, "usage",
                    {"--s3dft-form with --algorithm wsfft"});
  expect_error_line(
      run_weft({"fft", "--algorithm", "s3dft", "--shape", "32,32,32", "--mesh", "4,4"}), 2,
      "machine profile",
      {"blocks of 2048 numbers", "pe_memory_bytes is 49152", "take at least",
       "raise the machine's"});
}

}  // namespace
}  // namespace weft::test::s3dft_test
