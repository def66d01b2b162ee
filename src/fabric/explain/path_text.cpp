#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "base/grouped.hpp"
#include "fabric/explain/part.hpp"
#include "fabric/explain/path.hpp"
#include "program/color_names.hpp"

/// A critical path in words.
namespace weft::fabric {
namespace {

using base::grouped;

constexpr std::size_t kMostPlaces = 8;

std::string cycles_text(const Profile& p, std::uint64_t cycles) {
  return fmt::format("  {:>12}  {:3.0f} %  ", grouped(cycles), 100 * share(cycles, p.cycles));
}

std::string parts_text(const PathShare& s) {
  const std::uint64_t mean = (s.cycles + s.parts / 2) / s.parts;
  if (s.parts == 1) return "1 part";
  return fmt::format("{} parts of {}{} cycle{}", grouped(s.parts),
                     s.cycles % s.parts == 0 ? "" : "about ", grouped(mean), mean == 1 ? "" : "s");
}

std::string kinds_text(const Profile& p, const std::vector<PathShare>& kinds) {
  std::string text;
  for (const PathShare& each : kinds)
    text += cycles_text(p, each.cycles) + fmt::format("{:24} {}\n", each.what, parts_text(each));
  return text;
}

/// A line for each phase, with its kinds.
std::string phases_text(const Profile& p, const std::vector<PathShare>& shares) {
  std::vector<std::string> names;
  for (const PathShare& each : shares)
    if (std::ranges::find(names, each.phase) == names.end()) names.push_back(each.phase);
  if (names.size() < 2) return "";
  std::string text = "\nBy phase\n";
  for (const std::string& name : names) {
    std::vector<PathShare> its;
    std::ranges::copy_if(shares, std::back_inserter(its),
                         [&](const PathShare& each) { return each.phase == name; });
    std::ranges::stable_sort(its, std::ranges::greater{}, &PathShare::cycles);
    std::uint64_t cycles = 0;
    std::string kinds;
    for (const PathShare& each : its) {
      cycles += each.cycles;
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", each.what, grouped(each.cycles));
    }
    text += cycles_text(p, cycles) +
            fmt::format("{:24} {}\n", name.empty() ? "outside of phases" : name, kinds);
  }
  return text;
}

std::string name_of_color(const Profile& p, int number) {
  ColorNames names;
  for (const ColorCounts& color : p.colors)
    if (!color.name.empty()) names[color.color] = color.name;
  return color_text(number, names);
}

std::string place_text(const Profile& p, const PathShare& s) {
  std::string at = s.line;
  if (at.empty() && s.color >= 0) at = name_of_color(p, s.color);
  return fmt::format("{:24} {}{}{}, most of it in PE ({}, {})\n", s.what, at,
                     at.empty() ? "" : ": ", parts_text(s), s.x, s.y);
}

}  // namespace

std::string path_text(const Profile& p, const PathExplanation& path) {
  if (path.kinds.empty()) return "";
  std::string text = "What decided the end: the critical path, exactly\n" +
                     kinds_text(p, path.kinds) + phases_text(p, path.phases) +
                     "\nIts longest places\n";
  for (std::size_t n = 0; n < path.places.size() && n < kMostPlaces; ++n)
    text += cycles_text(p, path.places[n].cycles) + place_text(p, path.places[n]);
  if (path.places.size() > kMostPlaces)
    text += fmt::format("  and {} more\n", path.places.size() - kMostPlaces);
  return text;
}

}  // namespace weft::fabric
