// The step is compiled for several processors: all must give the same bytes and cycles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "paths.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::step_variant_test {
namespace {

/// Runs `weft fft` with a step variant; false if this processor does not run it.
bool run(const std::string& variant, const TemporaryFolder& folder) {
  const std::string command = "WEFT_STEP=" + variant +
                              " '" WEFT_CLI_PATH "' fft --shape 32,32,32 --quiet --output '" +
                              folder.file(variant + ".npy") + "' --json '" +
                              folder.file(variant + ".json") + "' 2> '" + folder.file("said") + "'";
  return std::system(command.c_str()) == 0;
}

nlohmann::json cycles(const std::string& variant, const TemporaryFolder& folder) {
  return nlohmann::json::parse(read_bytes(folder.file(variant + ".json"))).at("cycles");
}

TEST(StepVariants, GiveTheSameBytesAndCycles) {
  const TemporaryFolder folder;
  const bool there = run("baseline", folder);
  if (read_bytes(folder.file("said")).find("invalid WEFT_STEP: ") != std::string::npos)
    GTEST_SKIP() << "this build has the step for this machine only";
  ASSERT_TRUE(there);
  int others = 0;
  for (const std::string variant : {"avx2", "avx512"}) {
    if (!run(variant, folder)) continue;
    ++others;
    EXPECT_TRUE(read_bytes(folder.file(variant + ".npy")) ==
                read_bytes(folder.file("baseline.npy")))
        << variant;
    EXPECT_EQ(cycles(variant, folder), cycles("baseline", folder)) << variant;
  }
  if (others == 0) GTEST_SKIP() << "this processor runs the baseline only";
}

}  // namespace
}  // namespace weft::test::step_variant_test
