#include "gpu_check/find.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace weft::gpu_check {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

/// Where toolkits are: as the environment says, then as they are installed.
std::vector<std::string> toolkits() {
  std::vector<std::string> all;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"})
    if (const std::string folder = variable(name); !folder.empty()) all.push_back(folder);
  for (const std::string pattern : {"/usr/local/cuda*", "/opt/cuda*", "/opt/nvidia/cuda*"})
    for (const std::string& folder : matches(pattern)) all.push_back(folder);
  return all;
}

/// Prefixes below which Python keeps its packages.
std::vector<std::string> pythons() {
  std::vector<std::string> all = {"/usr/local", "/usr", "/opt/conda", "/opt/venv"};
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string folder = variable(name); !folder.empty()) all.push_back(folder);
  if (const std::string home = variable("HOME"); !home.empty()) all.push_back(home + "/.local");
  if (const std::string python = in_path("python3"); !python.empty())
    all.push_back(fs::path(python).parent_path().parent_path().string());
  for (const std::string pattern : {"/opt/*/.venv", "/opt/*/venv"})
    for (const std::string& folder : matches(pattern)) all.push_back(folder);
  return all;
}

}  // namespace

std::string in_path(const std::string& program) {
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = fmt::format("{}/{}", folder, program);
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::string compute_sanitizer() {
  if (std::string found = in_path("compute-sanitizer"); !found.empty()) return found;
  for (const std::string& toolkit : toolkits())
    for (const char* inside : {"/bin/compute-sanitizer", "/compute-sanitizer/compute-sanitizer",
                               "/extras/compute-sanitizer/compute-sanitizer"})
      if (std::string path = toolkit + inside; ::access(path.c_str(), X_OK) == 0) return path;
  return "";
}

std::string cufft_folders() {
  std::string all = variable("WEFT_CUFFT_FOLDERS");
  std::vector<fs::path> seen;  // a folder may have several names
  const auto add = [&](const std::string& pattern) {
    for (const std::string& library : matches(pattern + "/libcufft.so.*")) {
      const std::string folder = fs::path(library).parent_path().string();
      std::error_code failed;
      const fs::path real = fs::canonical(folder, failed);
      if (failed || std::ranges::find(seen, real) != seen.end()) continue;
      seen.push_back(real);
      all += (all.empty() ? "" : ":") + folder;
    }
  };
  for (const std::string& toolkit : toolkits())
    for (const char* inside : {"/lib64", "/lib", "/targets/*/lib"}) add(toolkit + inside);
  for (const std::string& python : pythons())
    for (const char* packages : {"site-packages", "dist-packages"})
      add(python + "/lib/python3*/" + packages + "/nvidia/*/lib");
  return all;
}

}  // namespace weft::gpu_check
