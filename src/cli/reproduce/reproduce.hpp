#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft reproduce`, as given.
struct ReproduceArguments {
  std::string paper;
  bool list = false;
  bool quick = false;
  bool again = false;
  std::vector<std::string> only;
  std::optional<std::string> output;
  std::optional<std::string> machine;
  std::optional<int> threads;
  bool quiet = false;
};

/// Adds `weft reproduce`; parsing fills `arguments`.
CLI::App* add_reproduce(CLI::App& app, ReproduceArguments& arguments);

/// Runs it and returns the exit code.
int run_reproduce(const ReproduceArguments& arguments);

}  // namespace weft::cli
