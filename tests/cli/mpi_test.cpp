// `mpirun -n 2 weft fft`: two processes share the fabric, and the first one speaks for both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

#include "mpi_command.hpp"
#include "support/effort.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::mpi_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(Mpi, TwoProcessesWriteWhatOneDoes) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const auto words = [&](const char* name) {
    return fmt::format("fft --shape 16,16,16 --mesh 16,16 --threads 1 --output '{}'",
                       folder.file(name));
  };
  const CommandResult one = run_processes(1, words("one.npy") + " --without by-line");
  const CommandResult two = run_processes(2, words("two.npy"));
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(read_bytes(folder.file("two.npy")), read_bytes(folder.file("one.npy")));
  EXPECT_EQ(count(two.out, "cycles"), count(one.out, "cycles"));
  const auto cycles = [](const std::string& out) {
    const std::size_t at = out.find("cycles");
    return out.substr(out.rfind('\n', at) + 1, 40);
  };
  EXPECT_EQ(cycles(two.out), cycles(one.out));
  EXPECT_NE(two.out.find("2 processes of 1 thread"), std::string::npos) << two.out;
}

TEST(Mpi, OneProcessPrintsTheErrorOfAll) {
  SKIP_WITHOUT_MPI();
  const CommandResult result = run_processes(3, "fft --shape 8,8,8 --mesh 8,8 --quiet --threads 1");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(count(result.err, "3 processes are too many for this fabric"), 1U) << result.err;
  EXPECT_EQ(result.out.find("weft"), std::string::npos) << result.out;
}

TEST(Mpi, TwoProcessesCountWhatOneDoes) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const auto words = [&](const char* name) {
    return fmt::format("fft --shape 8,8,8 --mesh 8,8 --threads 1 --quiet --profile '{}'",
                       folder.file(name));
  };
  EXPECT_EQ(run_processes(1, words("one.weft")).exit_code, 0);
  const CommandResult two = run_processes(2, words("two.weft"));
  EXPECT_EQ(two.exit_code, 0) << two.err;
  const std::string counted = read_bytes(folder.file("one.weft"));
  EXPECT_GT(counted.size(), 1000U);
  EXPECT_TRUE(read_bytes(folder.file("two.weft")) == counted);
}

TEST(Mpi, WhatProcessesDoNotTellIsRefusedAndNothingIsWritten) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const CommandResult result =
      run_processes(2, fmt::format("fft --path --profile '{}'", folder.file("run.weft")));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(count(result.err, "--path with several processes"), 1U) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("run.weft")));
}

TEST(Mpi, AnErrorOfOneProcessBeforeTheFabricEndsAllAtOnce) {
  SKIP_WITHOUT_MPI();
  for (const char* const words :
       {"--threads 1 --output /no/such/folder/x.npy", "--plan --json /no/such/folder/x.json"}) {
    const CommandResult result =
        run_processes(2, fmt::format("fft --shape 8,8,8 --mesh 8,8 {}", words));
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_EQ(count(result.err, "/no/such/folder"), 1U) << result.err;
    EXPECT_EQ(result.err.find("MPI_ABORT"), std::string::npos) << result.err;
  }
}

TEST(Mpi, AKilledProcessEndsTheRunOfAllAndLeavesNoFile) {
  SKIP_WITHOUT_MPI();
  std::mt19937_64 draw(seed_from(1));
  for (const int rank : {0, 1}) {
    const TemporaryFolder folder;
    const auto milliseconds = static_cast<int>(draw() % 500);
    const auto begin = std::chrono::steady_clock::now();
    const CommandResult result =
        run_and_signal(fmt::format("fft --shape 256,256,256 --mesh 256,256 --threads 1 --reference "
                                   "none --output '{}'",
                                   folder.file("x.npy")),
                       rank, "KILL", fmt::format("sleep {}", milliseconds / 1000.0));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_NE(result.exit_code, 0) << "process " << rank << " after " << milliseconds << " ms";
    EXPECT_NE(result.exit_code, 2) << result.err;
    EXPECT_LT(took.count(), 30) << "the others go on";
    EXPECT_EQ(folder.count(), 0U) << result.out;
  }
}

}  // namespace
}  // namespace weft::test::mpi_test
