#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace weft::test {

/// The standard output of a command of the shell.
inline std::string output_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()))
    output += buffer.data();
  return output;
}

}  // namespace weft::test
