#include "cli/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {

std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> lines(rows.size() + 1);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::vector<std::string_view> cells = {columns[column].title};
    for (const auto& row : rows) cells.push_back(row[column]);
    const std::size_t width = std::ranges::max(cells, {}, &std::string_view::size).size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      lines[i] += columns[column].align == Align::left ? fmt::format("  {:<{}}", cells[i], width)
                                                       : fmt::format("  {:>{}}", cells[i], width);
    }
  }
  std::string text;
  for (const std::string& line : lines) {
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string folded(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string lines;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column > indent && column + 1 + word.size() > columns) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    at = end + 1;
  }
  return lines;
}

}  // namespace weft::cli
