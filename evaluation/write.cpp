#include "evaluation/write.hpp"

#include <fmt/format.h>

namespace weft::evaluation {
namespace {

using nlohmann::ordered_json;

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

std::string csv_cell(const Cell& cell) {
  if (cell.value) return fmt::format("{}", *cell.value);
  return cell.text == none().text ? "" : csv_text(cell.text);
}

ordered_json cell_json(const Cell& cell) {
  if (cell.value) return *cell.value;
  return cell.text == none().text ? ordered_json(nullptr) : ordered_json(cell.text);
}

}  // namespace

std::string csv_of(const Table& table) {
  std::string text;
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    text += (k > 0 ? "," : "") + csv_text(table.columns[k]);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k > 0 ? "," : "") + csv_cell(row[k]);
    text += "\n";
  }
  return text;
}

ordered_json json_of(const Result& result) {
  ordered_json rows = ordered_json::array();
  for (const auto& row : result.table.rows) {
    ordered_json cells = ordered_json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(cells);
  }
  return {{"name", result.name},
          {"title", result.title},
          {"columns", result.table.columns},
          {"rows", rows},
          {"notes", result.notes}};
}

}  // namespace weft::evaluation
