// Ctrl-C: what is kept, what is said, and how fast.
#include "cli/interrupt.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "command.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test {
namespace {

// Takes ten seconds or more on one thread.
const std::string kSide = sanitized() ? "128" : "256", kCycles = sanitized() ? "8" : "23";
const std::string kShape = kSide + "," + kSide + "," + kSide;
const std::vector<std::string> kLong = {"fft", "--shape", kShape, "--threads", "1"};

std::vector<std::string> long_run_to(const TemporaryFolder& folder) {
  std::vector<std::string> arguments = kLong;
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
    "at cycle [0-9,]+ of about " + kCycles + R"(\d,\d{3} \([a-z ]+\), after [0-9.]+ m?s)";

TEST(Interrupt, ARunEndsAtOnceWithOneLineAndNoFile) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string old = folder.write("a.npy", "precious");
    const auto start = std::chrono::steady_clock::now();
    const CommandResult result = interrupt_weft(long_run_to(folder), signal);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.out, "");
    expect_match(result.err, "weft: interrupted " + kWhere + "; nothing was written\n");
    EXPECT_LT(taken.count(), 3) << "a second of it before the signal";
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(read_bytes(old), "precious");
  }
}

TEST(Interrupt, OnATerminalTheBarIsErasedFirst) {
  const CommandResult result = interrupt_weft_on_terminal(kLong);
  EXPECT_EQ(result.exit_code, 130);
  const std::string erase = "\r\x1b[K";
  ASSERT_TRUE(result.err.starts_with(erase)) << result.err;
  const std::size_t last = result.err.rfind(erase);
  ASSERT_GT(last, 0u) << result.err;
  const std::string bar = result.err.substr(erase.size(), result.err.find('\r', 1) - erase.size());
  expect_match(bar, R"(\[#*\.+\] +\d+ %  [0-9,]+ of ~)" + kCycles +
                        R"(\d,\d{3} cycles  .+ left( .* PE-cycles/s)?)");
  EXPECT_LT(bar.size(), 80u) << "columns of this terminal";
  expect_match(result.err.substr(last + erase.size()),
               "weft: interrupted " + kWhere + "; nothing was written\r\n");
}

TEST(Interrupt, CompareKeepsWhatItHasFound) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json");
  const CommandResult result =
      interrupt_weft({"compare", "--shapes", "4," + kSide, "--precisions", "fp32", "--references",
                      "fftw", "--threads", "1", "--json", file},
                     SIGINT);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.out.find("\n  2 ok, 2 interrupted\n"), std::string::npos) << result.out;
  expect_match(result.err, "weft: interrupted " + kWhere + ", in " + kShape +
                               " fp32 forward on host against fftw; "
                               "2 of 4 comparisons were made\n");
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
}  // namespace weft::test
