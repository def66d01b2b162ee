#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/words.hpp"
#include "cli/fft/arrays.hpp"
#include "command.hpp"
#include "support/temporary_folder.hpp"
#include "weft/machine.hpp"
#include "weft/profile.hpp"
#include "weft/version.hpp"

namespace weft::test::help_test {
namespace {

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in\n" << text;
  }
}

// With one blank between words, wherever lines break.
std::string unfolded(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

TEST(Help, IsPrinted) {
  const CommandResult result = run_weft({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_in(result.out,
            {"Usage: weft", "fft", "compare", "info", "--version", "Examples:", "Exit codes:"});
}

TEST(FirstWords, TellTheProgramAndThreeCommandsToTry) {
  const CommandResult result = run_weft({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_in(result.out, {"emulates a wafer-scale fabric", "weft --help"});
  std::istringstream lines(result.out);
  std::vector<std::string> commands;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  weft ")) continue;
    std::istringstream words(line);
    std::string weft, command;
    words >> weft >> command;
    commands.push_back(command);
  }
  EXPECT_EQ(commands, (std::vector<std::string>{"fft", "compare", "info"}));
}

TEST(Help, NamesEveryOptionOfFft) {
  const CommandResult result = run_weft({"fft", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_in(result.out,
            {"--shape",     "--input",   "--seed",      "--fit",     "--output",    "--png",
             "--inverse",   "--no-data", "--precision", "--without", "--algorithm", "--s3dft-form",
             "--transpose", "--pencil",  "--reference", "--machine", "--threads",   "--json",
             "--quiet",     "Examples:", "Exit codes:"});
  for (const char* code : {"\n  0  ", "\n  1  ", "\n  2  ", "\n  3  ", "\n  4  ", "\n  130  "}) {
    EXPECT_NE(result.out.find(code), std::string::npos) << code;
  }
}

TEST(Help, NamesEveryOptionOfCompare) {
  const CommandResult result = run_weft({"compare", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_in(result.out,
            {"--shapes", "--shape ", "--precisions", "--directions", "--engines", "--references",
             "--seed", "--machine", "--threads", "--json", "--quiet", "Examples:", "Exit codes:"});
}

template <typename Enum>
void expect_words(const CommandResult& help) {
  for (const auto& row : base::kWords<Enum>)
    EXPECT_TRUE(std::regex_search(help.out, std::regex(fmt::format("\\b{}\\b", row.in_command))))
        << row.in_command;
}

TEST(Help, NamesTheWordsThatOptionsTake) {
  const CommandResult fft = run_weft({"fft", "--help"}), compare = run_weft({"compare", "--help"});
  expect_words<FftPrecision>(fft);
  expect_words<FftNorm>(fft);
  expect_words<FftTranspose>(fft);
  expect_words<FftPencil>(fft);
  expect_words<Engine>(fft);
  expect_words<FftPrecision>(compare);
  expect_words<FftDirection>(compare);
  expect_words<FftKind>(compare);
  for (const auto& row : cli::kTransforms) EXPECT_NE(fft.out.find(row.word), std::string::npos);
}

TEST(Help, NamesEveryOptionOfInfo) {
  const CommandResult result = run_weft({"info", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  expect_in(result.out, {"--machine", "--json", "Examples:"});
}

TEST(Help, NamesEveryMetricOfHeatmap) {
  const CommandResult result = run_weft({"heatmap", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  expect_in(result.out,
            {"--window", "* busiest_link ", "Examples:\n  weft heatmap ", "Exit codes:"});
  for (const CountInfo& info : count_infos())
    expect_in(result.out, {fmt::format("{} {} ", info.windowed ? '*' : ' ', info.name),
                           fmt::format(" {}\n", info.meaning)});
}

TEST(Help, FitsAHundredColumns) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"--help"},
                                                          {"fft", "--help"},
                                                          {"compare", "--help"},
                                                          {"heatmap", "--help"},
                                                          {"explain", "--help"},
                                                          {"info", "--help"},
                                                          {"info"}};
  for (const std::vector<std::string>& command : commands) {
    const std::string text = run_weft(command).out;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = text.find('\n', start);
      EXPECT_LE(end - start, 100u) << text.substr(start, end - start);
      start = end + 1;
    }
  }
}

TEST(Version, IsPrinted) {
  const CommandResult result = run_weft({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, std::string("weft ") + version() + "\n");
}

TEST(Info, ShowsEveryConstant) {
  const CommandResult result = run_weft({"info"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_in(result.out, {version(), "host", "fftw, cufft", "vector width", "wse2"});
  for (const MachineConstant& constant : machine_constants()) {
    expect_in(result.out, {std::string(constant.name) + " "});
    expect_in(unfolded(result.out), {std::string(constant.meaning)});
  }
  EXPECT_EQ(result.out.find("\n* "), std::string::npos) << "nothing differs from the default";
}

TEST(Info, MarksWhatDiffersFromTheDefault) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("m.json", R"({"name": "slow", "ramp_cycles": 5, "clock_khz": 850000})");
  const CommandResult result = run_weft({"info", "--machine", file});
  EXPECT_EQ(result.exit_code, 0);
  expect_in(result.out, {"slow (1 of ", "\n* ramp_cycles", "\n  clock_khz"});
}

TEST(Info, JsonHoldsTheSame) {
  const TemporaryFolder folder;
  const std::string file = folder.write("m.json", R"({"name": "slow", "ramp_cycles": 5})");
  const CommandResult result = run_weft({"info", "--machine", file, "--json", "-"});
  EXPECT_EQ(result.exit_code, 0);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["machine"], "slow");
  EXPECT_EQ(json["engines"].front(), "host");
  EXPECT_EQ(json["engines"].back(), "reference");
  EXPECT_EQ(json["references"][0], "fftw");
  EXPECT_FALSE(json["absent"].contains("host"));
  EXPECT_NE(json["absent"].value("cuda", ""), "") << "an engine that cannot be used here";
  EXPECT_TRUE(json["cuda"].contains("driver"));
  EXPECT_TRUE(json["vector_width"].is_string());
  ASSERT_EQ(json["constants"].size(), machine_constants().size());
  for (std::size_t i = 0; i < machine_constants().size(); ++i) {
    const auto& row = json["constants"][i];
    const MachineConstant& constant = machine_constants()[i];
    EXPECT_EQ(row["name"], constant.name);
    EXPECT_EQ(row["default"], constant.default_value);
    EXPECT_EQ(row["unit"], constant.unit);
    EXPECT_EQ(row["origin"], to_string(constant.origin));
    EXPECT_EQ(row["meaning"], constant.meaning);
    const bool is_ramp = constant.name == "ramp_cycles";
    EXPECT_EQ(row["value"], is_ramp ? 5 : constant.default_value);
    EXPECT_EQ(row["changed"], is_ramp);
  }
}

TEST(Info, JsonGoesToAFileToo) {
  const TemporaryFolder folder;
  const CommandResult result = run_weft({"info", "--json", folder.file("info.json")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("clock_khz"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(read_bytes(folder.file("info.json"))).contains("constants"));
}

}  // namespace
}  // namespace weft::test::help_test
