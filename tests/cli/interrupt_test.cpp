// Ctrl-C: what is kept, and what is said.
#include "cli/common/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::interrupt_test {
namespace {

// Two-cycle hops are stepped one by one: seconds of work, whatever else the host does meanwhile,
// and a signal is sent as soon as a bar is seen.
const std::string kShape = "128,128,128", kCycles = R"(\d{2,3},\d{3})";
const std::vector<std::string> kSlowly = {"--machine", "wse2-simfab", "--threads", "1"};
const std::string kErase = "\r\x1b[K";

std::vector<std::string> slowly(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), kSlowly.begin(), kSlowly.end());
  return arguments;
}

std::vector<std::string> long_run_to(const TemporaryFolder& folder) {
  std::vector<std::string> arguments = slowly({"fft", "--shape", kShape});
  for (const auto& [option, name] :
       {std::pair("--output", "a.npy"), {"--png", "a.png"}, {"--json", "a.json"}}) {
    arguments.insert(arguments.end(), {option, folder.file(name)});
  }
  return arguments;
}

void expect_match(const std::string& text, const std::string& pattern) {
  EXPECT_TRUE(std::regex_match(text, std::regex(pattern))) << pattern << "\nnot\n" << text;
}

const std::string kWhere =
    "at cycle [0-9,]+ of about " + kCycles + R"( \([a-z ]+\), after [0-9.]+ m?s)";

/// The last bar that was drawn, and what came after it.
std::pair<std::string, std::string> last_bar(const std::string& err) {
  const std::size_t end = err.rfind(kErase);
  if (end == std::string::npos || end == 0) return {"", err};
  const std::size_t begin = err.rfind(kErase, end - 1);
  if (begin == std::string::npos) return {"", err};
  return {err.substr(begin + kErase.size(), end - begin - kErase.size()),
          err.substr(end + kErase.size())};
}

TEST(Interrupt, EndsARunWithOneLineAndNoFile) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string old = folder.write("a.npy", "precious");
    const CommandResult result = interrupt_weft(long_run_to(folder), signal, " left");
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.out, "");
    const auto [bar, line] = last_bar(result.err);
    expect_match(bar, R"(\[#*\.+\] +\d+ %  [0-9,]+ of ~)" + kCycles +
                          R"( cycles  .+ left( .* PE-cycles/s)?)");
    EXPECT_LT(bar.size(), 80u) << "columns of this terminal";
    expect_match(line, "weft: interrupted " + kWhere + "; nothing was written\r\n");
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(read_bytes(old), "precious");
  }
}

TEST(Interrupt, CompareKeepsWhatItHasFound) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json");
  const CommandResult result =
      interrupt_weft(slowly({"compare", "--shapes", "4,128", "--precisions", "fp32", "--references",
                             "fftw", "--json", file}),
                     SIGINT, "transform 3 of 4");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.out.find("\n  2 ok, 2 interrupted\n"), std::string::npos) << result.out;
  const auto [bar, line] = last_bar(result.err);
  expect_match(bar, ".* %  transform 3 of 4.*");
  expect_match(line, "weft: interrupted " + kWhere + ", in " + kShape +
                         " fp32 forward on host against fftw; "
                         "2 of 4 comparisons were made\r\n");
  ASSERT_EQ(folder.count(), 1u);
  const auto rows = nlohmann::json::parse(read_bytes(file))["rows"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1]["verdict"], "ok");
  EXPECT_EQ(rows[2]["verdict"], "interrupted");
  expect_match(rows[2]["reason"], kWhere);
  EXPECT_EQ(rows[3]["verdict"], "interrupted");
}

TEST(Interrupt, TheFirstSignalIsNotedAndTheSecondEndsTheProcess) {
  const auto note_one = [] {
    cli::note_interrupts();
    std::raise(SIGINT);
    std::_Exit(cli::is_interrupted() ? 7 : 8);
  };
  const auto raise_two = [] {
    cli::note_interrupts();
    std::raise(SIGINT);
    std::raise(SIGINT);
    std::_Exit(8);
  };
  EXPECT_EXIT(note_one(), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(raise_two(), testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, WhatTheCallerIgnoresStaysIgnored) {
  const auto ignore = [] {
    std::signal(SIGINT, SIG_IGN);
    cli::note_interrupts();
    std::raise(SIGINT);
    std::raise(SIGINT);
    std::_Exit(cli::is_interrupted() ? 8 : 7);
  };
  EXPECT_EXIT(ignore(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace weft::test::interrupt_test
