// `weft sweep`: a run for each point of a grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "support/generated_text.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::sweep_test {
namespace {

class Sweep : public testing::Test {
 protected:
  CommandResult sweep(std::vector<std::string> grid, const std::vector<std::string>& more,
                      const std::vector<std::string>& command) {
    std::vector<std::string> arguments{"sweep", "--output", output_};
    for (const std::string& dimension : grid)
      arguments.insert(arguments.end(), {"--set", dimension});
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), command.begin(), command.end());
    return run_weft(arguments);
  }

  std::string file(const std::string& name) const { return output_ + "/" + name; }
  std::size_t kept() const {
    const std::string text = text_of(file("runs.jsonl"));
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  /// The cells of a column of sweep.csv, by its name.
  std::vector<std::string> column(const std::string& name) const {
    std::ifstream in(file("sweep.csv"));
    std::vector<std::string> cells;
    std::size_t place = 0;
    for (std::string line; std::getline(in, line);) {
      std::vector<std::string> row(1);
      for (const char c : line)
        if (c == ',')
          row.emplace_back();
        else
          row.back() += c;
      if (cells.empty() && place == 0)
        place = static_cast<std::size_t>(std::ranges::find(row, name) - row.begin()) + 1;
      else
        cells.push_back(row.at(place - 1));
    }
    return cells;
  }

  TemporaryFolder folder_;
  std::string output_ = folder_.file("sweep");
};

/// The cycles of a run by itself.
std::string cycles_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const CommandResult result = run_weft(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out).at("cycles").at("total").dump();
}

TEST_F(Sweep, EachRunIsTheCommandByItself) {
  const CommandResult result = sweep({"ramp_cycles=1..3..2", "precision=fp16,fp32"}, {},
                                     {"fft", "--shape", "8,8,8", "--no-data"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("ramp_cycles  precision  cycles.total"), std::string::npos)
      << result.out;
  std::vector<std::string> expected;
  for (const char* ramp : {"1", "3"})
    for (const char* precision : {"fp16", "fp32"}) {
      const std::string machine =
          folder_.write("ramp.json", std::string(R"({"ramp_cycles": )") + ramp + "}");
      expected.push_back(cycles_of({"fft", "--shape", "8,8,8", "--no-data", "--precision",
                                    precision, "--machine", machine}));
    }
  EXPECT_EQ(column("cycles.total"), expected);
  EXPECT_EQ(column("ramp_cycles"), (std::vector<std::string>{"1", "1", "3", "3"}));
  EXPECT_EQ(kept(), 4U);
}

TEST_F(Sweep, KeepsWhatIsDoneAndGoesOn) {
  const std::vector<std::string> command{"fft", "--shape", "8,8,8", "--no-data"};
  ASSERT_EQ(sweep({"ramp_cycles=1,2"}, {"--quiet"}, command).exit_code, 0);
  const std::string before = text_of(file("runs.jsonl"));
  // A run that was cut off while it was written is made again.
  std::ofstream(file("runs.jsonl"), std::ios::app) << R"({"key":"cut o)";
  ASSERT_EQ(sweep({"ramp_cycles=1..3"}, {"--quiet"}, command).exit_code, 0);
  EXPECT_EQ(kept(), 3U);
  EXPECT_EQ(text_of(file("runs.jsonl")).substr(0, before.size()), before);
  ASSERT_EQ(sweep({"ramp_cycles=1..3"}, {"--quiet", "--again"}, command).exit_code, 0);
  EXPECT_EQ(kept(), 6U);
}

TEST_F(Sweep, TheMachineOfTheCommandIsTheBase) {
  ASSERT_EQ(sweep({"task_start_cycles=20"}, {"--quiet"},
                  {"fft", "--shape", "8,8,8", "--no-data", "--machine", "wse2-simfab"})
                .exit_code,
            0);
  const auto sweep = nlohmann::json::parse(text_of(file("runs.jsonl")));
  EXPECT_EQ(sweep.at("report").at("machine").at("hop_cycles"), 2);
  EXPECT_EQ(sweep.at("report").at("machine").at("task_start_cycles"), 20);
}

TEST_F(Sweep, NamesRunsThatFailAndDoesNotTryThemAgain) {
  const std::vector<std::string> grid{"shape=8,8,8;7,7,7"};
  for (int time = 0; time < 2; ++time) {
    const CommandResult result = sweep(grid, {}, {"fft", "--no-data"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_NE(result.out.find("side 7 has a prime factor"), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("1 of 2 runs failed"), std::string::npos) << result.err;
    EXPECT_EQ(kept(), 2U);
  }
}

TEST_F(Sweep, ListsItsRunsWithoutRunningThem) {
  const CommandResult result =
      sweep({"inverse=true,false", "ramp_cycles=3"}, {"--list"}, {"fft", "--shape", "8,8,8"});
  EXPECT_EQ(result.out,
            "weft fft --shape 8,8,8 --inverse, with ramp_cycles = 3\n"
            "weft fft --shape 8,8,8, with ramp_cycles = 3\n");
  EXPECT_FALSE(std::ifstream(output_).good());
}

TEST_F(Sweep, RefusesInALine) {
  struct Case {
    std::vector<std::string> grid, more, command;
    std::string says;
  };
  const std::vector<std::string> fft{"fft", "--shape", "8,8,8", "--no-data"};
  for (const Case& c : {
           Case{{"ramp_cycle=1"}, {}, fft, "the nearest known one is ramp_cycles"},
           Case{{"precisoin=fp16"}, {}, fft, "the nearest known one is precision"},
           Case{{"ramp_cycles=1..9"}, {}, fft, "8 is no value of ramp_cycles"},
           Case{{"ramp_cycles=3..1"}, {}, fft, "a range goes up"},
           Case{{"ramp_cycles=1,,2"}, {}, fft, "a value is empty"},
           Case{{"ramp_cycles=1,2,1"}, {}, fft, "1 is there twice"},
           Case{{"shape=8,8,8"}, {}, {"fft"}, "commas between semicolons"},
           Case{{"ramp_cycles"}, {}, fft, "it has no NAME="},
           Case{{"seed=1..2000000"}, {}, fft, "more than 1000000 numbers"},
           Case{{"seed=1", "seed=2"}, {}, fft, "seed is there twice"},
           Case{{"inverse=yes"}, {}, fft, "true and false set it"},
           Case{{"json=a,b"}, {}, fft, "no option of 'weft fft' that a sweep may set"},
           Case{{"shape=8,8,8;9,9,9"}, {}, fft, "--shape is given twice"},
           Case{{"ramp_cycles=1"}, {}, {"fft", "--output", "a.npy"}, "invalid argument of a sweep"},
           Case{{"ramp_cycles=1"}, {}, {"info"}, "choose fft or compare"},
           Case{{"ramp_cycles=1"}, {"--jobs", "0"}, fft, "invalid --jobs 0"},
           Case{{"ramp_cycles=1"}, {"--metric", "wavelet"}, fft, "wavelet"},
       }) {
    const CommandResult result = sweep(c.grid, c.more, c.command);
    EXPECT_EQ(result.exit_code, 2) << c.says;
    EXPECT_NE(result.err.find(c.says), std::string::npos) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

TEST_F(Sweep, AForeignFileStaysAsItIs) {
  ASSERT_EQ(
      sweep({"ramp_cycles=1"}, {"--quiet"}, {"fft", "--shape", "8,8,8", "--no-data"}).exit_code, 0);
  for (const char* text : {"precious\n", "precious", R"({"machine": 1})"}) {
    std::ofstream(file("runs.jsonl")) << text;
    const CommandResult result =
        sweep({"ramp_cycles=1"}, {}, {"fft", "--shape", "8,8,8", "--no-data"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("holds no runs of a sweep"), std::string::npos) << result.err;
    EXPECT_EQ(text_of(file("runs.jsonl")), text);
  }
}

TEST_F(Sweep, CtrlCKeepsRunsUntilThen) {
  const std::vector<std::string> arguments{"sweep", "--set", "seed=1..1000", "--output", output_,
                                           "--",    "fft",   "--shape",      "32,32,32"};
  const CommandResult result = interrupt_weft(arguments, SIGINT, "1 of 1000 runs");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_NE(result.err.find("of 1000 runs, which '"), std::string::npos) << result.err;
  EXPECT_LT(kept(), 1000U);
}

}  // namespace
}  // namespace weft::test::sweep_test
