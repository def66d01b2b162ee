// `mpirun -n 2 weft sweep`: two processes make the runs of one sweep, and the first one keeps them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "cli/sweep/make_runs.hpp"
#include "mpi_command.hpp"
#include "support/generated_text.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::mpi_sweep_test {
namespace {

using cli::deal;

TEST(Deal, GivesInTurnToWhoHasRoom) {
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(deal({2, 2}, 3), (Numbers{2, 1}));
  EXPECT_EQ(deal({0, 2, 5}, 6), (Numbers{0, 2, 4}));
  EXPECT_EQ(deal({3, 3}, 100), (Numbers{3, 3}));
  EXPECT_EQ(deal({1, 1, 1}, 0), (Numbers{0, 0, 0}));
}

std::string words_of(const TemporaryFolder& folder, const std::string& name,
                     const std::string& more) {
  return fmt::format(
      "sweep --set ramp_cycles=1..6 --jobs 2 --output '{}' {} -- fft --shape 8,8,8 "
      "--no-data --threads 1",
      folder.file(name), more);
}

/// Lines of what a sweep keeps: one for each run that has ended.
std::ptrdiff_t runs_in(const std::string& path) { return std::ranges::count(text_of(path), '\n'); }

TEST(MpiSweep, TwoProcessesKeepWhatOneDoes) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const CommandResult one = run_processes(1, words_of(folder, "one", ""));
  const CommandResult two = run_processes(2, words_of(folder, "two", ""));
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(two.exit_code, 0) << two.err;
  const auto cycles = [&](const std::string& out) { return out.substr(0, out.find("written to")); };
  EXPECT_EQ(cycles(two.out), cycles(one.out));
  EXPECT_EQ(runs_in(folder.file("two/runs.jsonl")), 6);  // each run once
  const CommandResult again = run_processes(2, words_of(folder, "two", "--quiet"));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(runs_in(folder.file("two/runs.jsonl")), 6);  // all are kept from before
}

TEST(MpiSweep, ErrorsAreSaidOnce) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  folder.write("file", "precious");
  struct Case {
    std::string words, says;
    int code;
  };
  for (const Case& c : {
           Case{words_of(folder, "file", ""), "file", 2},  // it cannot be a folder
           Case{words_of(folder, "sweep", "--set ramp_cycle=1"), "the nearest known one", 2},
           Case{words_of(folder, "sweep", "--metric none.such"), "none.such", 2},
           Case{fmt::format("sweep --set 'shape=8,8,8;7,7,7' --quiet --output '{}' -- fft",
                            folder.file("failed")),
                "1 of 2 runs failed", 4},
       }) {
    const CommandResult result = run_processes(2, c.words);
    EXPECT_EQ(result.exit_code, c.code) << result.err;
    EXPECT_NE(result.err.find(c.says), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(c.says), result.err.rfind(c.says)) << result.err;
    EXPECT_EQ(result.err.find("MPI_ABORT"), std::string::npos) << result.err;
  }
  EXPECT_EQ(text_of(folder.file("file")), "precious");
}

TEST(MpiSweep, AProcessWithOtherRunsIsRefused) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string words = words_of(folder, "sweep", "");
  const CommandResult result =
      run_processes(1, fmt::format("{} : -n 1 '{}' {} --inverse", words, WEFT_CLI_PATH, words));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("process 1 has another sweep than process 0"), std::string::npos)
      << result.err;
  EXPECT_EQ(runs_in(folder.file("sweep/runs.jsonl")), 0);
}

TEST(MpiSweep, AListOfOneProcessAloneIsRefused) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string list = words_of(folder, "sweep", "--list"),
                    runs = words_of(folder, "sweep", "");
  for (const auto& [first, second] : {std::pair{list, runs}, std::pair{runs, list}}) {
    const CommandResult result =
        run_processes(1, fmt::format("{} : -n 1 '{}' {}", first, WEFT_CLI_PATH, second));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("process 1 has other arguments than process 0"), std::string::npos)
        << result.err;
  }
}

TEST(MpiSweep, ASignalToTheFirstStopsAllAndKeepsWhatHasEnded) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string kept = folder.file("sweep/runs.jsonl");
  const auto begin = std::chrono::steady_clock::now();
  const CommandResult result = run_and_signal(
      fmt::format("sweep --set seed=1..1000 --output '{}' -- fft --shape 16,16,16 --threads 1",
                  folder.file("sweep")),
      0, "INT",
      fmt::format("for n in $(seq 2400); do [ -s '{}' ] && break; sleep 0.05; done", kept));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.err.find("of 1000 runs, which '"), std::string::npos) << result.err;
  EXPECT_LT(took.count(), 60);
  EXPECT_GT(runs_in(kept), 0);
  EXPECT_LT(runs_in(kept), 1000);
}

/// Processes that have the variable WEFT_TEST_MARK with this value: those of a command, and all
/// that they have started.
std::string processes_with(const std::string& mark) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.find("WEFT_TEST_MARK=" + mark) != std::string::npos)
      found += entry.path().filename().string() + ' ';
  }
  return found;
}

TEST(MpiSweep, AKilledProcessEndsTheSweepAndLeavesNobodyBehind) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string kept = folder.file("sweep/runs.jsonl"), mark = folder.file("");
  ::setenv("WEFT_TEST_MARK", mark.c_str(), 1);
  // Two short runs, then two long ones.
  const CommandResult result = run_and_signal(
      fmt::format(
          "sweep --set 'shape=8,8,8;512,512,512' --set ramp_cycles=2,3 --jobs 1 --output '{}' -- "
          "fft --no-data --without by-line --threads 1",
          folder.file("sweep")),
      1, "KILL",
      fmt::format(
          "for n in $(seq 400); do [ x$(grep -sc . '{}') = x2 ] && break; sleep 0.05; done; "
          "sleep 0.5",
          kept));
  ::unsetenv("WEFT_TEST_MARK");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(runs_in(kept), 2);
  for (int tries = 0; !processes_with(mark).empty() && tries < 200; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(processes_with(mark), "");
}

}  // namespace
}  // namespace weft::test::mpi_sweep_test
