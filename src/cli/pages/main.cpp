// Writes the man pages and completions of `weft` into a folder, which is the one argument. The
// build runs it; it is not installed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "cli/command_line.hpp"
#include "cli/pages/pages.hpp"
#include "io/atomic_file.hpp"

int main(int argc, char** argv) {
  using namespace weft::cli;
  try {
    if (argc != 2) throw std::runtime_error("the one argument is the folder to write into");
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    const auto write = [&](const std::string& name, const std::string& text) {
      weft::io::write_file((folder / name).string(), text);
    };
    const CommandLine line;
    for (const CLI::App* command : commands_of(*line.app)) {
      std::string name = full_name(*command);
      std::ranges::replace(name, ' ', '-');
      write(name + ".1", man_page(*command));
    }
    write("weft.bash", bash_completion(*line.app));
    write("_weft", zsh_completion(*line.app));
    write("weft.fish", fish_completion(*line.app));
    return 0;
  } catch (const std::exception& exception) {
    fmt::print(stderr, "weft-pages: {}\n", exception.what());
    return 1;
  }
}
