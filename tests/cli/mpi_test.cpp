// `mpirun -n 2 weft fft`: two processes share the fabric, and the first one speaks for both.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "command.hpp"
#include "paths.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::mpi_test {
namespace {

/// Skips the test where nothing can share.
#define SKIP_WITHOUT_MPI()                                                      \
  if (!WEFT_HAVE_MPI) GTEST_SKIP() << "this build has no MPI (libopenmpi-dev)"; \
  if (std::system("command -v mpirun > /dev/null") != 0)                        \
  GTEST_SKIP() << "there is no mpirun here (openmpi-bin)"

/// So many processes of `weft` with these words, on few cores and as any user.
CommandResult run_processes(int processes, const std::string& words) {
  const TemporaryFolder folder;
  const std::string line = fmt::format(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "OMPI_MCA_rmaps_base_oversubscribe=1 "
      "OMPI_MCA_hwloc_base_binding_policy=none mpirun -n {} '{}' {} > '{}' 2> '{}' < /dev/null",
      processes, WEFT_CLI_PATH, words, folder.file("out"), folder.file("err"));
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder.file("out")),
          read_bytes(folder.file("err"))};
}

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

TEST(Mpi, OneProcessTellsTheErrorOfAll) {
  SKIP_WITHOUT_MPI();
  const CommandResult result = run_processes(3, "fft --shape 8,8,8 --mesh 8,8 --quiet --threads 1");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(count(result.err, "3 processes are too many for this fabric"), 1U) << result.err;
  EXPECT_EQ(result.out.find("weft"), std::string::npos) << result.out;
}

TEST(Mpi, WhatProcessesDoNotCountIsRefusedAndNothingIsWritten) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const CommandResult result =
      run_processes(2, fmt::format("fft --profile '{}'", folder.file("run.weft")));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(count(result.err, "--profile with several processes"), 1U) << result.err;
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

}  // namespace
}  // namespace weft::test::mpi_test
