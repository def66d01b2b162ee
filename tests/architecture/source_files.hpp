#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "paths.hpp"

namespace weft::test {

/// All source files under `folder` (relative to the repository), as sorted relative paths.
inline std::vector<std::filesystem::path> source_files(const std::filesystem::path& folder) {
  constexpr std::string_view kExtensions[] = {".cpp", ".hpp", ".def", ".cu", ".cuh", ".py"};
  const std::filesystem::path root = WEFT_SOURCE_DIR;
  std::vector<std::filesystem::path> found;
  if (!std::filesystem::exists(root / folder)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() &&
        std::ranges::find(kExtensions, extension) != std::end(kExtensions))
      found.push_back(entry.path().lexically_relative(root));
  }
  std::ranges::sort(found);
  return found;
}

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(std::filesystem::path(WEFT_SOURCE_DIR) / file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace weft::test
