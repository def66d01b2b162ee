#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft view`, as given.
struct ViewArguments {
  std::string run;
  std::optional<std::string> page, against;
  std::string limit = "64M";
};

/// The page of a run: beside it, unless one is named.
std::string page_of(const ViewArguments& arguments);

/// Adds `weft view`; parsing fills `arguments`.
CLI::App* add_view(CLI::App& app, ViewArguments& arguments);

/// Runs it and returns the exit code.
int run_view(const ViewArguments& arguments);

}  // namespace weft::cli
