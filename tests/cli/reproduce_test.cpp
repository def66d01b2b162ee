// `weft reproduce`: a part of an evaluation, its files, and results that are kept.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "evaluation/folder.hpp"
#include "support/resource_limit.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::reproduce_test {
namespace {

using nlohmann::json;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void put(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class Reproduce : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder_.file("out/" + name); }
  std::vector<std::string> arguments(const std::string& item) const {
    return {"reproduce", "wsfft", "--quick", "--only", item, "--output", folder_.file("out")};
  }
  /// Pencils only: quick.
  CommandResult run() const { return run_weft(arguments("figure-3")); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Reproduce, ListsItsPapersTablesAndFigures) {
  const CommandResult listed = run_weft({"reproduce", "--list"});
  EXPECT_EQ(listed.exit_code, 0);
  for (const char* name : {"wsfft", "table-1", "figure-7", "claims"})
    EXPECT_NE(listed.out.find(name), std::string::npos) << name;
}

TEST_F(Reproduce, WritesTextCsvAndJson) {
  const CommandResult made = run();
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("figure-3: flops a cycle"), std::string::npos) << made.out;
  EXPECT_EQ(made.out.find(content(at("report.txt"))), 0U);
  const std::string csv = content(at("figure-3.csv"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "precision,n,cycles,authors' count,over the count,flops/cycle,published,of,difference,"
            "verdict");
  const json report = json::parse(content(at("report.json")));
  EXPECT_EQ(report["paper"], "wsfft");
  const json& result = report["results"][0];
  EXPECT_EQ(result["name"], "figure-3");
  EXPECT_EQ(result["columns"].size(), result["rows"][0].size());
  bool found = false;
  for (const json& row : result["rows"])
    if (row[0] == "fp32" && row[1] == 512) {
      found = true;
      EXPECT_EQ(row[3], 48196);  // by the authors' count
      EXPECT_EQ(row[6], nullptr);
      EXPECT_EQ(row[7], "ours alone");
    }
  EXPECT_TRUE(found);
}

TEST_F(Reproduce, KeepsItsResults) {
  ASSERT_EQ(run().exit_code, 0);
  json kept = json::parse(content(at("results.json")));
  // A result that nobody would find shows that it is taken from the file.
  for (json& one : kept["results"])
    if (one["run"] == "pencil 16 fp16 forward") one["outcome"]["cycles"] = 4242;
  put(at("results.json"), kept.dump());
  const CommandResult again = run();
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.out.find("4,242"), std::string::npos) << again.out;
}

TEST_F(Reproduce, WarnsOfResultsOfAnotherVersionAndKeepsThem) {
  ASSERT_EQ(run().exit_code, 0);
  json kept = json::parse(content(at("results.json")));
  const std::size_t count = kept["results"].size();
  for (json& one : kept["results"]) {
    one["version"] = "0.0.1";
    one["outcome"]["cycles"] = 4242;
  }
  put(at("results.json"), kept.dump());
  const CommandResult again = run();
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out.find("4,242"), std::string::npos);
  EXPECT_NE(again.err.find("of other machines or versions"), std::string::npos) << again.err;
  EXPECT_EQ(json::parse(content(at("results.json")))["results"].size(), 2 * count);
}

TEST_F(Reproduce, LeavesADamagedFileAsItIs) {
  ASSERT_EQ(run().exit_code, 0);
  for (const char* damage : {"", "{\"results\": [{\"run\": 3}]}", "no JSON"}) {
    put(at("results.json"), damage);
    const CommandResult refused = run();
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("holds no results"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("move it away"), std::string::npos) << refused.err;
    EXPECT_EQ(content(at("results.json")), damage);
  }
}

TEST_F(Reproduce, GoesOnAfterAnInterruption) {
  const CommandResult stopped = interrupt_weft(arguments("table-1"), SIGINT, "128,128,128 on");
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_NE(stopped.err.find("the same command goes on"), std::string::npos) << stopped.err;
  EXPECT_EQ(stopped.err.find("nothing was written"), std::string::npos) << stopped.err;
  const json kept = json::parse(content(at("results.json")));
  EXPECT_GT(kept["results"].size(), 0U);
  EXPECT_FALSE(std::filesystem::exists(at("report.txt")));
  EXPECT_EQ(run_weft(arguments("table-1")).exit_code, 0);
  EXPECT_GT(json::parse(content(at("results.json")))["results"].size(), kept["results"].size());
}

TEST_F(Reproduce, KeepsWhatItHasWhereTheDiskIsFull) {
  ASSERT_EQ(run().exit_code, 0);
  const std::string kept = content(at("results.json")), csv = content(at("figure-3.csv"));
  {
    // A file may not be larger than the present results, so those of another item do not fit.
    const ResourceLimit limit(RLIMIT_FSIZE, kept.size());
    const CommandResult full = run_weft(arguments("delay"));
    expect_error_line(full, 2, "environment", {"results.json", "File too large"});
  }
  EXPECT_EQ(content(at("results.json")), kept);
  EXPECT_EQ(content(at("figure-3.csv")), csv);
  EXPECT_FALSE(std::filesystem::exists(at("delay.csv")));
  for (const auto& entry : std::filesystem::directory_iterator(at("")))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
  EXPECT_EQ(run_weft(arguments("delay")).exit_code, 0) << "with room again it goes on";
}

TEST_F(Reproduce, DoesNotWriteOverResultsThatItCannotRead) {
  std::filesystem::create_directory(at(""));
  std::filesystem::create_symlink("results.json", at("results.json"));  // leads to itself
  const CommandResult refused = run();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("results.json"), std::string::npos) << refused.err;
  EXPECT_TRUE(std::filesystem::is_symlink(at("results.json")));
}

/// A folder in front of PATH in which gnuplot is this script.
class InsteadOfGnuplot {
 public:
  explicit InsteadOfGnuplot(const std::string& script) {
    const std::string path = folder_.write("gnuplot", "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("PATH", (std::filesystem::path(path).parent_path().string() + ":" + before_).c_str(), 1);
  }
  ~InsteadOfGnuplot() { setenv("PATH", before_.c_str(), 1); }
  InsteadOfGnuplot(const InsteadOfGnuplot&) = delete;
  InsteadOfGnuplot& operator=(const InsteadOfGnuplot&) = delete;

 private:
  TemporaryFolder folder_;
  std::string before_ = std::getenv("PATH");
};

TEST_F(Reproduce, APictureThatIsCutOffTakesNoOthersPlace) {
  // As on a full disk: the file has only its first bytes, and nothing else is said.
  const InsteadOfGnuplot gnuplot(
      "[ \"$1\" = --version ] && exit\n"
      "sed -n 's/^set output \"\\(.*\\)\"$/\\1/p' | while read file; do echo PNG > \"$file\"; "
      "done\n");
  std::filesystem::create_directory(at(""));
  put(at("figure-3.png"), "a picture");
  const CommandResult made = run();
  EXPECT_EQ(made.exit_code, 2);
  expect_error_line({made.exit_code, "", made.err}, 2, "environment",
                    {"cannot draw '", "look at the text and CSV files"});
  EXPECT_EQ(content(at("figure-3.png")), "a picture");
  EXPECT_TRUE(std::filesystem::exists(at("figure-3.csv")));
  EXPECT_FALSE(std::filesystem::exists(at("figure-3.png.part")));
}

TEST_F(Reproduce, DrawsPicturesWhereGnuplotIsThere) {
  const InsteadOfGnuplot gnuplot(
      "[ \"$1\" = --version ] && exit\n"
      "sed -n 's/^set output \"\\(.*\\)\"$/\\1/p' | while read file; do\n"
      "  printf 'picture IEND1234 </svg>' > \"$file\"; done\n");
  const CommandResult made = run();
  EXPECT_EQ(made.exit_code, 0) << made.err;
  for (const char* picture : {"figure-3.png", "figure-3.svg"})
    EXPECT_EQ(content(at(picture)), "picture IEND1234 </svg>");
}

TEST_F(Reproduce, RefusesAFolderThatAnotherRunUses) {
  ASSERT_EQ(run().exit_code, 0);
  const evaluation::Folder in_use(at(""));
  const CommandResult second = run();
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("is in use"), std::string::npos) << second.err;
}

TEST_F(Reproduce, RefusesWhatItDoesNotKnow) {
  const CommandResult paper = run_weft({"reproduce", "wsft"});
  EXPECT_EQ(paper.exit_code, 2);
  EXPECT_NE(paper.err.find("the nearest is wsfft"), std::string::npos) << paper.err;
  const CommandResult none = run_weft({"reproduce"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no paper is named"), std::string::npos) << none.err;
  const CommandResult item = run_weft({"reproduce", "wsfft", "--only", "figure-9"});
  EXPECT_EQ(item.exit_code, 2);
  EXPECT_NE(item.err.find("--only figure-9 is unknown"), std::string::npos) << item.err;
}

TEST_F(Reproduce, RefusesAFolderThatCannotBe) {
  const TemporaryFolder folder;
  const CommandResult refused =
      run_weft({"reproduce", "wsfft", "--quick", "--output", folder.write("file", "") + "/below"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("cannot create folder"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace weft::test::reproduce_test
