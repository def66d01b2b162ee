// Refusals of `weft`: exit code 2, one clear line, and no file left behind.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "support/array_files.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::refused_test {
namespace {

struct Case {
  std::vector<std::string> arguments;
  std::vector<std::string> parts;  ///< of the message
};

TEST(Refused, ArgumentsThatCannotBeUsed) {
  const std::vector<Case> cases = {
      {{"fly"},
       {"unknown sub-command 'fly', known are fft, compare, reproduce, sweep, view, explain, "
        "heatmap, "
        "info)",
        "'weft --help'"}},
      {{"ftt"}, {"unknown sub-command 'ftt', the nearest known one is fft)", "'weft --help'"}},
      {{"ftt", "--shape", "4,4,4"}, {"unknown sub-command 'ftt', the nearest known one is fft)"}},
      {{"comp"}, {"the nearest known one is compare)"}},
      {{"--shape", "4,4,4"}, {"--shape is an option of 'weft fft'", "behind the sub-command"}},
      {{"--seed", "3", "fft"}, {"--seed is an option of 'weft fft'", "behind the sub-command"}},
      {{"--verison"}, {"--verison", "nearest known one is --version"}},
      {{"fft", "extra"}, {"unexpected argument 'extra'", "weft fft --help"}},
      {{"fft", "--sed", "3"}, {"unknown option --sed,", "nearest known one is --seed"}},
      {{"fft", "--nodes", "4"}, {"(unknown option --nodes);", "'weft fft --help'"}},
      {{"fft", "-x"}, {"(unknown option -x);"}},
      {{"fft", "-"}, {"unexpected argument '-'"}},
      {{"fft", "-sed", "3"}, {"unknown option -sed, the nearest known one is --seed"}},
      {{"fft", "--prec", "fp16"}, {"the nearest known one is --precision"}},
      {{"fft", "field.npy"}, {"unexpected argument 'field.npy'", "with --input field.npy"}},
      {{"fft", "--quiet", "a.nii.gz"}, {"'a.nii.gz'", "give the array with --input a.nii.gz"}},
      {{"fft", "--input", "a.npy", "b.npy"}, {"unexpected argument 'b.npy'", "weft fft --help"}},
      {{"compare", "a.npy"}, {"unexpected argument 'a.npy'", "weft compare --help"}},
      {{"fft", "--shap=4,4,4"}, {"unknown option --shap,", "nearest known one is --shape"}},
      {{"fft", "--kind", "real"}, {"--kind real is unknown (known: c2c, r2c, c2r)"}},
      {{"fft", "--kind", "r2c", "--inverse"}, {"invalid combination: --inverse with --kind"}},
      {{"fft", "--kind", "c2r", "--fit", "pad", "--input", "a.npy", "--shape", "4,4,4"}, {"--fit"}},
      {{"compare", "--kinds", "r2c"}, {"--kinds r2c is unknown (known: complex, real)"}},
      {{"compare", "--batch", "0"}, {"invalid --batch: 0"}},
      {{"fft", "--kind", "r2c", "--shape", "8,8", "--mesh", "4,4"}, {"lies on a row of PEs"}},
      {{"fft", "--plan", "--seed", "3"}, {"invalid combination: --seed with --plan"}},
      {{"fft", "--kind", "r2c", "--mesh", "34,64"}, {"invalid mesh: 34 PEs along x", "1 to 33"}},
      {{"fft", "--plan", "--output", "a.npy"}, {"invalid combination: --output with --plan"}},
      {{"fft", "--shape", "33554432"}, {"side 33554432 is more than 16777216"}},
      {{"fft", "--shape", "65536", "--mesh", "512,1"}, {"invalid mesh: 512 PEs along x"}},
      {{"fft", "--shape", "256,256", "--mesh", "16,32"},
       {"invalid mesh: 32 PEs along y", "1 to 16"}},
      {{"fft", "--seed", "abc"}, {"--seed", "abc"}},
      {{"fft", "--batch", "x"}, {"--batch takes a whole number, not 'x'"}},
      {{"fft", "--seed", "-1"}, {"--seed", "-1"}},
      {{"fft", "--seed", "1", "--seed", "2"}, {"--seed"}},
      {{"fft", "--seed"}, {"--seed"}},
      {{"view"}, {"(RUN is required);", "'weft view --help'"}},
      {{"heatmap"}, {"(RUN is required);", "'weft heatmap --help'"}},
      {{"explain"}, {"(RUN is required);", "'weft explain --help'"}},
      {{"fft", "--windows", "16"}, {"--windows without --profile"}},
      {{"fft", "--plan", "--profile", "run.weft"}, {"--profile with --plan"}},
      {{"fft", "--threads", "two"}, {"--threads"}},
      {{"fft", "--threads", "0"}, {"--threads: 0", "1 to 1024"}},
      {{"fft", "--threads", "-3"}, {"--threads: -3"}},
      {{"fft", "--threads", "1025"}, {"--threads: 1025"}},
      {{"fft", "--threads", "99999999999"}, {"--threads"}},
      {{"fft", "--precision", "fp64"}, {"fp64", "known: fp16, fp32"}},
      {{"fft", "--norm", "odd"}, {"odd", "backward, ortho, forward); use one"}},
      {{"fft", "--norm", "ortha"}, {"backward, ortho, forward); the nearest is ortho"}},
      {{"fft", "--precision", "FP16"}, {"known: fp16, fp32); the nearest is fp16"}},
      {{"compare", "--directions", "inv"}, {"the nearest is inverse"}},
      {{"fft", "--without", "by-lin"},
       {"known: by-line, delay-lines, shared-execution, equal-lines, run-ahead, dry-run, "
        "element-rows, shortcuts); the "
        "nearest is "
        "by-line"}},
      {{"fft", "--reference", "mkl"}, {"mkl", "known: fftw, cufft, none"}},
      {{"fft", "--fit", "pad"}, {"--fit", "--input"}},
      {{"fft", "--fit", "stretch", "--input", "x.npy", "--shape", "4,4,4"},
       {"stretch", "resample"}},
      {{"fft", "--seed", "1", "--input", "x.npy"}, {"--seed", "--input"}},
      {{"fft", "--no-data", "--input", "x.npy"}, {"--input", "--no-data"}},
      {{"fft", "--no-data", "--seed", "1"}, {"--seed", "--no-data"}},
      {{"fft", "--no-data", "--reference", "fftw"}, {"--reference", "--no-data"}},
      {{"fft", "--no-data", "--output", "x.npy"}, {"--output", "--no-data"}},
      {{"fft", "--no-data", "--png", "x.png"}, {"--png", "--no-data"}},
      {{"fft", "--output", ""}, {"--output"}},
      {{"fft", "--output", "a.npy", "--json", "./a.npy"}, {"--json: ./a.npy", "--output"}},
      {{"fft", "--output", "x.txt"}, {"--output: x.txt", "a .npy file", "ends in .npy"}},
      {{"fft", "--output", "-"}, {"--output: -", "a .npy file"}},
      {{"fft", "--png", "q.jpg"}, {"--png: q.jpg", "a .png file", "ends in .png"}},
      {{"info", "--json", ""}, {"--json", "empty"}},
      {{"info", "--machine", "wse2", "--json", "wse2"}, {"--json: wse2", "--machine"}},
      {{"fft", "--input", "a.npy", "--output", "a.npy"}, {"--output: a.npy", "--input"}},
  };
  for (const Case& refused : cases) {
    SCOPED_TRACE(testing::PrintToString(refused.arguments));
    expect_error_line(run_weft(refused.arguments), 2, "usage", refused.parts);
  }
}

TEST(Refused, ShapesThatCannotBePlanned) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"8192,8192,8192", "side 8192 is more than 4096"},
      {"60,60,70", "side 70 has a prime factor above 5"},
      {"0,0,0", "side 0 is less than 2"},
      {"4,4,1", "its last axis has one number"},
      {"4,4,4,4,4", "more than four sides"},
      {"8,8,8,1", "an array of four axes has no side of 1"},
      {"4;4;4", "not whole numbers"},
      {"4,,4", "not whole numbers"},
      {"-4,-4,-4", "not whole numbers"},
      {"4,4,4 ", "not whole numbers"},
      {"99999999999999999999,4,4", "too large"},
  };
  for (const auto& [shape, why] : cases) {
    SCOPED_TRACE(shape);
    expect_error_line(run_weft({"fft", "--shape=" + shape}), 2, "usage",
                      {"--shape", "2^a 3^b 5^c from 2 to 4096", why});
  }
}

TEST(Refused, ArraysThatDoNotFitInPes) {
  const std::vector<Case> cases = {
      {{"fft", "--shape", "16777216", "--mesh", "256,1"}, {"take at least 128 x 128 PEs"}},
      {{"fft", "--shape", "4096", "--mesh", "1,1"},
       {"two buffers of 4096 numbers exceed a PE's 48 KB", "take at least"}},
      {{"fft", "--plan", "--shape", "512,512", "--mesh", "8,8"},
       {"numbers exceed a PE's 48 KB", "take at least"}},
      {{"fft", "--plan", "--shape", "256,4096"},
       {"numbers exceed a PE's 48 KB", "up to 256,2048", "bytes"}},
      {{"fft", "--plan", "--shape", "4096", "--kind", "r2c"},
       {"numbers exceed a PE's 48 KB", "up to 2048"}}};
  for (const auto& [arguments, parts] : cases)
    expect_error_line(run_weft(arguments), 2, "machine profile", parts);
}

TEST(Refused, InputsThatCannotBeUsed) {
  const TemporaryFolder folder;
  const std::vector<float> numbers(64, 1.0f);
  std::vector<float> with_nan = numbers;
  with_nan[7] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> with_infinity = numbers;
  with_infinity[63] = std::numeric_limits<float>::infinity();
  const std::string dictionary = npy_dictionary("<f4", "(4, 4, 4)");
  const std::vector<std::string> inputs = {
      folder.file("missing.npy"),
      folder.file("."),
      folder.write("empty.npy", ""),
      folder.write("truncated.npy", npy_file(dictionary, bytes_of(numbers).substr(0, 100))),
      folder.write("nan.npy", npy_file(dictionary, bytes_of(with_nan))),
      folder.write("infinity.npy", npy_file(dictionary, bytes_of(with_infinity))),
      folder.write("type.npy", npy_file(npy_dictionary("<U4", "(4, 4, 4)"), bytes_of(numbers))),
      folder.write("four.npy", npy_file(npy_dictionary("<f4", "(1, 4, 4, 4)"), bytes_of(numbers))),
      folder.write("pointer.npy", "version https://git-lfs.github.com/spec/v1\n"),
      folder.write("text.npy", "not an array at all"),
      folder.write("picture.jpg", "not an array either"),
      folder.write("text.nii.gz", "no gzip"),
      "",
  };
  const std::size_t before = folder.count();
  for (const std::string& input : inputs) {
    SCOPED_TRACE(input);
    expect_error_line(run_weft({"fft", "--input", input, "--output", folder.file("out.npy"),
                                "--json", folder.file("out.json")}),
                      2, "input");
    EXPECT_EQ(folder.count(), before);
  }
}

TEST(Refused, MeshesAndBatchesThatCannotBe) {
  const std::vector<Case> cases = {
      {{"--mesh", "8"}, {"--mesh: 8", "not two numbers", "--mesh 32,32"}},
      {{"--mesh", "8,8,8"}, {"not two numbers"}},
      {{"--mesh", "0,8"}, {"one PE or more along x and y"}},
      {{"--mesh", "9,8"}, {"invalid mesh: 9 PEs along x", "1 to 8"}},
      {{"--mesh", "8,16"}, {"invalid mesh: 16 PEs along y", "1 to 8"}},
      {{"--batch", "0"}, {"--batch: 0", "count of arrays"}},
      {{"--batch", "2", "--png", "x.png"}, {"--png", "--batch"}},
      {{"--batch", "3", "--mesh", "17,5"},
       {"invalid mesh: 17 PEs along x for 3 arrays", "would have 1 PE of it each",
        "where one can take 8", "14 of 17 places would be empty", "choose 16 or 24"}},
      {{"--batch", "2", "--mesh", "8,22"}, {"22 PEs along y for 2 arrays", "choose 16 or 24"}},
  };
  for (const Case& refused : cases) {
    SCOPED_TRACE(testing::PrintToString(refused.arguments));
    std::vector<std::string> arguments = {"fft", "--shape", "8,16,8"};
    arguments.insert(arguments.end(), refused.arguments.begin(), refused.arguments.end());
    expect_error_line(run_weft(arguments), 2, "usage", refused.parts);
  }
}

TEST(Refused, AnInputWhoseShapeDoesNotFit) {
  const TemporaryFolder folder;
  const std::vector<float> numbers(140, 1.0f);
  const std::string input =
      folder.write("box.npy", npy_file(npy_dictionary("<f4", "(7, 4, 5)"), bytes_of(numbers)));
  expect_error_line(run_weft({"fft", "--input", input}), 2, "input",
                    {"(7, 4, 5)", "side 7", "--shape", "--fit"});
  expect_error_line(run_weft({"fft", "--input", input, "--shape", "4,4,4"}), 2, "input",
                    {"box.npy"});
  expect_error_line(run_weft({"fft", "--input", input, "--shape", "4,4,8", "--fit", "crop"}), 2,
                    "input", {"box.npy"});
}

TEST(Refused, MachineProfiles) {
  const TemporaryFolder folder;
  const std::string typo = folder.write("typo.json", R"({"ramp_cycle": 3})");
  const std::string other = folder.write("other.json", R"({"colour": 3})");
  const std::string range = folder.write("range.json", R"({"ramp_cycles": 99})");
  const std::string broken = folder.write("broken.json", "{");
  // Enough memory for no program at all: the plan refuses it.
  const std::string tiny = folder.write("tiny.json", R"({"pe_memory_bytes": 1024})");
  for (const char* command : {"fft", "info"}) {
    expect_error_line(run_weft({command, "--machine", typo}), 2, "machine profile",
                      {"typo.json", "ramp_cycle\"", "ramp_cycles\""});
    expect_error_line(run_weft({command, "--machine", other}), 2, "machine profile",
                      {"other.json", "\"colour\" (the machine has no such constant); "});
    expect_error_line(run_weft({command, "--machine", range}), 2, "machine profile", {"99", "7"});
    expect_error_line(run_weft({command, "--machine", broken}), 2, "machine profile", {"JSON"});
    expect_error_line(run_weft({command, "--machine", folder.file("missing.json")}), 2, "input",
                      {"missing.json"});
  }
  const std::size_t before = folder.count();
  expect_error_line(run_weft({"fft", "--machine", tiny, "--shape", "128,128,128", "--output",
                              folder.file("out.npy")}),
                    2, "machine profile");
  EXPECT_EQ(folder.count(), before);
}

TEST(Refused, OutputsThatCannotBeWritten) {
  const TemporaryFolder folder;
  const std::pair<const char*, std::string> cases[] = {
      {"--output", ".npy"}, {"--png", ".png"}, {"--json", ""}};
  for (const auto& [option, suffix] : cases) {
    SCOPED_TRACE(option);
    const std::string missing = folder.file("no/such/file" + suffix);
    const std::string taken = folder.file("folder" + suffix);
    std::filesystem::create_directory(taken);
    expect_error_line(run_weft({"fft", "--shape", "4,4,4", option, missing}), 2, "environment",
                      {"no/such/file"});
    expect_error_line(run_weft({"fft", "--shape", "4,4,4", option, taken}), 2, "environment",
                      {"it is a folder"});
  }
  EXPECT_EQ(folder.count(), 3u);
}

TEST(Refused, AnOldOutputStaysWhenTheRunFails) {
  const TemporaryFolder folder;
  const std::string old = folder.write("out.npy", "precious");
  const CommandResult result =
      run_weft({"fft", "--input", folder.file("missing.npy"), "--output", old});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(read_bytes(old), "precious");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Refused, AStepVariantThatDoesNotExist) {
  // With several threads: none may be left waiting for the others.
  setenv("WEFT_STEP", "nonsense", 1);
  const CommandResult result = run_weft({"fft", "--shape", "8,8,8", "--threads", "3"});
  unsetenv("WEFT_STEP");
  expect_error_line(result, 2, "environment", {"invalid WEFT_STEP: nonsense", "avx2"});
}

}  // namespace
}  // namespace weft::test::refused_test
