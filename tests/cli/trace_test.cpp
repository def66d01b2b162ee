// weft fft --trace.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/common/exit_code.hpp"
#include "command.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::trace_test {
namespace {

std::vector<std::string> traced(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> all{"fft", "--shape", "8,8,8", "--quiet", "--trace", file};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::size_t lines_with(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(Trace, HasWhatWasChosen) {
  const TemporaryFolder folder;
  const std::string file = folder.file("run.log");
  const CommandResult result = run_weft(traced(
      file, {"--trace-pes", "0,0,2,1", "--trace-kinds", "task,hop", "--trace-cycles", ":900"}));
  EXPECT_EQ(result.exit_code, cli::kOk) << result.err;
  EXPECT_EQ(result.err, "");
  const std::string text = read_bytes(file);
  EXPECT_GT(lines_with(text, " P0.0: task start"), 0U);
  EXPECT_GT(lines_with(text, " P1.0: hop "), 0U);
  EXPECT_EQ(lines_with(text, " P2.0:"), 0U);
  EXPECT_EQ(lines_with(text, "delivered"), 0U);
  EXPECT_EQ(lines_with(text, "@900 "), 0U);
}

TEST(Trace, IsTheSameOnTheSpecification) {
  const TemporaryFolder folder;
  const std::string host = folder.file("host.npy"), reference = folder.file("reference.npy");
  EXPECT_EQ(run_weft(traced(host, {"--threads", "2"})).exit_code, cli::kOk);
  EXPECT_EQ(run_weft(traced(reference, {"--engine", "reference"})).exit_code, cli::kOk);
  EXPECT_EQ(read_bytes(host), read_bytes(reference));
}

TEST(Trace, AtItsLimitALineSaysFromWhereOnEventsLack) {
  const TemporaryFolder folder;
  const std::string file = folder.file("run.json");
  const CommandResult result = run_weft(
      traced(file, {"--trace-limit", "64K", "--trace-pes", "0,0,8,8", "--trace-kinds", "hop"}));
  EXPECT_EQ(result.exit_code, cli::kOk);
  EXPECT_NE(result.err.find("came to its limit: events from cycle "), std::string::npos)
      << result.err;
  EXPECT_LT(std::filesystem::file_size(file), 200'000U);
  EXPECT_TRUE(read_bytes(file).ends_with("]}\n"));
}

TEST(Trace, MistakesAreRefusedAndFilesStay) {
  const TemporaryFolder folder;
  const std::string file = folder.file("run.npy");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& text) {
    expect_error_line(run_weft(arguments), cli::kRefused, "usage", {text});
    EXPECT_FALSE(std::filesystem::exists(file));
  };
  refused(traced(file, {"--trace-pes", "0,0,8"}), "--trace-pes");
  refused(traced(file, {"--trace-pes", "7,0,2,1"}), "outside the mesh");
  refused(traced(file, {"--trace-kinds", "wavelets"}), "did you mean wavelet?");
  refused(traced(file, {"--trace-colors", "no such"}), "unknown color");
  refused(traced(file, {"--trace-cycles", "9:9"}), "--trace-cycles");
  refused(traced(file, {"--trace-limit", "1K"}), "--trace-limit");
  refused(traced(folder.file("run.txt")), ".pftrace.gz");
  refused({"fft", "--trace-pes", "0,0,1,1"}, "without --trace");
  refused(traced(file, {"--batch", "2"}), "--batch");
  refused({"fft", "--shape", "512,512,512", "--no-data", "--trace", file}, "--trace-pes");
}

}  // namespace
}  // namespace weft::test::trace_test
