// --explain writes the report of a deadlock, and nothing else.
#include "cli/fft/explanation.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/common/exit_code.hpp"
#include "command.hpp"
#include "support/deadlocks.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::explanation_test {
namespace {

int run_late_limit() {
  Fabric fabric(late_limit(), test_machine());
  fabric.run_until_idle(5000);
  return 7;
}

TEST(Explanation, IsWrittenAndTheDeadlockPassedOn) {
  const TemporaryFolder folder;
  const std::string file = folder.file("why.txt");
  EXPECT_THROW(cli::explained(file, run_late_limit), DeadlockError);
  EXPECT_EQ(read_bytes(file), explain(report_of(late_limit())));
}

TEST(Explanation, IsJsonByTheFilesName) {
  const TemporaryFolder folder;
  const std::string file = folder.file("why.json");
  EXPECT_THROW(cli::explained(file, run_late_limit), DeadlockError);
  const auto json = nlohmann::json::parse(read_bytes(file));
  ASSERT_EQ(json.at("causes").size(), 1U);
  const auto& cause = json["causes"][0];
  EXPECT_EQ(cause.at("kind"), "filter never opens");
  EXPECT_EQ(cause.at("pes"), (nlohmann::json{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(cause.at("filter").at("let_in"), 1);
  EXPECT_EQ(cause.at("filter").at("refused"), 7);
  EXPECT_EQ(cause.at("port"), nullptr);
  EXPECT_EQ(cause.at("senders").at(0).at("pe"), (nlohmann::json{0, 0}));
  EXPECT_EQ(cause.at("stuck").size(), json.at("waits"));
  EXPECT_EQ(cause.at("stuck").at(0).at("what"), "microthread");
}

// The published transpose comes too late on this machine: each row's PEs 3 and 4 miss a number.
TEST(Explanation, TheCommandWritesItToo) {
  const TemporaryFolder folder;
  const std::string file = folder.file("why.json"), report = folder.file("report.json");
  const CommandResult result =
      run_weft({"fft", "--shape", "8,8,8", "--precision", "fp16", "--machine", "wse2-simfab",
                "--transpose", "published", "--explain", file, "--json", report});
  expect_error_line(result, 3, "program",
                    {"microthread 3 of PE (3, 0) waits for 1 more wavelet of color 1",
                     "switch is at position 2", "refused 23", "alike at 7 more PEs", "--explain"});
  const auto json = nlohmann::json::parse(read_bytes(file));
  ASSERT_EQ(json.at("causes").size(), 2U);
  EXPECT_EQ(json["causes"][0].at("kind"), "switch turned away");
  EXPECT_EQ(json["causes"][0].at("pes").size(), 8U);
  EXPECT_EQ(json["causes"][0].at("filter").at("control"), 1);
  EXPECT_FALSE(std::filesystem::exists(report));
}

TEST(Explanation, NothingIsWrittenOfARunThatGoesThrough) {
  const TemporaryFolder folder;
  const std::string file = folder.file("why.txt");
  EXPECT_EQ(cli::explained(file, [] { return 3; }), 3);
  EXPECT_FALSE(std::filesystem::exists(file));
  const CommandResult result = run_weft({"fft", "--shape", "4,4,4", "--quiet", "--explain", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Explanation, ItsFileIsCheckedBefore) {
  const TemporaryFolder folder;
  const std::string file = folder.file("missing/why.txt");
  expect_error_line(run_weft({"fft", "--explain", file}), 2, "environment", {"why.txt"});
}

TEST(Explanation, TheErrorLineSaysHowToGetIt) {
  try {
    run_late_limit();
    FAIL() << "no deadlock";
  } catch (const DeadlockError& error) {
    EXPECT_EQ(cli::exit_code(error), 3);
    const std::string line = cli::error_line(error);
    EXPECT_TRUE(line.starts_with("weft: program error: nothing can move any more after cycle "));
    EXPECT_TRUE(line.ends_with("; weft fft --explain FILE tells all of it")) << line;
  }
}

}  // namespace
}  // namespace weft::test::explanation_test
