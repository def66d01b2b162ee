// Runs of `weft compare`: its table, its JSON, and what it refuses.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"
#include "reference/reference.hpp"
#include "support/temporary_folder.hpp"
#include "weft/version.hpp"

namespace weft::test::compare_test {
namespace {

using nlohmann::json;

/// Empty on a host with a device.
std::string why_no_cufft() { return reference::references()[1].why_absent(); }

CommandResult compare(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  return run_weft(arguments);
}

json compare_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const CommandResult result = compare(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json::parse(result.out);
}

/// The words of the lines that end in `verdict`.
std::vector<std::vector<std::string>> rows_of(const std::string& text, const std::string& verdict) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.ends_with(verdict)) continue;
    std::istringstream in(line);
    rows.emplace_back(std::istream_iterator<std::string>(in), std::istream_iterator<std::string>());
  }
  return rows;
}

TEST(Compare, TheTableHasEveryCombination) {
  const CommandResult result = compare({"--shapes", "4,8", "--references", "fftw"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto rows = rows_of(result.out, "  ok");
  ASSERT_EQ(rows.size(), 8u) << result.out;
  std::size_t at = 0;
  for (const char* shape : {"4,4,4", "8,8,8"}) {
    for (const char* precision : {"fp16", "fp32"}) {
      for (const char* direction : {"forward", "inverse"}) {
        const auto& row = rows[at++];
        EXPECT_EQ(std::vector(row.begin(), row.begin() + 5),
                  (std::vector<std::string>{shape, precision, direction, "host", "fftw"}));
        EXPECT_LE(std::stod(row[5]), std::stod(row[6])) << "error and bound";
      }
    }
  }
  for (const char* title :
       {"shape", "type", "direction", "engine", "reference", "error", "bound", "cycles",
        "emulation", "its time", "verdict", "seed 1", "machine wse2", "\n  8 ok\n"}) {
    EXPECT_NE(result.out.find(title), std::string::npos) << title << " not in\n" << result.out;
  }
}

TEST(Compare, ListsChooseWhatIsCompared) {
  const json report =
      compare_json({"--shape", "4,4,4", "--shapes", "8", "--shape=8,8,8", "--precisions", "fp32",
                    "--precisions", "fp32", "--directions", "inverse", "--engines", "host",
                    "--references", "fftw", "--seed", "7", "--threads", "1"});
  ASSERT_EQ(report["rows"].size(), 2u) << "each shape once";
  EXPECT_EQ(report["rows"][0]["shape"], json({8, 8, 8}));
  EXPECT_EQ(report["rows"][1]["shape"], json({4, 4, 4}));
  for (const json& row : report["rows"]) {
    EXPECT_EQ(row["precision"], "fp32");
    EXPECT_EQ(row["direction"], "inverse");
  }
  EXPECT_EQ(report["input"], json({{"kind", "random"}, {"seed", 7}}));
  EXPECT_EQ(report["threads"], 1);
}

TEST(Compare, JsonHoldsTheWholeReport) {
  const json report = compare_json({"--shapes", "8", "--references", "fftw"});
  EXPECT_EQ(report["version"], version());
  EXPECT_EQ(report["norm"], "backward");
  EXPECT_EQ(report["machine"]["name"], "wse2");
  EXPECT_EQ(report["counts"], json({{"ok", 4}, {"failed", 0}, {"skipped", 0}, {"interrupted", 0}}));
  ASSERT_EQ(report["rows"].size(), 4u);
  for (const json& row : report["rows"]) {
    EXPECT_EQ(row["engine"], "host");
    EXPECT_EQ(row["reference"], "fftw");
    EXPECT_EQ(row["verdict"], "ok");
    EXPECT_TRUE(row["reason"].is_null());
    EXPECT_LE(row["rel_l2"], row["bound"]);
    for (const char* key :
         {"rel_l2", "max_abs", "bound", "cycles", "wall_seconds", "reference_wall_seconds"}) {
      ASSERT_TRUE(row[key].is_number()) << key;
      EXPECT_GT(row[key], 0) << key;
    }
    const json& own = row["reference_same_precision"];
    ASSERT_EQ(own.is_null(), row["precision"] == "fp16");
    if (!own.is_null()) {
      EXPECT_GT(own["rel_l2"], 0);
    }
  }
}

TEST(Compare, CountsTheCyclesThatFftCounts) {
  const json row = compare_json({"--shape", "8,8,8", "--precisions", "fp16", "--directions",
                                 "inverse", "--references", "fftw"})["rows"][0];
  const CommandResult single =
      run_weft({"fft", "--shape", "8,8,8", "--precision", "fp16", "--inverse", "--json", "-"});
  const json report = json::parse(single.out);
  EXPECT_EQ(row["cycles"], report["cycles"]["total"]);
  EXPECT_EQ(row["rel_l2"], report["error"]["rel_l2"]);
}

TEST(Compare, AMachineProfileIsUsed) {
  const TemporaryFolder folder;
  const std::string file = folder.write("m.json", R"({"name": "slow", "ramp_cycles": 7})");
  const std::vector<std::string> arguments = {"--shapes", "4", "--references", "fftw"};
  std::vector<std::string> slower = arguments;
  slower.insert(slower.end(), {"--machine", file});
  const json slow = compare_json(slower), plain = compare_json(arguments);
  EXPECT_EQ(slow["machine"]["name"], "slow");
  EXPECT_GT(slow["rows"][0]["cycles"], plain["rows"][0]["cycles"]);
}

TEST(Compare, WithoutADeviceCufftIsSkipped) {
  const std::string why = why_no_cufft();
  if (why.empty()) GTEST_SKIP() << "this host has a CUDA device";
  const CommandResult result = compare({"--shapes", "4,8"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(rows_of(result.out, "  ok").size(), 8u) << result.out;
  const auto skipped = rows_of(result.out, "  skipped: " + why);
  ASSERT_EQ(skipped.size(), 1u) << "one line for all of them:\n" << result.out;
  EXPECT_EQ(skipped[0][0] + " " + skipped[0][1], "all 8");
  EXPECT_NE(result.out.find("\n  8 ok, 8 skipped\n"), std::string::npos) << result.out;

  const json report = compare_json({"--shapes", "4"});
  EXPECT_EQ(report["counts"], json({{"ok", 4}, {"failed", 0}, {"skipped", 4}, {"interrupted", 0}}));
  EXPECT_EQ(report["rows"][1]["reference"], "cufft");
  EXPECT_EQ(report["rows"][1]["verdict"], "skipped");
  EXPECT_EQ(report["rows"][1]["reason"], why);
  EXPECT_TRUE(report["rows"][1]["cycles"].is_null());
}

TEST(Compare, NothingToCompareWithIsAnError) {
  const std::string why = why_no_cufft();
  if (why.empty()) GTEST_SKIP() << "this host has a CUDA device";
  const TemporaryFolder folder;
  expect_error_line(compare({"--references", "cufft", "--json", folder.file("out.json")}), 2,
                    "environment", {"nothing could be compared", "cufft: " + why});
  EXPECT_EQ(folder.count(), 0u);
  expect_error_line(run_weft({"fft", "--reference", "cufft", "--output", folder.file("out.npy")}),
                    2, "environment", {"cannot compare with cuFFT", why, "--reference fftw"});
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Compare, JsonGoesToAFileToo) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {
      "--shapes",     "4",    "--references", "fftw",
      "--precisions", "fp32", "--json",       folder.file("a.json")};
  const CommandResult loud = compare(arguments);
  EXPECT_EQ(loud.exit_code, 0) << loud.err;
  EXPECT_NE(loud.out.find("2 ok"), std::string::npos) << loud.out;
  std::vector<std::string> silent = arguments;
  silent.push_back("--quiet");
  const CommandResult quiet = compare(silent);
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(folder.count(), 1u);
  EXPECT_EQ(json::parse(read_bytes(folder.file("a.json")))["rows"].size(), 2u);
}

TEST(Compare, RefusesWhatItDoesNotKnow) {
  struct Case {
    std::vector<std::string> arguments;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
      {{"--shapes", "8,14"},
       {"--shapes: 14", "side 14 has a prime factor above 5", "--shapes 8,16,32"}},
      {{"--shapes", "1"}, {"--shapes: 1", "its last axis has one number"}},
      {{"--shapes", "8192"}, {"--shapes: 8192", "more than 4096"}},
      {{"--shapes", "8,x"}, {"--shapes: x", "not whole numbers"}},
      {{"--shapes", "8x"}, {"--shapes: 8x", "not whole numbers"}},
      {{"--shapes", "-8"}, {"-8"}},
      {{"--shapes", "8,,16"}, {"--shapes: 8,,16", "an item of the list is empty"}},
      {{"--shapes", "8,"}, {"--shapes: 8,", "an item of the list is empty"}},
      {{"--shapes", ""}, {"--shapes", "an item of the list is empty"}},
      {{"--precisions", ",fp16"}, {"--precisions: ,fp16", "an item of the list is empty"}},
      {{"--shapes", "99999999999999999999"}, {"too large"}},
      {{"--shapes", "8", "16"}, {"unexpected argument '16'", "weft compare --help"}},
      {{"--shapes"}, {"--shapes"}},
      {{"--shape", "8,8,1"}, {"--shape: 8,8,1", "its last axis has one number"}},
      {{"--shape", "4,4,14"}, {"--shape: 4,4,14", "side 14 has a prime factor above 5"}},
      {{"--precisions", "fp32,fp64"}, {"--precisions fp64", "known: fp16, fp32"}},
      {{"--directions", "backward"}, {"--directions backward", "known: forward, inverse"}},
      {{"--engines", "gpu"}, {"--engines gpu", "known: host, cuda"}},
      {{"--references", "none"}, {"--references none", "known: fftw, cufft"}},
      {{"--threads", "0"}, {"--threads: 0", "1 to 1024"}},
      {{"--seed", "-1"}, {"--seed", "-1"}},
      {{"--presicions", "fp16"}, {"--presicions", "nearest known one is --precisions"}},
      {{"--json", ""}, {"--json", "empty"}},
  };
  for (const Case& refused : cases) {
    SCOPED_TRACE(testing::PrintToString(refused.arguments));
    expect_error_line(compare(refused.arguments), 2, "usage", refused.parts);
  }
}

TEST(Compare, RefusesFilesThatItCannotUse) {
  const TemporaryFolder folder;
  const std::string machine = folder.write("m.json", R"({"ramp_cycles": 99})");
  expect_error_line(compare({"--machine", machine}), 2, "machine profile", {"99"});
  expect_error_line(compare({"--machine", folder.file("missing.json")}), 2, "input",
                    {"missing.json"});
  expect_error_line(compare({"--json", folder.file("no/such/file")}), 2, "environment",
                    {"no/such/file"});
  const std::string good = folder.write("good.json", R"({"ramp_cycles": 5})");
  expect_error_line(compare({"--machine", good, "--json", good}), 2, "usage",
                    {"--json", "--machine names the same file"});
}

}  // namespace
}  // namespace weft::test::compare_test
