#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The results of an evaluation, before they become text, files and pictures.
namespace weft::evaluation {

/// Where a number comes from. `formula`: of the authors, on our figures or their count.
enum class Mark { ours, measured, estimated, formula };

/// "ours alone", "measured by the authors", "estimated by the authors", "by the authors' formula"
std::string_view to_string(Mark mark) noexcept;

/// A number that the authors give.
struct Published {
  double value;
  Mark mark;
};

/// A text, or a number with the text that people read.
struct Cell {
  std::string text;
  std::optional<double> value{};
};

Cell cell(std::string text);
Cell whole(double value);                ///< "236,329"
Cell decimal(double value, int digits);  ///< "0.57"
Cell percent(double ratio);              ///< 1.012: "+1.2 %", the number 0.012
Cell none();                             ///< "-": there is no such number

using Row = std::vector<Cell>;

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// Columns beside a number of ours, and their cells: "published", "of", "difference" (ours over the
/// published one) and "verdict". A number agrees, or an estimate holds, within a twentieth
/// (chosen).
void add_published_columns(std::vector<std::string>& columns);
void add_published(Row& row, double ours, const std::optional<Published>& published, int digits);

struct Series {
  std::string title;
  Mark mark = Mark::ours;
  int color = 0;  ///< series of one color belong together
  std::vector<std::pair<double, double>> points;
  bool dashed = false;  ///< the second of two alike
};

/// The x axis is logarithmic, unless `log_x` is false, and with `log_y` both are.
struct Figure {
  std::string x, y;
  bool log_y = false;
  std::vector<Series> series;
  bool log_x = true;
};

/// A table or a figure of a paper, done again.
struct Result {
  std::string name;   ///< "figure-7"
  std::string title;  ///< in a few words
  Table table;
  std::optional<Figure> figure{};
  std::vector<std::string> notes{};  ///< sentences below the table
};

}  // namespace weft::evaluation
