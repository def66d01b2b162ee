#include "gpu_check/host.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

namespace weft::gpu_check {
namespace {

/// The text after the first "key" and separator in a file; empty if nothing does.
std::string value_in(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) continue;
    return line.substr(begin, line.find_last_not_of(" \t\"") + 1 - begin);
  }
  return "";
}

}  // namespace

nlohmann::ordered_json describe_host() {
  utsname name{};
  ::uname(&name);
  const double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return {{"system", value_in("/etc/os-release", "PRETTY_NAME=", '=')},
          {"kernel", fmt::format("{} {}", name.sysname, name.release)},
          {"processor", value_in("/proc/cpuinfo", "model name", ':')},
          {"threads", std::thread::hardware_concurrency()},
          {"memory", fmt::format("{:.1f} GiB", bytes / 0x1p30)},
          {"glibc in use", ::gnu_get_libc_version()}};
}

}  // namespace weft::gpu_check
