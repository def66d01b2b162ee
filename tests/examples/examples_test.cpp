// The examples of the documentation run, and print what the documentation says.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "paths.hpp"

namespace weft::test {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string out;
};

Outcome run_example(const std::string& name) {
  const std::string command = "'" WEFT_EXAMPLES_DIR "/docs-example-" + name + "' 2>&1";
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> part{};
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    outcome.out.append(part.data(), n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

/// The pattern's first group at each match, as numbers.
std::vector<unsigned long> numbers(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<unsigned long> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back(std::stoul((*at)[1]));
  return found;
}

TEST(Examples, EachHasATest) {
  const std::set<std::string> tested = {"fft_plan", "row_broadcast"};
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/docs/examples"))
    if (entry.path().extension() == ".cpp") there.insert(entry.path().stem());
  EXPECT_EQ(there, tested);
}

TEST(Examples, FftPlanComesBack) {
  const Outcome run = run_example("fft_plan");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  const auto cycles = numbers(run.out, R"((\d+) cycles)");
  ASSERT_EQ(cycles.size(), 12u) << run.out;  // five phases and their total, twice
  for (const std::ptrdiff_t first : {0, 6}) {
    const auto at = cycles.begin() + first;
    EXPECT_EQ(std::accumulate(at, at + 5, 0UL), at[5]) << run.out;
  }
  EXPECT_NE(run.out.find("inverse(forward(x)) differs from x by "), std::string::npos) << run.out;
}

TEST(Examples, RowBroadcastCatchesEachItsOwn) {
  const Outcome run = run_example("row_broadcast");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  for (int x = 1; x < 8; ++x) {
    const std::string line = "PE " + std::to_string(x) + " caught " + std::to_string(10 * x) + " " +
                             std::to_string(10 * x + 1) + " by cycle ";
    EXPECT_NE(run.out.find(line), std::string::npos) << line << "not in\n" << run.out;
  }
  // Each PE is one hop farther than its neighbour, and its numbers come two cycles later.
  const auto cycles = numbers(run.out, R"(by cycle (\d+))");
  ASSERT_EQ(cycles.size(), 7u) << run.out;
  for (std::size_t i = 1; i < cycles.size(); ++i)
    EXPECT_EQ(cycles[i], cycles[i - 1] + 3) << run.out;
  EXPECT_NE(run.out.find("14 wavelets crossed 98 links: 14 to cores, 84 refused by filters"),
            std::string::npos)
      << run.out;
}

}  // namespace
}  // namespace weft::test
