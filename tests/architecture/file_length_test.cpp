// A file is one room: at most 400 lines, unless the table below says why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "source_files.hpp"

namespace weft::test::file_length_test {
namespace {

constexpr std::size_t kMostLines = 400;

struct LongFile {
  std::string_view path;
  std::string_view reason;
};

const std::vector<LongFile> kLongFiles = {
    {"src/program/instruction_writer.cpp", "generated: a function for each instruction"},
};

bool is_listed(const std::filesystem::path& file) {
  return std::ranges::find(kLongFiles, file.generic_string(), &LongFile::path) != kLongFiles.end();
}

TEST(FileLength, StaysReadable) {
  std::size_t files = 0;
  for (const char* folder :
       {"include", "src", "cuda", "evaluation", "tests", "bench", "docs", "gpu_check"}) {
    for (const std::filesystem::path& file : source_files(folder)) {
      ++files;
      const std::size_t lines = lines_of(file).size();
      EXPECT_TRUE(lines <= kMostLines || is_listed(file))
          << file.string() << " has " << lines << " lines (of at most " << kMostLines
          << "); split it, or list it here with a reason";
    }
  }
  EXPECT_GT(files, 0u) << "no source file found under " << WEFT_SOURCE_DIR;
}

TEST(FileLength, NoListedExceptionIsStale) {
  for (const LongFile& entry : kLongFiles) {
    EXPECT_FALSE(entry.reason.empty()) << entry.path;
    EXPECT_GT(lines_of(entry.path).size(), kMostLines) << entry.path << " is short; unlist it";
  }
}

}  // namespace
}  // namespace weft::test::file_length_test
