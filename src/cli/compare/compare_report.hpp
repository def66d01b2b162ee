#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/compare/compare_grid.hpp"
#include "weft/error.hpp"

namespace weft::cli {

struct CompareCounts {
  std::size_t ok = 0, failed = 0, skipped = 0, interrupted = 0;
};

CompareCounts count(const std::vector<CompareRow>& rows);

/// A table for people. Rows that are skipped in every shape, precision and direction for the same
/// reason are one line.
std::string compare_text(const CompareGrid& grid, const std::vector<CompareRow>& rows);

/// The same for programs: every row, with every number in full.
nlohmann::ordered_json compare_json(const CompareGrid& grid, const std::vector<CompareRow>& rows);

/// The line that goes to standard error if rows failed; it names the worst.
std::string failure_line(const std::vector<CompareRow>& rows);

/// The line that goes to standard error if the user ended the whole: where.
std::string interruption_line(const std::vector<CompareRow>& rows);

/// The error to throw if every row was skipped: it has all reasons.
Error nothing_compared(const std::vector<CompareRow>& rows);

}  // namespace weft::cli
