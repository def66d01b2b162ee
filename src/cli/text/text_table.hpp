#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

enum class Align { left, right };

struct TextColumn {
  std::string_view title;
  Align align;
};

/// Titles and rows, indented; columns are as wide as they must be, two blanks apart. Every row has
/// a cell for each column.
std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows);

/// `text` with line breaks between words where so many columns end, for a place after `indent`.
std::string folded(std::string_view text, std::size_t indent, std::size_t columns = 100);

}  // namespace weft::cli
