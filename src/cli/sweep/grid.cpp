#include "cli/sweep/grid.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/nearest.hpp"
#include "cli/common/number_in.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

/// Chosen: more are a slip of the hand rather than a study.
constexpr std::size_t kMostPoints = 1'000'000;

Error invalid(std::string_view text, const std::string& why) {
  return {
      ErrorCategory::usage, fmt::format("invalid --set {}", text), why,
      "write NAME=VALUES, such as ramp_cycles=1..7 or precision=fp16,fp32, and values that have "
      "commas between semicolons, as in 'shape=8,8,8;16,16,16'"};
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find(separator, from);
    parts.emplace_back(text.substr(from, end - from));
    if (end == std::string_view::npos) return parts;
    from = end + 1;
  }
}

/// The numbers of "1..7" or "16..64..16"; none: it is no such range.
std::optional<std::vector<std::string>> range(std::string_view text, std::string_view set) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(dots + 2);
  const std::size_t more = rest.find("..");
  const auto first = number_in<long long>(text.substr(0, dots)),
             last = number_in<long long>(rest.substr(0, more));
  const auto step = more == std::string_view::npos ? std::optional(1LL)
                                                   : number_in<long long>(rest.substr(more + 2));
  if (!first || !last || !step) return std::nullopt;  // such as a path: ../machine.json
  if (*step < 1 || *last < *first)
    throw invalid(set,
                  fmt::format("{} has no numbers: a range goes up, by steps of 1 or more", text));
  const auto from = static_cast<unsigned long long>(*first);  // their distance may be larger
  const auto by = static_cast<unsigned long long>(*step);
  const unsigned long long steps = (static_cast<unsigned long long>(*last) - from) / by;
  if (steps >= kMostPoints)
    throw invalid(set, fmt::format("{} has more than {} numbers", text, kMostPoints));
  std::vector<std::string> values;
  values.reserve(steps + 1);
  for (unsigned long long n = 0; n <= steps; ++n)
    values.push_back(std::to_string(static_cast<long long>(from + n * by)));
  return values;
}

void check_constant(const MachineConstant& constant, const std::string& value,
                    std::string_view set) {
  const auto is = number_in<long long>(value);
  if (!is || *is < constant.low || *is > constant.high)
    throw invalid(set, fmt::format("{} is no value of {}, which has whole numbers from {} to {}",
                                   value, constant.name, constant.low, constant.high));
}

/// Options that a sweep gives itself, or that have one output for all runs.
bool is_own(std::string_view name) {
  constexpr std::string_view kOwn[] = {"help",  "json",    "quiet",   "output", "png",
                                       "trace", "profile", "machine", "explain"};
  return std::ranges::find(kOwn, name) != std::end(kOwn);
}

}  // namespace

Dimension dimension_of(const std::string& text, const CLI::App& command) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw invalid(text, "it has no NAME=");
  Dimension dimension{.name = text.substr(0, equals), .values = {}};
  const auto constant =
      std::ranges::find(machine_constants(), dimension.name, &MachineConstant::name);
  if (constant != machine_constants().end()) dimension.constant = &*constant;
  const CLI::Option* const option = command.get_option_no_throw("--" + dimension.name);
  if (dimension.constant == nullptr && (option == nullptr || is_own(dimension.name))) {
    std::vector<std::string_view> names;
    for (const MachineConstant& known : machine_constants()) names.push_back(known.name);
    for (const CLI::Option* known : command.get_options())
      for (const std::string& name : known->get_lnames())
        if (!is_own(name)) names.push_back(name);
    const auto meant = base::nearest(dimension.name, names);
    throw invalid(text,
                  fmt::format("{} is no constant of the machine, and no option of 'weft {}' "
                              "that a sweep may set{}",
                              dimension.name, command.get_name(),
                              meant ? fmt::format("; the nearest known one is {}", *meant) : ""));
  }
  dimension.is_flag = dimension.constant == nullptr && option->get_expected_max() == 0;
  const std::string list = text.substr(equals + 1);
  const bool semicolons = list.find(';') != std::string::npos;
  for (const std::string& item : split(list, semicolons ? ';' : ',')) {
    if (item.empty()) throw invalid(text, "a value is empty");
    if (auto numbers = range(item, text))
      dimension.values.insert(dimension.values.end(), numbers->begin(), numbers->end());
    else
      dimension.values.push_back(item);
  }
  std::set<std::string_view> known;
  for (const std::string& value : dimension.values) {
    if (dimension.constant != nullptr) check_constant(*dimension.constant, value, text);
    if (dimension.is_flag && value != "true" && value != "false")
      throw invalid(text, fmt::format("--{} takes no value: true and false set it and leave it out",
                                      dimension.name));
    if (!known.insert(value).second) throw invalid(text, fmt::format("{} is there twice", value));
  }
  return dimension;
}

std::vector<Dimension> grid_of(const std::vector<std::string>& texts, const CLI::App& command) {
  std::vector<Dimension> grid;
  grid.reserve(texts.size());
  std::size_t points = 1;
  for (const std::string& text : texts) {
    grid.push_back(dimension_of(text, command));
    if (std::ranges::count(grid, grid.back().name, &Dimension::name) > 1)
      throw invalid(text, fmt::format("{} is there twice", grid.back().name));
    points *= grid.back().values.size();
    if (points > kMostPoints)
      throw invalid(text, fmt::format("the grid has more than {} points", kMostPoints));
  }
  return grid;
}

std::vector<Point> points_of(const std::vector<Dimension>& grid) {
  std::vector<Point> points{{}};
  for (const Dimension& dimension : grid) {
    std::vector<Point> more;
    more.reserve(points.size() * dimension.values.size());
    for (const Point& point : points)
      for (const std::string& value : dimension.values) {
        more.push_back(point);
        more.back().push_back(value);
      }
    points = std::move(more);
  }
  return points;
}

}  // namespace weft::cli
