#include "cli/text/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/text/text_table.hpp"

namespace weft::cli {

std::string result_table(const evaluation::Result& result) {
  std::vector<TextColumn> columns;
  for (std::size_t k = 0; k < result.table.columns.size(); ++k) {
    const bool number = std::ranges::any_of(
        result.table.rows, [&](const auto& row) { return row[k].value.has_value(); });
    columns.push_back({result.table.columns[k], number ? Align::right : Align::left});
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : result.table.rows) {
    std::vector<std::string>& texts = rows.emplace_back();
    for (const evaluation::Cell& cell : row) texts.push_back(cell.text);
  }
  std::string text = fmt::format("{}: {}\n\n", result.name, result.title);
  text += rows.empty() ? "  nothing in this scope\n" : text_table(columns, rows);
  if (!result.notes.empty()) text += "\n";
  for (const std::string& note : result.notes) text += "  " + folded(note, 2) + "\n";
  return text + "\n";
}

}  // namespace weft::cli
