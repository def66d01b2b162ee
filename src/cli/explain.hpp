#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft explain`, as given.
struct ExplainArguments {
  std::string run;
  std::optional<std::string> json;
};

/// Adds `weft explain`; parsing fills `arguments`.
CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments);

/// Runs it and returns the exit code.
int run_explain(const ExplainArguments& arguments);

}  // namespace weft::cli
