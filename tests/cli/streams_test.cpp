// How `weft` treats its standard streams: silence, terminals, and readers that are not there.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "command.hpp"
#include "support/resource_limit.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::streams_test {
namespace {

TEST(Streams, QuietPrintsNothing) {
  const CommandResult result = run_weft({"fft", "--shape", "4,4,4", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST(Streams, JsonOnStandardOutputIsAllThereIs) {
  for (const bool quiet : {false, true}) {
    std::vector<std::string> arguments = {"fft", "--shape", "4,4,4", "--json", "-"};
    if (quiet) arguments.push_back("--quiet");
    const CommandResult result = run_weft(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(nlohmann::json::accept(result.out)) << result.out;
  }
}

TEST(Streams, AShortRunDrawsNothingOnATerminal) {
  const CommandResult result = run_weft_on_terminal({"fft", "--shape", "8,8,8"}, Bar::late);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("cycles"), std::string::npos);
}

TEST(Streams, ALongOneDrawsABarAndErasesIt) {
  const CommandResult result = run_weft_on_terminal({"fft", "--shape", "8,8,8"}, Bar::at_once);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.err.starts_with("\r\x1b[K[....")) << result.err;
  EXPECT_NE(result.err.find("  0 %  0 of ~"), std::string::npos) << result.err;
  EXPECT_TRUE(result.err.ends_with("\r\x1b[K")) << result.err;
}

TEST(Streams, QuietSilencesTheTerminalToo) {
  const CommandResult result =
      run_weft_on_terminal({"fft", "--shape", "4,4,4", "--quiet"}, Bar::at_once);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Streams, AFullDiskIsReported) {
  const CommandResult result = run_weft_into("/dev/full", {"info"});
  expect_error_line(result, 2, "environment", {"standard output"});
}

TEST(Streams, TheLimitOnTheSizeOfFilesIsAnError) {
  const ResourceLimit limit(RLIMIT_FSIZE, 1024);
  const TemporaryFolder folder;
  const CommandResult result = run_weft_into(folder.file("out"), {"info"});
  expect_error_line(result, 2, "environment", {"standard output", "File too large", "ulimit -f"});
}

TEST(Streams, OutputsBeyondTheLimitOnTheSizeOfFilesLeaveNothing) {
  const TemporaryFolder folder;
  const std::pair<const char*, std::string> cases[] = {
      {"--output", "a.npy"}, {"--png", "a.png"}, {"--json", "a.json"}};
  for (const auto& [option, name] : cases) {
    SCOPED_TRACE(option);
    const std::string old = folder.write(name, "precious");
    const std::size_t before = folder.count();
    const ResourceLimit limit(RLIMIT_FSIZE, 1024);
    expect_error_line(run_weft({"fft", "--shape", "8,8,8", "--quiet", option, old}), 2,
                      "environment", {"'" + old + "'", "File too large", "ulimit -f"});
    EXPECT_EQ(read_bytes(old), "precious");
    EXPECT_EQ(folder.count(), before);
  }
}

TEST(Streams, AnErrorThatCannotBePrintedIsStillOne) {
  const ResourceLimit limit(RLIMIT_FSIZE, 0);
  const CommandResult result = run_weft({"fft", "--shape", "7,7,7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "");
}

TEST(Streams, AClosedOutputIsReportedAndFilesStayClean) {
  const TemporaryFolder folder;
  const std::string output = folder.file("out.npy");
  const CommandResult result = run_weft_into("", {"fft", "--shape", "4,4,4", "--output", output});
  expect_error_line(result, 2, "environment", {"standard output"});
  // The report must not have landed in the file that took the closed descriptor's place.
  EXPECT_EQ(read_bytes(output).find("weft"), std::string::npos);
  const CommandResult quiet = run_weft_into("", {"fft", "--shape", "4,4,4", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
}

}  // namespace
}  // namespace weft::test::streams_test
