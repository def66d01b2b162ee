#include "evaluation/result.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::evaluation {
namespace {

std::string_view verdict_of(double ours, const Published& published) {
  constexpr double kWithin = 0.05;
  const double off = ours / published.value - 1;
  const bool agrees = std::abs(off) <= kWithin;
  if (published.mark == Mark::measured) return agrees ? "agrees" : "differs";
  if (agrees) return "holds";
  return off > 0 ? "too low" : "too high";
}

}  // namespace

std::string_view to_string(Mark mark) noexcept {
  constexpr std::string_view kNames[] = {"ours alone", "measured by the authors",
                                         "estimated by the authors", "by the authors' formula"};
  return kNames[static_cast<int>(mark)];
}

Cell cell(std::string text) { return {std::move(text)}; }

Cell whole(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return {digits, value};
}

Cell decimal(double value, int digits) { return {fmt::format("{:.{}f}", value, digits), value}; }

Cell percent(double ratio) { return {fmt::format("{:+.1f} %", 100 * (ratio - 1)), ratio - 1}; }

Cell none() { return {"-"}; }

void add_published_columns(std::vector<std::string>& columns) {
  for (const char* column : {"published", "of", "difference", "verdict"})
    columns.emplace_back(column);
}

void add_published(Row& row, double ours, const std::optional<Published>& published, int digits) {
  if (!published) {
    row.insert(row.end(), {none(), cell(std::string(to_string(Mark::ours))), none(), none()});
    return;
  }
  const double value = published->value;
  row.insert(row.end(), {digits == 0 ? whole(value) : decimal(value, digits),
                         cell(std::string(to_string(published->mark))), percent(ours / value),
                         cell(std::string(verdict_of(ours, *published)))});
}

}  // namespace weft::evaluation
