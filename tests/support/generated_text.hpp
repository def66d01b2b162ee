#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace weft::test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << "cannot read " << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Expects `table` between the markers "<!-- generated: name -->" and "<!-- end -->", or puts it
/// there.
inline void expect_generated(const std::filesystem::path& file, const std::string& name,
                             const std::string& table) {
  std::string text = text_of(file);
  const std::string begin = "<!-- generated: " + name + " -->\n", end = "<!-- end -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos) << file << " has no marker " << begin;
  const std::size_t start = from + begin.size(), stop = text.find(end, start);
  ASSERT_NE(stop, std::string::npos) << file << " has no " << end << " after " << begin;
  if (std::getenv("WEFT_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << text.replace(start, stop - start, table);
    return;
  }
  EXPECT_EQ(text.substr(start, stop - start), table)
      << file << " is behind the code; rewrite it with WEFT_UPDATE_DOCS=1";
}

/// Expects the file to be this text, or makes it so.
inline void expect_generated_file(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("WEFT_UPDATE_DOCS") != nullptr) {
    std::ofstream(file) << text;
    return;
  }
  EXPECT_EQ(text_of(file), text) << file
                                 << " is behind its tables; rewrite it with WEFT_UPDATE_DOCS=1";
}

}  // namespace weft::test
