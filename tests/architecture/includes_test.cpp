// Includes run one way: cli -> fft, io, reference -> program, fabric -> spec, engine -> model ->
// isa; cuda -> fabric, engine, pe, reference; many -> base.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source_files.hpp"

namespace weft::test::includes_test {
namespace {

namespace fs = std::filesystem;

struct Rule {
  std::string_view folder;
  std::vector<std::string_view> may_include;  ///< first part of what stands between the quotes
};

const std::vector<Rule> kRules = {
    {"include/weft", {"weft"}},
    {"src/base", {"weft", "base"}},
    {"src/isa", {"weft", "isa"}},
    {"src/model", {"weft", "isa", "model"}},
    {"src/pe", {"weft", "base", "isa", "model", "pe"}},  // of the lane step, see below
    {"src/fast", {"weft", "isa", "model", "fast"}},
    {"src/engine", {"weft", "base", "model", "engine"}},
    {"src/by_line", {"weft", "base", "isa", "model", "fast", "engine", "counting", "by_line"}},
    {"src/counting", {"weft", "isa", "model", "counting"}},
    {"src/tracing", {"weft", "isa", "model", "counting", "tracing"}},
    {"src/variants",  // the step, put together
     {"model", "fast", "by_line", "engine", "counting", "tracing", "variants"}},
    {"src/program", {"weft", "base", "isa", "program"}},
    {"src/patterns", {"weft", "base", "program", "patterns"}},
    {"src/spec", {"weft", "spec"}},  // shares nothing with the lane step, not even tables
    {"src/fabric",
     {"weft", "base", "isa", "model", "engine", "by_line", "spec", "pe", "program", "fabric"}},
    {"src/page", {"weft", "base", "page"}},
    {"src/io", {"weft", "isa", "io"}},
    {"src/machine", {"weft", "base", "machine"}},
    {"src/mpi", {"weft"}},
    {"src/reference", {"weft", "reference"}},
    // "cuda_on_host": the host implementation of CUDA, where WEFT_CUDA_ON_HOST asks for it
    {"cuda",
     {"weft", "isa", "model", "engine", "fabric", "pe", "reference", "cuda", "cuda_on_host"}},
    {"cuda/pe", {"weft", "base", "isa", "model", "engine", "pe", "cuda"}},
    {"src/fft", {"weft", "base", "isa", "engine", "program", "patterns", "fabric", "fft"}},
    {"evaluation", {"weft", "io", "page", "fabric", "fft", "evaluation"}},
    {"evaluation/transposes", {"weft", "fft", "patterns", "evaluation"}},
    {"src/cli",
     {"weft", "base", "isa", "model", "engine", "program", "fabric", "io", "reference", "fft",
      "evaluation", "cli"}},
};

/// The lane step and the PE step neither allocate nor throw. GPUs run the latter, so they need no
/// compiler's own headers.
const std::vector<std::string_view> kNotInModel = {"vector", "memory", "stdexcept", "functional",
                                                   "string"};
const std::vector<std::string_view> kNoPrefixInModel = {
    "cuda", "cooperative_groups", "cub/", "thrust/", "device_", "nvrtc"};

struct Include {
  std::string target;
  bool quoted;
};

std::optional<Include> parse_include(const std::string& line) {
  static const std::regex pattern(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

/// "src/fft" for src/fft/wsfft/plan.cpp, "include/weft" for its headers.
std::string rule_folder(const fs::path& file) {
  auto part = file.begin();
  const fs::path top = *part++;
  return std::next(part) == file.end() ? top.string() : (top / *part).string();
}

const Rule* find_rule(std::string_view folder) {
  const auto rule = std::ranges::find(kRules, folder, &Rule::folder);
  return rule == kRules.end() ? nullptr : &*rule;
}

std::vector<fs::path> product_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"src", "include", "cuda", "evaluation"}) {
    const std::vector<fs::path> found = source_files(folder);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

bool is_banned_in_model(std::string_view header) {
  return std::ranges::find(kNotInModel, header) != kNotInModel.end() ||
         std::ranges::any_of(kNoPrefixInModel,
                             [&](std::string_view prefix) { return header.starts_with(prefix); });
}

bool is_of_cuda(std::string_view header) {
  return header.starts_with("cu") && !header.starts_with("cuda/");
}

TEST(Includes, RunOneWay) {
  for (const fs::path& file : product_files()) {
    const Rule* rule = find_rule(rule_folder(file));
    if (rule == nullptr) continue;  // reported by EveryFolderHasARule
    for (const std::string& line : lines_of(file)) {
      const auto include = parse_include(line);
      if (!include || !include->quoted) continue;
      const std::string target = include->target.substr(0, include->target.find('/'));
      EXPECT_TRUE(std::ranges::find(rule->may_include, target) != rule->may_include.end())
          << file.string() << " includes \"" << include->target << "\" (" << rule->folder
          << " may not); move the code, or name the header by its folder";
    }
  }
}

TEST(Includes, EveryFolderHasARule) {
  std::set<std::string> folders;
  for (const fs::path& file : product_files()) folders.insert(rule_folder(file));
  for (const std::string& folder : folders)
    EXPECT_NE(find_rule(folder), nullptr) << folder << " has no row in kRules; add one";
  for (const Rule& rule : kRules)
    EXPECT_TRUE(folders.contains(std::string(rule.folder)))
        << "kRules has a row for " << rule.folder << ", which has no files; remove it";
}

TEST(Includes, ModelStaysPlain) {
  std::vector<fs::path> files = source_files("src/model");
  for (const char* folder : {"src/fast", "src/pe"}) {
    const std::vector<fs::path> more = source_files(folder);
    files.insert(files.end(), more.begin(), more.end());
  }
  for (const fs::path& file : files) {
    if (file.parent_path() == "src/pe/build") continue;  // of the host
    for (const std::string& line : lines_of(file)) {
      const auto include = parse_include(line);
      if (!include) continue;
      EXPECT_FALSE(is_banned_in_model(include->target))
          << file.string() << " includes <" << include->target
          << "> (a step allocates nothing, throws nothing, and runs without a compiler's own "
             "headers); move the code that needs it";
    }
  }
}

/// The lane step and the PE step are two ways to do the same.
TEST(Includes, PeStepHasOnlyTimingProgramsAndRowsOfCountsOfTheLaneStep) {
  for (const fs::path& file : source_files("src/pe"))
    for (const std::string& line : lines_of(file)) {
      const auto include = parse_include(line);
      if (!include || !include->target.starts_with("model/")) continue;
      EXPECT_TRUE(include->target == "model/state/timing.hpp" ||
                  include->target == "model/state/programs.hpp" ||
                  include->target == "model/state/count_rows.hpp")
          << file.string() << " includes " << include->target;
    }
}

TEST(Includes, OnlyTheFolderCudaSeesCuda) {
  for (const fs::path& file : product_files()) {
    if (rule_folder(file) == "cuda") continue;
    for (const std::string& line : lines_of(file)) {
      const auto include = parse_include(line);
      if (!include) continue;
      EXPECT_FALSE(is_of_cuda(include->target))
          << file.string() << " includes <" << include->target
          << "> (Weft is built without CUDA too); move the code that needs it to cuda/";
    }
  }
}

/// A public header takes back each macro that it defines.
TEST(Includes, PublicHeadersLeaveNoMacro) {
  static const std::regex pattern(R"(^\s*#\s*(define|undef)\s+(\w+))");
  for (const fs::path& file : source_files("include")) {
    std::set<std::string> defined;
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      if (match[1] == "define")
        defined.insert(match[2]);
      else
        defined.erase(match[2]);
    }
    EXPECT_TRUE(defined.empty()) << file.string() << " leaves " << *defined.begin();
  }
}

TEST(Includes, TheCheckSeesWhatItShould) {
  EXPECT_EQ(parse_include("#include \"io/x.hpp\"")->target, "io/x.hpp");
  EXPECT_FALSE(parse_include("  #  include <vector>")->quoted);
  EXPECT_FALSE(parse_include("// #include \"io/x.hpp\""));
  EXPECT_TRUE(is_banned_in_model("vector"));
  EXPECT_TRUE(is_banned_in_model("cuda_runtime.h"));
  EXPECT_FALSE(is_banned_in_model("string_view"));
  EXPECT_TRUE(is_of_cuda("cufft.h"));
  EXPECT_FALSE(is_of_cuda("cstdint"));
  EXPECT_EQ(rule_folder("src/fft/wsfft/plan.cpp"), "src/fft");
  EXPECT_EQ(rule_folder("cuda/device.cpp"), "cuda");
}

}  // namespace
}  // namespace weft::test::includes_test
