#include "cli/sweep/sweep_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/grouped.hpp"
#include "base/nearest.hpp"
#include "cli/common/number_in.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

using evaluation::Cell;
using evaluation::Table;

Cell cell_of(const std::string& text) { return {text, number_in<double>(text)}; }

Cell cell_of(const nlohmann::ordered_json& value) {
  if (value.is_number_unsigned())
    return {base::grouped(value.get<std::uint64_t>()), value.get<double>()};
  return {fmt::format("{:.6g}", value.get<double>()), value.get<double>()};
}

/// f(name, value) for each number of a report.
template <class F>
void for_numbers(const nlohmann::ordered_json& report, const std::string& name, F f) {
  if (report.is_number()) return f(name, report);
  if (!report.is_structured() || name == "machine") return;
  for (const auto& [key, value] : report.items())
    for_numbers(value, name.empty() ? key : fmt::format("{}.{}", name, key), f);
}

/// Of the dimensions, the first of numbers that has several.
std::optional<std::size_t> x_of(const std::vector<Dimension>& grid) {
  for (std::size_t k = 0; k < grid.size(); ++k)
    if (grid[k].values.size() > 1 &&
        std::ranges::all_of(grid[k].values, [](const std::string& value) {
          return number_in<double>(value).has_value();
        }))
      return k;
  return std::nullopt;
}

}  // namespace

Table numbers_of(const std::vector<SweepRun>& runs, const std::vector<Dimension>& grid,
                 const Journal& journal) {
  Table table;
  for (const Dimension& dimension : grid) table.columns.push_back(dimension.name);
  table.columns.emplace_back("error");
  std::map<std::string, std::size_t> column;
  for (const SweepRun& run : runs) {
    evaluation::Row& row = table.rows.emplace_back();
    for (const std::string& value : run.point) row.push_back(cell_of(value));
    const KeptRun* const kept = journal.find(run.key);
    row.push_back(kept != nullptr && kept->ok
                      ? evaluation::none()
                      : evaluation::cell(kept != nullptr ? kept->error : ""));
    if (kept == nullptr || !kept->ok) continue;
    for_numbers(nlohmann::ordered_json::parse(kept->report), "",
                [&](const std::string& name, const nlohmann::ordered_json& value) {
                  const auto [place, is_new] = column.try_emplace(name, table.columns.size());
                  if (is_new) table.columns.push_back(name);
                  row.resize(std::max(row.size(), place->second + 1), evaluation::none());
                  row[place->second] = cell_of(value);
                });
  }
  for (evaluation::Row& row : table.rows) row.resize(table.columns.size(), evaluation::none());
  return table;
}

std::size_t column_of(const Table& numbers, const std::vector<Dimension>& grid,
                      const std::string& metric) {
  const auto first = numbers.columns.begin() + static_cast<std::ptrdiff_t>(grid.size()) + 1;
  const auto found = std::find(first, numbers.columns.end(), metric);
  if (found != numbers.columns.end())
    return static_cast<std::size_t>(found - numbers.columns.begin());
  const std::vector<std::string_view> names(first, numbers.columns.end());
  const auto meant = base::nearest(metric, names);
  throw Error(ErrorCategory::usage, fmt::format("--metric {} is unknown", metric),
              meant ? fmt::format("the nearest number of the reports is {}", *meant)
                    : "no report has such a number",
              "choose one of the columns of sweep.csv");
}

Table shown_columns(const Table& numbers, std::size_t dimensions, std::size_t metric) {
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < dimensions; ++k) columns.push_back(k);
  columns.push_back(metric);
  if (std::ranges::any_of(numbers.rows, [&](const evaluation::Row& row) {
        return row[dimensions].text != evaluation::none().text;
      }))
    columns.push_back(dimensions);
  Table shown;
  for (const std::size_t k : columns) shown.columns.push_back(numbers.columns[k]);
  for (const evaluation::Row& row : numbers.rows) {
    evaluation::Row& some = shown.rows.emplace_back();
    for (const std::size_t k : columns) some.push_back(row[k]);
  }
  return shown;
}

std::optional<evaluation::Figure> figure_of(const Table& numbers,
                                            const std::vector<Dimension>& grid,
                                            std::size_t metric) {
  const auto x = x_of(grid);
  if (!x) return std::nullopt;
  evaluation::Figure figure{.x = grid[*x].name, .y = numbers.columns[metric], .series = {}};
  figure.log_x = false;
  std::map<std::string, std::size_t> place;
  for (const evaluation::Row& row : numbers.rows) {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < grid.size(); ++k)
      if (k != *x && grid[k].values.size() > 1)
        others.push_back(fmt::format("{} {}", grid[k].name, row[k].text));
    const std::string title = fmt::format("{}", fmt::join(others, ", "));
    const auto [series, is_new] = place.try_emplace(title, figure.series.size());
    if (is_new)
      figure.series.push_back(
          {.title = title, .color = static_cast<int>(series->second), .points = {}});
    if (row[metric].value)
      figure.series[series->second].points.emplace_back(*row[*x].value, *row[metric].value);
  }
  for (evaluation::Series& series : figure.series) std::ranges::sort(series.points);
  return figure;
}

}  // namespace weft::cli
