#include "cli/common/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/common/options.hpp"
#include "io/atomic_file.hpp"
#include "io/suffix.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

Error output_error(const std::string& what, const std::string& why, const std::string& remedy) {
  return Error(ErrorCategory::usage, what, why, remedy);
}

fs::path whole_path(const std::string& path) {
  std::error_code failed;
  return fs::weakly_canonical(fs::absolute(path, failed), failed);
}

}  // namespace

void check_outputs(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs) {
  std::vector<std::pair<const char*, fs::path>> taken;
  const auto take = [&](const char* option, const std::string& path) {
    const fs::path whole = whole_path(path);
    const auto twin =
        std::ranges::find(taken, whole, [](const auto& entry) { return entry.second; });
    if (twin != taken.end()) {
      throw output_error(fmt::format("invalid {}: {}", option, path),
                         fmt::format("{} names the same file", twin->first),
                         "give each its own file");
    }
    taken.emplace_back(option, whole);
  };
  for (const NamedPath& input : inputs) take(input.option, input.path);
  for (const auto& [option, path, suffix] : outputs) {
    if (path.empty()) {
      throw output_error(fmt::format("{} has no file name", option), "it is empty",
                         "name the file to write");
    }
    if (!io::has_suffix(path, suffix)) {
      throw output_error(fmt::format("invalid {}: {}", option, path),
                         fmt::format("the output is a {} file", suffix),
                         fmt::format("name a file that ends in {}", suffix));
    }
    take(option, path);
    io::check_writable(path);
  }
}

void check_outputs(const std::optional<std::string>& machine,
                   const std::optional<std::string>& json) {
  std::vector<NamedPath> inputs, outputs;
  if (machine) inputs.push_back({"--machine", *machine});
  if (json && *json != kStandardOutput) outputs.push_back({"--json", *json});
  check_outputs(inputs, outputs);
}

}  // namespace weft::cli
