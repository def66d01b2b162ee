#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/compare/compare_grid.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft compare`, as given.
struct CompareArguments {
  std::vector<std::string> shapes;  ///< sides of cubes
  std::vector<std::string> shape;   ///< "N,N,N"
  std::vector<std::string> precisions;
  std::vector<std::string> kinds;
  std::vector<std::string> directions;
  std::vector<std::string> engines;
  std::vector<std::string> references;
  int batch = 1;
  std::optional<std::string> mesh;
  std::optional<std::string> algorithm, s3dft_form;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> machine;
  std::optional<int> threads;
  std::optional<std::string> json;
  bool quiet = false;
};

/// Adds `weft compare`; parsing fills `arguments`.
CLI::App* add_compare(CLI::App& app, CompareArguments& arguments);

/// Runs it and returns the exit code; throws Error for what cannot be run, and if nothing could be
/// compared.
int run_compare(const CompareArguments& arguments);

/// The end of a comparison: writes the requested reports of the rows, and returns the exit code.
int report_compare(const CompareArguments& arguments, const CompareGrid& grid,
                   const std::vector<CompareRow>& rows);

}  // namespace weft::cli
