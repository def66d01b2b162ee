#include "weft/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr CountInfo kInfos[] = {
#define WEFT_COUNT_yes true
#define WEFT_COUNT_no false
#define WEFT_COUNT(name, windowed, unit, meaning) \
  {Count::name, #name, WEFT_COUNT_##windowed, unit, meaning},
#include "weft/counts.def"
#undef WEFT_COUNT
#undef WEFT_COUNT_yes
#undef WEFT_COUNT_no
};

std::size_t index(Count count) { return static_cast<std::size_t>(count); }

void check_window(const Profile& p, int window) {
  if (window >= 0 && window < p.windows) return;
  const auto fail = [&](const std::string& why, const std::string& remedy) {
    throw Error(ErrorCategory::usage, fmt::format("invalid window: {}", window), why, remedy);
  };
  if (p.window_cycles == 0)
    fail("the run was counted without windows of time", "ask for them before the run");
  if (p.windows == 0) fail("no cycle of the run has been", "run it first");
  fail(fmt::format("the run has {}, of {} cycles each, numbered from 0 on", p.windows,
                   p.window_cycles),
       "name one of these");
}

[[noreturn]] void no_windows(std::string what) {
  std::vector<std::string_view> kept;
  for (const CountInfo& info : kInfos)
    if (info.windowed) kept.push_back(info.name);
  throw Error(ErrorCategory::usage, std::move(what) + " is not kept by windows of time",
              fmt::format("kept are {}", fmt::join(kept, ", ")), "ask for the total");
}

[[noreturn]] void no_program(std::string_view program, const std::vector<std::string_view>& names) {
  const auto meant = base::nearest(program, names);
  throw Error(ErrorCategory::usage, fmt::format("there is no program '{}'", program),
              fmt::format("known: {}", fmt::join(names, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "name one of these");
}

/// "halo (2)" is of "halo": a design writes a program for each kind of PE.
bool is_of(std::string_view name, std::string_view program) {
  if (!name.starts_with(program)) return false;
  const std::string_view rest = name.substr(program.size());
  return rest.empty() || (rest.starts_with(" (") && rest.ends_with(")") &&
                          rest.find_first_not_of("0123456789", 2) == rest.size() - 1);
}

/// Lines of the same words are one. Each PE has one of their programs.
void add(const LineCounts& line, std::vector<LineCounts>& all) {
  const auto known = std::ranges::find_if(all, [&](const LineCounts& other) {
    return !line.what.empty() && line.what == other.what && line.where == other.where;
  });
  if (known == all.end()) return all.push_back(line);
  known->cycles += line.cycles;
  if (line.most <= known->most) return;
  known->most = line.most;
  known->x = line.x;
  known->y = line.y;
}

}  // namespace

std::span<const CountInfo> count_infos() noexcept { return kInfos; }

std::vector<std::uint64_t> Profile::counts(Count count, std::optional<int> window) const {
  if (!window) return totals[index(count)];
  if (!kInfos[index(count)].windowed) no_windows(std::string(kInfos[index(count)].name));
  check_window(*this, *window);
  const std::size_t pes = totals[index(count)].size();
  std::vector<std::uint32_t> plane(pes);
  windowed[index(count)].read(static_cast<std::size_t>(*window) * pes, plane);
  return {plane.begin(), plane.end()};
}

std::vector<std::uint64_t> Profile::links(Port port, std::optional<int> color,
                                          std::optional<int> window) const {
  if (!color) return counts(port == Port::ramp ? Count::delivered : count_of(port), window);
  if (window) no_windows("a color");
  const auto found = std::ranges::find(colors, *color, &ColorCounts::color);
  if (found != colors.end()) return found->wavelets[static_cast<std::size_t>(port)];
  std::vector<int> known;
  known.reserve(colors.size());
  for (const ColorCounts& each : colors) known.push_back(each.color);
  throw Error(ErrorCategory::usage, fmt::format("no router has color {}", *color),
              fmt::format("the layout has {}", fmt::join(known, ", ")), "name one of these");
}

std::vector<LineCounts> Profile::lines(std::string_view program) const {
  std::vector<LineCounts> all;
  std::vector<std::string_view> names;
  bool found = false;
  for (const ProgramCounts& each : programs) {
    names.push_back(each.name);
    if (!is_of(each.name, program)) continue;
    found = true;
    for (const LineCounts& line : each.lines) add(line, all);
  }
  if (found) return all;
  no_program(program, names);
}

const ProgramCounts& Profile::program(std::string_view name) const {
  const auto found = std::ranges::find(programs, name, &ProgramCounts::name);
  if (found != programs.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(programs.size());
  for (const ProgramCounts& each : programs) names.push_back(each.name);
  no_program(name, names);
}

}  // namespace weft::inline v0
