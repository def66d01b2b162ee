// `weft fft --fit`: inputs that are made to have other sides.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fft_json.hpp"
#include "support/array_files.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::fft_fit_test {
namespace {

using nlohmann::json;

std::string write_ones(const TemporaryFolder& folder, std::size_t count, const std::string& shape) {
  const std::vector<std::complex<float>> ones(count, 1);
  return folder.write("in.npy", npy_file(npy_dictionary("<c8", shape), bytes_of(ones)));
}

TEST(Fit, TheInputIsMadeToFit) {
  const TemporaryFolder folder;
  const std::string input = write_ones(folder, 3 * 4 * 5, "(3, 4, 5)");
  for (const std::string how : {"resample", "pad"}) {
    const json report = run_json({"--input", input, "--shape", "8,8,8", "--fit", how});
    EXPECT_EQ(report["shape"], json({8, 8, 8}));
    EXPECT_EQ(report["input"], json({{"kind", "file"},
                                     {"path", input},
                                     {"shape", {3, 4, 5}},
                                     {"fit", how},
                                     {"type", "complex64"},
                                     {"slope", 1.0},
                                     {"intercept", 0.0},
                                     {"rounded", 0},
                                     {"underflows", 0}}));
    EXPECT_EQ(report["error"]["ok"], true);
  }
}

TEST(Fit, WithoutAShapeTheInputIsMadeToFitTheNearestSides) {
  const TemporaryFolder folder;
  const std::string input = write_ones(folder, 7 * 11 * 13, "(7, 11, 13)");
  const std::vector<std::pair<std::vector<std::string>, json>> cases = {
      {{"--fit", "pad"}, {8, 12, 15}},
      {{"--fit", "pad", "--kind", "r2c"}, {8, 12, 16}},
      {{"--fit", "crop"}, {6, 10, 12}},
      {{"--fit", "resample"}, {8, 12, 12}}};
  for (const auto& [arguments, shape] : cases) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    std::vector<std::string> all{"--input", input};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const json report = run_json(all);
    EXPECT_EQ(report["shape"], shape);
    EXPECT_EQ(report["input"]["shape"], json({7, 11, 13}));
    EXPECT_EQ(report["error"]["ok"], true);
  }
}

}  // namespace
}  // namespace weft::test::fft_fit_test
