// The axes of arrays in files: as NumPy's.
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "io/array_file.hpp"
#include "support/array_files.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::fft_axes_test {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A file of small whole numbers.
std::string write_numbers(const TemporaryFolder& folder, const std::string& shape,
                          std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = static_cast<float>(k * k % 13);
  return folder.write("in.npy", npy_file(npy_dictionary("<f4", shape), bytes_of(numbers)));
}

void expect_run(const Words& arguments) {
  const CommandResult result = run_weft(Words{"fft", "--quiet"} + arguments);
  EXPECT_EQ(result.exit_code, 0) << testing::PrintToString(arguments) << result.err;
}

TEST(FftAxes, TheResultHasThoseOfTheShapeAndOfTheBatch) {
  struct Case {
    Words arguments;
    io::Sides sides;
  };
  const Case cases[] = {
      {{"--shape", "16"}, {16}},
      {{"--shape", "8,16"}, {8, 16}},
      {{"--shape", "8,1,16"}, {8, 1, 16}},
      {{"--shape", "1,16"}, {1, 16}},
      {{"--shape", "1,8,16"}, {1, 8, 16}},
      {{"--shape", "8,8,16"}, {8, 8, 16}},
      {{"--shape", "4,8,4,8"}, {4, 8, 4, 8}},
      {{"--shape", "8,8,8", "--batch", "4"}, {4, 8, 8, 8}},
      {{"--shape", "4,4,8,4", "--batch", "2"}, {2, 4, 4, 8, 4}},
      {{"--shape", "8,16", "--batch", "3"}, {3, 8, 16}},
      {{"--shape", "16", "--batch", "5"}, {5, 16}},
      {{"--shape", "8,16", "--kind", "r2c"}, {8, 9}},
      {{"--shape", "16", "--kind", "r2c", "--batch", "2"}, {2, 9}},
      {{"--shape", "8,16", "--kind", "c2r"}, {8, 16}},
      {{"--shape", "4,8,16", "--kind", "r2c", "--batch", "2"}, {2, 4, 8, 9}},
  };
  const TemporaryFolder folder;
  const std::string output = folder.file("o.npy");
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.arguments));
    expect_run(c.arguments + Words{"--output", output});
    EXPECT_EQ(io::ArrayFile(output).sides(), c.sides);
  }
}

TEST(FftAxes, AResultIsTheInputOfTheInverse) {
  struct Case {
    std::string shape;
    std::size_t count;
    Words there, back;
  };
  const Case cases[] = {
      {"(16,)", 16, {}, {"--inverse"}},
      {"(8, 16)", 128, {}, {"--inverse"}},
      {"(1, 16)", 16, {}, {"--inverse"}},
      {"(8, 1, 16)", 128, {}, {"--inverse"}},
      {"(4, 8, 8, 8)", 2048, {"--batch", "4"}, {"--inverse", "--batch", "4"}},
      {"(4, 8, 8, 8)", 2048, {}, {"--inverse"}},
      {"(2, 4, 4, 8, 4)", 1024, {"--batch", "2"}, {"--inverse", "--batch", "2"}},
      {"(1, 8, 8, 8)", 512, {"--batch", "1"}, {"--inverse", "--batch", "1"}},
      {"(3, 8, 16)", 384, {"--batch", "3"}, {"--inverse", "--batch", "3"}},
      {"(5, 16)", 80, {"--batch", "5", "--shape", "16"}, {"--inverse", "--batch", "5"}},
      {"(8, 16)", 128, {"--kind", "r2c"}, {"--kind", "c2r"}},
      {"(2, 16)", 32, {"--kind", "r2c", "--batch", "2"}, {"--kind", "c2r", "--batch", "2"}},
  };
  const TemporaryFolder folder;
  const std::string there = folder.file("there.npy"), back = folder.file("back.npy");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.shape + testing::PrintToString(c.there));
    const std::string input = write_numbers(folder, c.shape, c.count);
    expect_run(Words{"--input", input, "--output", there} + c.there);
    expect_run(Words{"--input", there, "--output", back} + c.back);
    io::ArrayFile before(input), after(back);
    EXPECT_EQ(after.sides(), before.sides());
    const auto numbers = before.read(), again = after.read();
    ASSERT_EQ(numbers.size(), again.size());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      EXPECT_LT(std::abs(again[k] - numbers[k]), 1e-4F) << k;
  }
}

TEST(FftAxes, AxesOfOneNumberAreToBeReshaped) {
  struct Case {
    std::string shape;
    std::size_t count;
    Words arguments;
    const char* to;
  };
  const Case cases[] = {
      {"(64, 1)", 64, {}, "reshape it to (64,)"},
      {"(64, 1)", 64, {"--shape", "64"}, "reshape it to (64,)"},
      {"(64, 1)", 64, {"--shape", "64", "--fit", "resample"}, "reshape it to (64,)"},
      {"(64, 1)", 64, {"--shape", "64", "--fit", "pad"}, "reshape it to (64,)"},
      {"(1, 64, 1)", 64, {}, "reshape it to (64,)"},
      {"(8, 8, 1)", 64, {}, "reshape it to (8, 8)"},
      {"(1, 8, 8, 1)", 64, {}, "reshape it to (8, 8)"},
      {"(1, 4, 4, 4)", 64, {}, "reshape it to (4, 4, 4)"},
      {"(4, 4, 4, 1)", 64, {}, "reshape it to (4, 4, 4)"},
      {"(1, 1, 4, 4, 4)", 64, {}, "reshape it to (4, 4, 4)"},
      {"(4, 16, 1)", 64, {"--batch", "4"}, "reshape it to (4, 16)"},
      {"(16, 4)", 64, {"--batch", "4"}, "reshape it to (4, 4, 4)"},
      {"(64,)", 64, {"--batch", "4", "--shape", "16"}, "reshape it to (4, 16)"},
      {"(8, 4, 4)", 128, {"--batch", "2"}, "reshape it to (2, 4, 4, 4)"},
      {"(7, 4, 4, 4)", 448, {}, "give --batch 7"},
      {"(2, 4, 4, 4, 4)", 512, {}, "give --batch 2"},
  };
  const TemporaryFolder folder;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.shape + testing::PrintToString(c.arguments));
    const std::string input = write_numbers(folder, c.shape, c.count);
    expect_error_line(run_weft(Words{"fft", "--input", input} + c.arguments), 2, "input",
                      {c.shape, c.to});
  }
}

TEST(FftAxes, AnInputOfOtherAxesIsNotMadeToFit) {
  const TemporaryFolder folder;
  const std::string input = write_numbers(folder, "(6, 6)", 36);
  expect_error_line(run_weft({"fft", "--input", input, "--shape", "8,8,8", "--fit", "pad"}), 2,
                    "input", {"2 axes", "3 sides"});
  expect_error_line(run_weft({"fft", "--input", input, "--shape", "8"}), 2, "input",
                    {"as many sides"});
  const std::string flat = write_numbers(folder, "(1, 6)", 6);
  expect_error_line(run_weft({"fft", "--input", flat, "--shape", "8,8", "--fit", "resample"}), 2,
                    "input", {"axis 0 has 1 numbers", "pad it"});
}

TEST(FftAxes, FourAreNotMadeToFit) {
  const TemporaryFolder folder;
  const std::string input = write_numbers(folder, "(4, 4, 4, 6)", 384);
  const Words shape{"fft", "--input", input, "--shape", "4,4,4,8"};
  expect_error_line(run_weft(shape), 2, "input", {"4 x 4 x 4 x 6", "give the shape of the file"});
  expect_error_line(run_weft(shape + Words{"--fit", "pad"}), 2, "input",
                    {"--fit is for one to three axes"});
}

TEST(FftAxes, APlanReadsTheHeaderOnly) {
  const TemporaryFolder folder;
  const std::string header = npy_file(npy_dictionary("<f4", "(8, 256, 256, 512)"), "");
  const std::string input = folder.write("large.npy", header);
  const auto end = static_cast<std::int64_t>(header.size()) + (std::int64_t{1} << 30);
  ASSERT_EQ(::truncate(input.c_str(), end), 0);  // a hole
  const CommandResult result =
      run_weft({"fft", "--plan", "--input", input, "--batch", "8", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto plan = nlohmann::json::parse(result.out);
  EXPECT_EQ(plan["shape"], nlohmann::json({256, 256, 512}));
  EXPECT_EQ(plan["batch"], 8);
}

}  // namespace
}  // namespace weft::test::fft_axes_test
