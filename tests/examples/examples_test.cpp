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

namespace weft::test::examples_test {
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

std::set<std::string> all_examples() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/docs/examples"))
    if (entry.path().extension() == ".cpp") names.insert(entry.path().stem());
  return names;
}

/// They compare their results with the host's, and end with 0 if these are right.
TEST(Examples, AllAreRight) {
  EXPECT_GE(all_examples().size(), 12U);
  for (const std::string& name : all_examples()) {
    const Outcome run = run_example(name);
    EXPECT_EQ(run.exit_code, 0) << name << ":\n" << run.out;
    EXPECT_FALSE(run.out.empty()) << name;
  }
}

TEST(Examples, StencilIsTheHosts) {
  constexpr std::size_t kSide = 128, kFirst = 64, kHot = 8;
  std::vector<double> u((kSide + 2) * (kSide + 2)), next = u;
  const auto at = [](std::size_t row, std::size_t column) {
    return (row + 1) * (kSide + 2) + column + 1;
  };
  for (std::size_t r = kFirst; r < kFirst + kHot; ++r)
    for (std::size_t c = kFirst; c < kFirst + kHot; ++c) u[at(r, c)] = 100;
  for (int step = 0; step < 100; ++step) {
    for (std::size_t r = 0; r < kSide; ++r)
      for (std::size_t c = 0; c < kSide; ++c) {
        const std::size_t i = at(r, c);
        next[i] = (u[i] + u[i - 1] + u[i + 1] + u[i - kSide - 2] + u[i + kSide + 2]) / 5;
      }
    std::swap(u, next);
  }
  const Outcome run = run_example("stencil");
  EXPECT_NEAR(std::stod(run.out), u[at(kFirst, kFirst)], 2e-4) << run.out;
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
}  // namespace weft::test::examples_test
