#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft info`, as given.
struct InfoArguments {
  std::optional<std::string> machine;
  std::optional<std::string> json;
};

/// Adds `weft info`; parsing fills `arguments`.
CLI::App* add_info(CLI::App& app, InfoArguments& arguments);

/// Runs it and returns the exit code.
int run_info(const InfoArguments& arguments);

}  // namespace weft::cli
