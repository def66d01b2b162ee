// S3DFT by the command: reports, plans, comparisons and refusals.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "command.hpp"
#include "fft_json.hpp"
#include "io/volume_file.hpp"
#include "support/temporary_folder.hpp"

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

TEST(S3dftCommand, LaysCubesInTiles) {
  const auto cubes = s3dft({"--s3dft-form", "cubes", "--shape", "8,8,8", "--mesh", "8,8"});
  const auto run = run_json(cubes);
  EXPECT_EQ(run["s3dft_form"], "cubes");
  EXPECT_EQ(run["cycles"]["phases"].size(), 6);
  EXPECT_TRUE(run["error"]["ok"]);
  EXPECT_FALSE(run["busiest_link"].is_null());
  auto asked = cubes;
  asked.emplace_back("--plan");
  const auto plan = run_json(asked);
  EXPECT_EQ(plan["expected_cycles"]["total"], run["cycles"]["total"]);
  EXPECT_EQ(plan["division"], "4 x 4 x 4 nodes with blocks of side 2, in tiles of 2 x 2 PEs");
}

TEST(S3dftCommand, SaysNothingOfPencils) {
  for (const bool plans : {false, true}) {
    auto asked = s3dft({"--shape", "6,6,6"});
    asked.insert(asked.begin(), "fft");
    if (plans) asked.emplace_back("--plan");
    const CommandResult told = run_weft(asked);
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_NE(told.out.find("s3dft, held"), std::string::npos) << told.out;
    EXPECT_EQ(told.out.find("automatic"), std::string::npos) << told.out;
  }
}

TEST(S3dftCommand, EstimatesWhatARunWillTake) {
  const auto plan = run_json(s3dft({"--shape", "32,32,32", "--mesh", "16,16", "--plan"}));
  const auto run = run_json(s3dft({"--shape", "32,32,32", "--mesh", "16,16", "--no-data"}));
  EXPECT_EQ(plan["expected_cycles"]["total"], run["cycles"]["total"]);
  EXPECT_EQ(plan["colors"], 6);
  EXPECT_TRUE(plan["expected_cycles"]["published"].is_null());
  EXPECT_LT(plan["expected_cycles"]["by_formula"], run["cycles"]["total"]);
  EXPECT_LT(run["fastest"]["cycles"], run["cycles"]["total"]);
  EXPECT_EQ(run["fastest"]["algorithm"], "wsfft");
  EXPECT_EQ(run["fastest"], plan["expected_cycles"]["fastest"]);
  // Sides of 7 are not wsFFT's.
  EXPECT_TRUE(run_json(s3dft({"--shape", "7,7,7", "--no-data"}))["fastest"].is_null());
  const CommandResult text = run_weft({"fft", "--algorithm", "s3dft", "--plan"});
  EXPECT_NE(text.out.find("s3dft, held"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("sums along k"), std::string::npos);
  EXPECT_NE(text.out.find("expected, by --algorithm wsfft --transpose halves"), std::string::npos)
      << text.out;
}

TEST(S3dftCommand, ComparesWithFftw) {
  const CommandResult result = run_weft({"compare", "--algorithm", "s3dft", "--shapes", "6,8",
                                         "--shape", "5,4,6", "--references", "fftw"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("12 ok"), std::string::npos) << result.out;
}

TEST(S3dftCommand, ComparesTheFormThatIsAskedFor) {
  const std::vector<std::string> compare{
      "compare", "--algorithm",  "s3dft", "--s3dft-form", "cannon", "--shapes", "6", "--precisions",
      "fp32",    "--references", "fftw",  "--directions", "forward"};
  const CommandResult text = run_weft(compare);
  EXPECT_NE(text.out.find("s3dft, cannon;"), std::string::npos) << text.out;
  std::vector<std::string> as_json = compare;
  as_json.insert(as_json.end(), {"--json", "-"});
  const CommandResult json = run_weft(as_json);
  EXPECT_NE(json.out.find("\"s3dft_form\": \"cannon\""), std::string::npos) << json.out;
}

TEST(S3dftCommand, WarnsOfNumbersThatAreNotFinite) {
  const TemporaryFolder folder;
  const std::string file = folder.file("large.npy");
  io::write_npy(file, {4, 4, 4}, std::vector<std::complex<float>>(64, {2000, 0}));
  std::vector<std::string> run{"fft",     "--algorithm", "s3dft", "--input",     file,
                               "--quiet", "--precision", "fp16",  "--reference", "none"};
  const CommandResult warned = run_weft(run);
  EXPECT_EQ(warned.exit_code, 0);
  EXPECT_NE(warned.err.find("result warning: 1 of 64 numbers are not finite"), std::string::npos)
      << warned.err;
  run.insert(run.end(), {"--norm", "forward"});
  EXPECT_EQ(run_weft(run).err, "");
}

/// Without the last axis it would be refused too.
TEST(S3dftCommand, AdvisesNoReshapeThatDoesNotHelp) {
  const TemporaryFolder folder;
  const std::string file = folder.file("flat.npy");
  io::write_npy(file, {20, 12, 1}, std::vector<std::complex<float>>(240));
  const CommandResult result = run_weft({"fft", "--algorithm", "s3dft", "--input", file});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.err.find("three axes only"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("reshape"), std::string::npos) << result.err;
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
        Case{{"--shape", "12,12,12", "--mesh", "13,12", "--batch", "2"},
             {"13 PEs along x", "arrays side by side take multiples of 12"}},
        Case{{"--shape", "12,12,12", "--mesh", "10,12", "--batch", "2"}, {"10 PEs along x"}},
        Case{{"--shape", "64,64"}, {"three axes only", "--shape 20,12,30"}},
        Case{{"--shape", "64"}, {"three axes only"}},
        Case{{"--shape", "8,8,8", "--kind", "r2c"}, {"complex arrays only"}},
        Case{{"--shape", "8,8,8", "--mesh", "8,4", "--s3dft-form", "cannon"},
             {"invalid mesh for cannon: 8 x 4 PEs", "take 8 x 8 PEs, or the form held"}},
        Case{{"--s3dft-form", "canon"}, {"known: held, cannon", "the nearest is cannon"}}}) {
    std::vector<std::string> all{"fft"};
    for (const std::string& word : s3dft(arguments)) all.push_back(word);
    expect_error_line(run_weft(all), 2, "usage", parts);
  }
  expect_error_line(run_weft({"fft", "--algorithm", "s3df"}), 2, "usage",
                    {"known: wsfft, s3dft", "the nearest is s3dft"});
  expect_error_line(
      run_weft({"fft", "--s3dft-form", "held"}), 2, "usage",
      {"--s3dft-form with --algorithm wsfft", "add --algorithm s3dft, or leave it out"});
  expect_error_line(
      run_weft({"fft", "--algorithm", "s3dft", "--shape", "32,32,32", "--mesh", "4,4"}), 2,
      "machine profile",
      {"blocks of 2048 numbers exceed a PE's 48 KB", "pe_memory_bytes is 49152", "take at least",
       "raise the machine's"});
}

}  // namespace
}  // namespace weft::test::s3dft_test
