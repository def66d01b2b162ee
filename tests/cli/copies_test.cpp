// `weft` under a launcher of MPI: one of the copies says that there are several.
#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

#include "command.hpp"
#include "paths.hpp"

namespace weft::test::copies_test {
namespace {

/// Variables of a launcher, of this process and those that it starts.
class Launched {
 public:
  Launched(const char* size, const char* rank, const char* count, const char* place)
      : size_(size), rank_(rank) {
    ::setenv(size, count, 1);
    ::setenv(rank, place, 1);
  }
  ~Launched() {
    ::unsetenv(size_);
    ::unsetenv(rank_);
  }
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

 private:
  const char *size_, *rank_;
};

TEST(Copies, TheFirstSaysThatThereAreSeveral) {
  for (const auto& [size, rank] : {std::pair("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
                                   {"PMI_SIZE", "PMI_RANK"},
                                   {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}}) {
    const Launched first(size, rank, "4", "0");
    expect_error_line(run_weft({"info"}), 2, "usage",
                      {"weft was started 4 times", "only 'weft fft' shares", "start it once"});
  }
}

TEST(Copies, WithoutMpiTheyShareNothing) {
  if (WEFT_HAVE_MPI) GTEST_SKIP() << "this build has MPI, by which they share a fabric";
  const Launched first("PMI_SIZE", "PMI_RANK", "2", "0");
  expect_error_line(run_weft({"fft", "--shape", "4,4,4"}), 2, "usage",
                    {"weft was started 2 times", "built without MPI"});
}

TEST(Copies, TheOthersEndInSilence) {
  const Launched third("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "4", "2");
  const CommandResult result = run_weft({"info"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(Copies, ABatchScriptAndRunsThatSlurmStartsSideBySideAreNone) {
  // Of a job of 4 tasks: its script, a step of one task for MPI, and steps of 4 without MPI.
  const Launched job("SLURM_NTASKS", "SLURM_PROCID", "4", "0");
  EXPECT_EQ(run_weft({"info"}).exit_code, 0);
  {
    const Launched one("SLURM_STEP_NUM_TASKS", "PMIX_RANK", "1", "0");
    EXPECT_EQ(run_weft({"info"}).exit_code, 0);
  }
  const Launched four("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "4", "2");
  EXPECT_EQ(run_weft({"info"}).exit_code, 0);
}

TEST(Copies, OneProcessOfALauncherIsNoCopy) {
  const Launched one("PMI_SIZE", "PMI_RANK", "1", "0");
  EXPECT_EQ(run_weft({"fft", "--shape", "4,4,4", "--quiet"}).exit_code, 0);
}

}  // namespace
}  // namespace weft::test::copies_test
