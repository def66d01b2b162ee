#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/sweep/journal.hpp"
#include "cli/sweep/sweep_runs.hpp"
#include "evaluation/result.hpp"

namespace weft::cli {

/// A row for each run: its values, "error", and each number of the reports by its place in them,
/// such as "phases.0.cycles". What the machine is, is left out.
evaluation::Table numbers_of(const std::vector<SweepRun>& runs, const std::vector<Dimension>& grid,
                             const Journal& journal);

/// The column of a metric. Throws Error(usage) that names the nearest number if no report has it.
std::size_t column_of(const evaluation::Table& numbers, const std::vector<Dimension>& grid,
                      const std::string& metric);

/// The values of each run, the metric, and the reason where it failed.
evaluation::Table shown_columns(const evaluation::Table& numbers, std::size_t dimensions,
                                std::size_t metric);

/// The metric over the first dimension of numbers that has several; a series for each combination
/// of the others. None: there is no such dimension.
std::optional<evaluation::Figure> figure_of(const evaluation::Table& numbers,
                                            const std::vector<Dimension>& grid, std::size_t metric);

}  // namespace weft::cli
